"""Every rule of ``check``, in the order in which findings are listed."""

from collections.abc import Iterator
from typing import Final

from explorer.checks.check_case import CheckCase
from explorer.checks.checkpoints import SETTING_RULES
from explorer.checks.deploys import DEPLOY_RULES
from explorer.checks.event_time import EVENT_TIME_RULES
from explorer.checks.exchanges import STREAM_RULES
from explorer.checks.intent import INTENT_RULES
from explorer.checks.named_columns import COLUMN_RULES
from explorer.checks.options import OPTION_RULES
from explorer.checks.rule import CheckRule, Found, error_rule, refusal_rule
from explorer.checks.sql import SQL_RULES
from explorer.checks.sql_advice import SQL_ADVICE_RULES
from explorer.checks.sql_lookups import SQL_LOOKUP_RULES
from explorer.checks.state import STATE_RULES
from explorer.checks.upgrades import UPGRADE_RULES
from explorer.errors import ExplorerError
from explorer.wording import listed, quoted, suggestion

_ROWS: Final = (
    *INTENT_RULES,
    *STATE_RULES,
    *STREAM_RULES,
    *EVENT_TIME_RULES,
    *COLUMN_RULES,
    *SETTING_RULES,
    *OPTION_RULES,
    *UPGRADE_RULES,
    *SQL_RULES,
    *SQL_ADVICE_RULES,
    *SQL_LOOKUP_RULES,
    *DEPLOY_RULES,
)


def _find_refusal(case: CheckCase) -> Iterator[Found]:
    if any(rule.refusal and rule.reports(case.flink_message) for rule in _ROWS):
        return
    blamed = case.blamed
    owner = f" It concerns {listed(blamed)}." if blamed and not case.flink_message else ""
    path = case.path_of(blamed[0]) if blamed else ""
    yield Found(message=f"{case.refusal}{owner}", about=blamed, path=path)


CHECKS: Final = (
    refusal_rule(
        code="RF01",
        title="Flink refuses the program.",
        why="The release throws while it makes the StreamGraph or the JobGraph, so the job never "
        "starts.",
        todo="Follow Flink's message.",
        finds=_find_refusal,
    ),
    error_rule(
        code="DC01",
        title="A document or its lock cannot be read.",
        why="What is no document cannot be checked.",
        todo="Fix it at the place in the message.",
        finds=lambda _: iter(()),  # the reader of a file reports this finding
        needs="document",
    ),
    *_ROWS,
)
BY_CODE: Final = {rule.code: rule for rule in CHECKS}


class UnknownCheckError(ExplorerError):
    """No rule has this code."""

    def __init__(self, code: str) -> None:
        self.code = code
        hint = suggestion(code, BY_CODE) or "; `check --explain` lists them all"
        super().__init__(f"there is no check {quoted(code)}{hint}")


def rule_called(code: str) -> CheckRule:
    """The rule with this code, in any case; raises ``UnknownCheckError``."""
    rule = BY_CODE.get(code.upper())
    if rule is None:
        raise UnknownCheckError(code)
    return rule
