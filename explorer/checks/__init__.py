"""Rules about a program, one row each, for its document and its compilation."""

from explorer.checks.checking import check, check_document
from explorer.checks.findings import Finding, Findings

__all__ = ["Finding", "Findings", "check", "check_document"]
