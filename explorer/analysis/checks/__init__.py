"""What may be wrong with a program? A row a rule, asked of the document and of its compilation."""

from explorer.analysis.checks.checking import check, check_document
from explorer.analysis.checks.findings import Finding, Findings

__all__ = ["Finding", "Findings", "check", "check_document"]
