"""Read FlinkDeployments and FlinkSessionJobs from a stream of Kubernetes resources.

Mirrors the operator's resource definitions of version ``v1beta1``. Resources of other kinds are
skipped; a field that the definitions do not have is reported and ignored, as Kubernetes does.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NoReturn, TypeVar, cast

from explorer.documents.limits import MAX_DEPTH, MAX_ID, MAX_TEXT, TOO_DEEP, decode_content
from explorer.documents.text.json_text import read_json
from explorer.documents.text.writing import flow_text
from explorer.documents.text.yaml_text import read_yaml_stream
from explorer.errors import DocumentError
from explorer.java_double_text import java_double_text
from explorer.java_numbers import INT_MAX, LONG_MAX
from explorer.locations import PROGRAM
from explorer.model.kubernetes import (
    DEPLOYMENT_MODES,
    JOB_STATES,
    UPGRADE_MODES,
    FlinkResource,
    JobSpec,
    PodSize,
    ResourceKind,
)
from explorer.wording import TYPE_WORDS, counted, listed, quoted, spelled, suggestion

T = TypeVar("T")

_GROUP: Final = "flink.apache.org/"
_VERSIONED: Final = f"{_GROUP}v1beta1"
_BLUE_GREEN: Final = "FlinkBlueGreenDeployment"
_KINDS: Final = ("FlinkDeployment", "FlinkSessionJob", _BLUE_GREEN)
_SNAPSHOT: Final = "FlinkStateSnapshot"
"""A kind of Flink's API that runs no job."""
_TEMPLATE: Final = re.compile(r"\{\{.*?\}\}|\{\{")
_VERSION: Final = re.compile(r"v\d{1,3}_\d{1,3}")
_RENDER: Final = f"is a template: render it first, as in 'helm template CHART | {PROGRAM} plan -'"
_COMMON: Final = frozenset({"job", "restartNonce", "flinkConfiguration"})
_FIELDS: Final[Mapping[str, frozenset[str]]] = {
    "FlinkDeployment": _COMMON
    | {
        *("image", "imagePullPolicy", "serviceAccount", "flinkVersion", "ingress", "podTemplate"),
        *("jobManager", "taskManager", "logConfiguration", "mode"),
    },
    "FlinkSessionJob": _COMMON | {"deploymentName"},
    "job": frozenset(
        {
            *("jarURI", "parallelism", "entryClass", "args", "state", "savepointTriggerNonce"),
            *("checkpointTriggerNonce", "initialSavepointPath", "upgradeMode"),
            *("allowNonRestoredState", "savepointRedeployNonce", "autoscalerResetNonce"),
        }
    ),
    "pods": frozenset({"resource", "resources", "replicas", "podTemplate"}),
    "resource": frozenset({"cpu", "memory", "ephemeralStorage"}),
}
"""Fields of each part of a resource definition."""


def read_resources(content: bytes | str) -> tuple[FlinkResource, ...]:
    """Read the Flink resources of a stream, in its order; raises ``DocumentError``."""
    text = decode_content(content, "the resources are")
    values = [item for value in _values(text) for item in _items(value)]
    return tuple(
        _resource(value, f"document {number}" if len(values) > 1 else "")
        for number, value in enumerate(values, start=1)
        if isinstance(value, dict) and _is_of_flink(value)
    )


def _is_of_flink(value: Mapping[Any, Any]) -> bool:
    """Whether a resource is Flink's, or would be with the members that it lacks."""
    api, kind = (str(value.get(name) or "") for name in ("apiVersion", "kind"))
    if kind == _SNAPSHOT:
        return False
    is_like = kind in _KINDS or (not api and kind.lower().startswith("flink"))
    return is_like or api.startswith(_GROUP) or not (api or kind)


def _check_api(whole: Mapping[Any, Any]) -> None:
    """Require both members by which Kubernetes finds a resource's definition."""
    for member, allowed in (("kind", _KINDS), ("apiVersion", (_VERSIONED,))):
        value = whole.get(member)
        if value not in allowed:
            problem = "is missing" if value is None else f"is {_words(value)}"
            hint = suggestion(str(value), allowed) or f"; Flink's is {listed(allowed, 'or')}"
            raise DocumentError(member, f"{problem}{hint}")


def _values(text: str) -> list[object]:
    try:
        return [read_json(text)] if text.lstrip()[:1] == "{" else read_yaml_stream(text)
    except DocumentError as error:
        result = _TEMPLATE.search(text)
        if result is None:
            raise
        line = text.count("\n", 0, result.start()) + 1
        problem = f"{quoted(result.group())} {_RENDER}"
        raise DocumentError(path=f"line {line}", problem=problem) from error


def _items(value: object) -> Iterator[object]:
    """Yield a document, or the items of a List, as ``kubectl get -o yaml`` writes it."""
    if isinstance(value, dict) and value.get("kind") == "List":
        items = value.get("items")
        yield from items if isinstance(items, list) else ()
    elif isinstance(value, list):
        yield from value
    else:
        yield value


class _Fields:
    """The typed fields of one mapping with their paths; unknown ones are collected."""

    def __init__(self, value: object, path: str, unknown: list[str]) -> None:
        if value is not None and not isinstance(value, dict):
            raise DocumentError(path, f"must be a mapping, but is {_words(value)}")
        self.values: dict[Any, Any] = value or {}
        self.path, self.unknown = path, unknown

    def at(self, field: str) -> str:
        return f"{self.path}.{field}"

    def refuse(self, field: str, expected: str) -> NoReturn:
        words = _words(self.values.get(field))
        raise DocumentError(self.at(field), f"must be {expected}, but is {words}")

    def inner(self, field: str) -> "_Fields | None":
        """A mapping in it; None: not given."""
        value = self.values.get(field)
        return None if value is None else _Fields(value, self.at(field), self.unknown)

    def only(self, known: Iterable[str]) -> None:
        """Collect the fields of which the definition has none."""
        self.unknown += [self.at(str(key)[:MAX_ID]) for key in self.values if key not in known]

    def text(self, field: str) -> str | None:
        """A text; a number or a Boolean is its text."""
        value = self.values.get(field)
        if value is None:
            return None
        if isinstance(value, dict | list):
            self.refuse(field, "text")
        text = spelled(value)
        if len(text) > MAX_TEXT:
            problem = f"has {len(text):,} characters; at most {MAX_TEXT:,} are allowed"
            raise DocumentError(self.at(field), problem)
        if _TEMPLATE.search(text):
            raise DocumentError(self.at(field), f"{quoted(text)} {_RENDER}")
        return text

    def whole(self, field: str, maximum: int = INT_MAX) -> int | None:
        """A whole number, written as a number or as text."""
        text = self.text(field)
        if text is None:
            return None
        if not re.fullmatch(r"[+-]?[0-9]{1,19}", text) or abs(int(text)) > maximum:
            self.refuse(field, "a whole number")
        return int(text)

    def flag(self, field: str) -> bool | None:
        text = self.text(field)
        if text is None:
            return None
        if text.lower() not in {"true", "false"}:
            self.refuse(field, "true or false")
        return text.lower() == "true"

    def choice(self, field: str, allowed: tuple[T, ...]) -> T | None:
        """One of some words, in any case, as the operator reads them."""
        text = self.text(field)
        if text is None:
            return None
        ts = [item for item in allowed if str(item) == text.lower().replace("_", "-")]
        if not ts:
            self.refuse(field, listed(list(map(str, allowed)), "or"))
        return ts[0]


def _words(value: object) -> str:
    if isinstance(value, dict | list):
        return TYPE_WORDS[dict if isinstance(value, dict) else list]
    return quoted(value)


def _resource(value: object, place: str) -> FlinkResource:
    whole = cast("dict[Any, Any]", value)
    unknown: list[str] = []
    metadata = _Fields(whole.get("metadata"), "metadata", unknown)
    kind = whole.get("kind")
    try:
        _check_api(whole)
        name = metadata.text("name") or ""
        spec = _Fields(whole.get("spec"), "spec", unknown)
        if kind == _BLUE_GREEN:
            kind, spec = "FlinkDeployment", _inner_spec(spec)
        return _of_spec(cast("ResourceKind", kind), name, metadata, spec, place)
    except DocumentError as error:
        named = f"{kind or 'resource'} {quoted(str(metadata.values.get('name', '')))}"
        where = f"{place} ({named})" if place else named
        raise DocumentError(path=f"{where}: {error.path}", problem=error.problem) from None


def _inner_spec(spec: _Fields) -> _Fields:
    template = spec.inner("template")
    inner = template.inner("spec") if template else None
    if inner is None:
        raise DocumentError(spec.at("template.spec"), "is missing")
    return inner


def _of_spec(
    kind: ResourceKind, name: str, metadata: _Fields, spec: _Fields, place: str
) -> FlinkResource:
    spec.only(_FIELDS[kind])
    job = spec.inner("job")
    logs = spec.inner("logConfiguration")
    version = spec.text("flinkVersion")
    if version is not None and not _VERSION.fullmatch(version):
        spec.refuse("flinkVersion", "a release as v1_20")
    return FlinkResource(
        kind=kind,
        name=name,
        namespace=metadata.text("namespace"),
        place=place,
        flink_version=version,
        image=spec.text("image"),
        configuration=flat_options(
            spec.values.get("flinkConfiguration"), spec.at("flinkConfiguration")
        ),
        mode=spec.choice("mode", DEPLOYMENT_MODES) or "native",
        service_account=spec.text("serviceAccount"),
        log_files=tuple(str(key)[:MAX_ID] for key in logs.values) if logs else (),
        has_pod_template=any(
            (fields := spec.inner(part)) is not None and "podTemplate" in fields.values
            for part in ("jobManager", "taskManager")
        )
        or "podTemplate" in spec.values,
        job_manager=_pods(spec.inner("jobManager")),
        task_manager=_pods(spec.inner("taskManager")),
        job=None if job is None else _job(job),
        deployment_name=spec.text("deploymentName"),
        unknown_fields=tuple(spec.unknown),
    )


def _job(job: _Fields) -> JobSpec:
    job.only(_FIELDS["job"])
    return JobSpec(
        jar_uri=job.text("jarURI"),
        entry_class=job.text("entryClass"),
        args=_arguments(job),
        parallelism=job.whole("parallelism") or 0,
        upgrade_mode=job.choice("upgradeMode", UPGRADE_MODES) or "stateless",
        initial_savepoint_path=job.text("initialSavepointPath") or None,
        savepoint_redeploy_nonce=job.whole("savepointRedeployNonce", LONG_MAX),
        savepoint_trigger_nonce=job.whole("savepointTriggerNonce", LONG_MAX),
        allow_non_restored_state=job.flag("allowNonRestoredState"),
        state=job.choice("state", JOB_STATES) or "running",
    )


def _arguments(job: _Fields) -> tuple[str, ...]:
    values = job.values.get("args")
    if values is None:
        return ()
    if not isinstance(values, list):
        job.refuse("args", "a list of texts")
    fields = _Fields(dict(enumerate(values)), job.at("args"), job.unknown)
    return tuple(fields.text(cast("str", number)) or "" for number in range(len(values)))


def _pods(pods: _Fields | None) -> PodSize | None:
    """Read CPU and memory; ``resources`` wins over ``resource``, requests over limits."""
    if pods is None:
        return None
    pods.only(_FIELDS["pods"])
    older, newer = pods.inner("resource"), pods.inner("resources")
    if older is not None:
        older.only(_FIELDS["resource"])
    parts = [newer.inner("requests"), newer.inner("limits")] if newer else [older]
    sizes = [part for part in parts if part is not None]
    return PodSize(
        cpu=next((cpu for size in sizes if (cpu := _cores(size)) is not None), None),
        memory=next((text for fields in sizes if (text := fields.text("memory"))), None),
        replicas=pods.whole("replicas"),
    )


def _cores(size: _Fields) -> float | None:
    """Read CPU cores: a number, or a quantity as ``500m``."""
    text = size.text("cpu")
    if text is None:
        return None
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})(m?)", text.strip())
    if match is None:
        size.refuse("cpu", "a number of cores, as 0.5 or 500m")
    return float(match[1]) / (1000 if match[2] else 1)


def flat_options(value: object, path: str, *, empty: str = "") -> dict[str, str]:
    """Options by their full names, of mappings that are nested, flat or both.

    ``empty``: the problem of an option without a value; default: such an option is not set.

    >>> flat_options({"a": {"b": 1}, "a.c": True}, "conf")
    {'a.b': '1', 'a.c': 'true'}
    """
    top = _Fields(value, path, [])
    result: dict[str, str] = {}
    open_mappings: list[Iterator[tuple[str, Any]]] = [_entries(top.values, "")]
    while open_mappings:
        entry = next(open_mappings[-1], None)
        if entry is None:
            open_mappings.pop()
        elif isinstance(entry[1], dict):
            if len(open_mappings) > MAX_DEPTH:
                raise DocumentError(path, TOO_DEEP)
            open_mappings.append(_entries(entry[1], f"{entry[0]}."))
        elif entry[1] is not None:
            result[entry[0]] = _option_text(entry[0], entry[1], path)
        elif empty:
            raise DocumentError(entry[0], empty)
    return result


def _entries(values: Mapping[Any, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    return ((f"{prefix}{spelled(key)}", value) for key, value in values.items())


def _option_text(key: str, value: object, path: str) -> str:
    if isinstance(value, list):
        return flow_text(value)
    if isinstance(value, float):
        return java_double_text(value)
    text = _Fields({key: value}, path, []).text(key)
    return "" if text is None else text


def chosen_resource(resources: tuple[FlinkResource, ...], name: str | None) -> FlinkResource:
    """The only resource with a job, or the one of that name; raises ``DocumentError``."""
    jobs = [resource for resource in resources if resource.job is not None]
    names = listed([quoted(job.name) for job in jobs])
    if name is not None:
        named = [flink_resource for flink_resource in jobs if flink_resource.name == name]
        if len(named) != 1:
            count = "several jobs named" if named else "no job"
            problem = f"the stream has {count} {quoted(name)}; its jobs are {names or 'none'}"
            raise DocumentError(path="", problem=problem)
        return named[0]
    if len(jobs) > 1:
        problem = f"the stream has {counted(len(jobs), 'job')}: {names}; choose one with --job NAME"
        raise DocumentError(path="", problem=problem)
    if jobs:
        return jobs[0]
    clusters = listed([item.title for item in resources])
    problem = (
        f"{clusters} is a session cluster without a job: add a FlinkSessionJob to the stream, "
        "or name the job's own program"
        if resources
        else "the stream has no FlinkDeployment and no FlinkSessionJob"
    )
    raise DocumentError(path="", problem=problem)
