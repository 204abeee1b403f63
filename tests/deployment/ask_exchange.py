"""Writes ``wire.jsonl.gz``: each release's network exchange classes, and those their creators name.

``python -m tests.deployment.ask_exchange`` looks into the jars of every release.
"""

import gzip
import struct
from collections.abc import Mapping
from itertools import chain, product
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import msgspec

from explorer.deployment.exchanges.exchange_rows import exchange_rows
from explorer.flink.releases import VERSIONS, value_in
from tests.capture.flinks import lib
from tests.deployment.ask_network import RELEASES
from tests.golden_files import GOLDEN

_WIDTHS = {3: 4, 4: 4, 5: 8, 6: 8, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4}
"""Bytes of a constant behind its tag; those of a class (7) and a text (1) are read."""


def named() -> tuple[list[str], list[tuple[str, str]]]:
    """Every class that a row names for any release, and every pair of a maker and a class."""
    rows = [(ever(row.maker), ever(row.class_name)) for row in chain(*exchange_rows().values())]
    pairs = {pair for makers, classes in rows for pair in product(makers, classes)}
    return sorted(set().union(*chain(*rows))), sorted(pairs)


def ever(reported: str | Mapping[str, str]) -> set[str]:
    """What is recorded of any release."""
    return {value_in(reported, version) for version in VERSIONS} - {""}


def referred(data: bytes) -> set[str]:
    """The classes that a class file's constants name."""
    (count,) = struct.unpack_from(">H", data, 8)
    at, number = 10, 1
    texts: dict[int, str] = {}
    classes: list[int] = []
    while number < count:
        tag = data[at]
        at += 1
        if tag == 1:
            (length,) = struct.unpack_from(">H", data, at)
            texts[number] = data[at + 2 : at + 2 + length].decode(errors="replace")
            at += 2 + length
        elif tag == 7:
            classes.append(struct.unpack_from(">H", data, at)[0])
            at += 2
        else:
            at += _WIDTHS[tag]
        # A LONG and a DOUBLE have two numbers.
        number += 2 if tag in {5, 6} else 1
    return {texts[one] for one in classes}


def path_of(name: str) -> str:
    return f"org/apache/flink/{name.replace('.', '/')}"


def jar_of(version: str) -> Path:
    (found,) = lib(version).glob("flink-dist*.jar")
    return found


def asked(version: str) -> dict[str, Any]:
    """The release, the classes that it has, and the makers that name a class."""
    classes, pairs = named()
    with ZipFile(jar_of(version)) as jar:
        names = set(jar.namelist())

        def speaks(maker: str, one: str) -> bool:
            """The maker or a class within it, as a lambda's or an enum switch's."""
            mine = [n for n in names if n.startswith((f"{path_of(maker)}.", f"{path_of(maker)}$"))]
            return any(path_of(one) in referred(jar.read(n)) for n in mine)

        has = [one for one in classes if f"{path_of(one)}.class" in names]
        makes = [[maker, one] for maker, one in pairs if speaks(maker, one)]
    return {"version": version.rpartition(".")[0], "classes": has, "makes": makes}


if __name__ == "__main__":
    text = b"".join(msgspec.json.encode(asked(version)) + b"\n" for version in RELEASES)
    (GOLDEN / "wire.jsonl.gz").write_bytes(gzip.compress(text, 9, mtime=0))
