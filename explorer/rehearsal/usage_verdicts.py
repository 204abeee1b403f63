"""Verdicts from what operators did with restored state: records, timers and a checkpoint.

A failure counts against the restored state only where a second operator without it did not fail
with the same records, and where neither the sandbox nor a made-up record may have caused it.
"""

from collections.abc import Callable
from typing import Final

from explorer.flink.upgrades.event_patterns import describe_missing
from explorer.model.rehearsal import OPENED, OperatorVerdict
from explorer.rehearsal.requests import Cause, Failure, Reader, Usage
from explorer.sandbox.refusals import FILE_WORDS, NETWORK_WORDS
from explorer.wording import counted

_STEPS: Final = {
    "record": "a record of a saved key was processed",
    "timer": "a timer fired",
    "checkpoint": "the state was written to a checkpoint",
    "read": "the restored state was read",
}
_LATE: Final = "the time was over while its state was used: --timeout SECONDS gives more"
_FORBIDDEN_KINDS: Final = (
    "java.io.FileNotFoundException",
    "java.lang.SecurityException",
    "java.net.",
    "java.nio.file.",
    "java.sql.",
    "javax.net.",
)
"""Beginnings of the classes of exceptions that code gets where network or files are missing."""
_FORBIDDEN_TEXTS: Final = (*NETWORK_WORDS, *FILE_WORDS, "error=30,")
_TYPE_ERRORS: Final = frozenset({"java.lang.ClassCastException", "java.lang.ArrayStoreException"})
_LINKAGE: Final = ("java.lang.NoSuch", "java.lang.Incompatible", "java.lang.Abstract")
_LIBRARIES: Final = ("org.apache.flink.", "com.esotericsoftware.")
_CHECKS: Final = ("org.apache.flink.util.Preconditions.", "org.apache.flink.table.")
"""Flink's code that programs call to check values, or that is generated for a query's rows."""


def usage_verdict(
    usage: Usage, opened: OperatorVerdict, text: str, *, is_opaque: bool
) -> tuple[OperatorVerdict, str | None]:
    """Return the verdict on an operator that opened, and what is to be reported of its use.

    ``opened``: the verdict without the use; ``text``: the failure's sentence; ``is_opaque``:
    whether serializers do not show what the state's content means.
    """
    if usage.missing_stages:
        return "refused", f"saved partial matches are {describe_missing(usage.missing_stages)}"
    if not usage.ended:
        return "opened_not_used", _LATE
    if usage.left_windows and opened in OPENED:
        return "opened_not_used", _left_windows(usage)
    if usage.failure is not None:
        return _judge_failure(usage, usage.failure, opened, text, is_opaque=is_opaque)
    is_unused = usage.missing_stages is None and not (usage.records or usage.timers)
    if is_opaque and is_unused and opened in OPENED:
        return "opened_not_used", "its content was not used"
    return opened, None


def _judge_failure(
    usage: Usage, failure: Failure, opened: OperatorVerdict, text: str, *, is_opaque: bool
) -> tuple[OperatorVerdict, str | None]:
    sentence = f"{text} (when {_STEPS[failure.phase]})"
    if usage.given and failure.phase == "read":
        return "opened_not_used", f"a record of --records has another type: {text}"
    if any(map(_is_forbidden, failure.causes)):
        reason = f"the sandbox may have caused this: {sentence}"
    elif usage.control != "passed":
        reason = f"its records fail without restored state too: {sentence}"
    elif _is_certain(usage, failure):
        return "refused", sentence
    else:
        return "opened_not_used", f"with a made-up record: {sentence}"
    # Serializers show the content of other state in full, and these read it.
    return ("opened_not_used" if is_opaque else opened), reason


def _is_certain(usage: Usage, failure: Failure) -> bool:
    """Whether the restored state must have caused a failure that the control does not have."""
    if usage.given or failure.phase in {"checkpoint", "read"}:
        return True
    if failure.phase == "timer" and usage.exact:
        return True
    cause = failure.causes[-1]
    raised_in = cause.frames[0] if cause.frames else ""
    in_library = raised_in.startswith(_LIBRARIES) and not raised_in.startswith(_CHECKS)
    return in_library or _is_type_error(cause)


def _is_forbidden(cause: Cause) -> bool:
    in_text = any(words in cause.text for words in _FORBIDDEN_TEXTS)
    return in_text or cause.kind.startswith(_FORBIDDEN_KINDS)


def reader_verdict(
    reader: Reader, opened: OperatorVerdict, to_text: Callable[[Failure], str]
) -> tuple[OperatorVerdict, str | None, str]:
    """Return the verdict on a source that read its state, a sentence on a refusal, and a remark."""
    failure = reader.failure
    if failure is None or not failure.causes:
        return opened, None, "its state was opened, no record was read"
    text = to_text(failure)
    if any(map(_is_forbidden, failure.causes)) or not _is_type_error(failure.causes[-1]):
        return opened, None, f"its state was read; here its reader did not open the splits: {text}"
    return "refused", f"{text} (when the reader opened its splits)", "no record was read"


def _is_type_error(cause: Cause) -> bool:
    """Whether a value had another type, or a class another form, than the code expects."""
    return cause.kind in _TYPE_ERRORS or cause.kind.startswith(_LINKAGE)


def _left_windows(usage: Usage) -> str:
    windows = counted(usage.windows, "saved window")
    return (
        f"the contents of {usage.left_windows:,} of {windows} did not come out when all restored "
        "timers had fired"
    )
