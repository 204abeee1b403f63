"""Every rule of ``check``, in the order in which findings are listed."""

from typing import Final

from explorer.analysis.checks.meant import MEANT_RULES
from explorer.analysis.checks.rule import CheckRule
from explorer.analysis.checks.settings import SETTING_RULES
from explorer.analysis.checks.state import STATE_RULES
from explorer.analysis.checks.streams import STREAM_RULES
from explorer.analysis.checks.upgrades import UPGRADE_RULES
from explorer.errors import ExplorerError
from explorer.wording import quoted, suggestion

CHECKS: Final = (
    *UPGRADE_RULES[-2:],
    *MEANT_RULES,
    *STATE_RULES,
    *STREAM_RULES,
    *SETTING_RULES,
    *UPGRADE_RULES[:-2],
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
