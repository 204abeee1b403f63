"""Recognises Kubernetes resources by their text, without a reader of YAML."""

import re
from typing import Final

_MARKS: Final = r"""(?:(?:apiVersion|metadata|spec)["']?\s*:|kind["']?\s*:\s*["']?(?i:Flink))"""
_YAML: Final = re.compile(rf"""(?m)^(?:- )?["']?{_MARKS}""")
_JSON: Final = re.compile(rf"""\s*\{{[^{{}}]*["']?{_MARKS}""")


def is_resource_text(text: str) -> bool:
    """Whether a text holds Kubernetes resources and no document of a program."""
    return bool(_YAML.search(text) or _JSON.match(text))
