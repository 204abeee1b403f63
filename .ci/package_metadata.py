"""Build hook of Hatchling: the metadata that depends on the repository's address.

An index shows the README without the repository, so its relative links become addresses there.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)]+)\)")
"""A Markdown link or image with a relative target."""


class CustomMetadataHook(MetadataHookInterface):
    """Sets ``urls`` and ``readme`` from ``[tool.hatch.metadata.hooks.custom]``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add both to the metadata of ``pyproject.toml``, which has the version."""
        address, tag = f"https://github.com/{self.config['repository']}", f"v{metadata['version']}"
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["urls"] = {
            "Repository": address,
            "Documentation": f"{address}/blob/{tag}/docs/index.md",
            "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
            "Issues": f"{address}/issues",
        }
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute_links(readme, address, tag),
        }


def absolute_links(readme: str, address: str, tag: str) -> str:
    """Replace each relative link and image of a README by the address of the file at a tag.

    >>> absolute_links("![a](a.png) [b](docs/b.md#c) [d](#d)", "https://host/o/r", "v1")
    '![a](https://host/o/r/raw/v1/a.png) [b](https://host/o/r/blob/v1/docs/b.md#c) [d](#d)'
    """
    return LINK.sub(
        lambda link: (
            f"{link[1]}[{link[2]}]({address}/{'raw' if link[1] else 'blob'}/{tag}/{link[3]})"
        ),
        readme,
    )
