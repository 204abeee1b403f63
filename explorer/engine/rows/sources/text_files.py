"""Reads a text file as UTF-8, whatever its encoding and compression.

Spreadsheets and pandas write UTF-16 with a byte order mark, Latin-1 without a mark, and gzip. The
first bytes determine the encoding; text that is not UTF-8 is decoded as Windows-1252, as browsers
decode Latin-1.
"""

import codecs
import gzip
import io
import re
from typing import IO, Any, Final

import numpy as np

from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.storage import FilePath
from explorer.wording import quoted

BLOCK_SIZE: Final = 1024 * 1024
"""Bytes read at once."""
NEWLINE: Final = 10
_GZIP: Final = b"\x1f\x8b"
_MARKS: Final = (
    (codecs.BOM_UTF8, "UTF-8"),
    (codecs.BOM_UTF32_LE, "UTF-32-LE"),  # begins as UTF-16's does, so it is looked for first
    (codecs.BOM_UTF32_BE, "UTF-32-BE"),
    (codecs.BOM_UTF16_LE, "UTF-16-LE"),
    (codecs.BOM_UTF16_BE, "UTF-16-BE"),
)
_UNMARKED: Final = ((re.compile(rb"[^\0]\0"), "UTF-16-LE"), (re.compile(rb"\0[^\0]"), "UTF-16-BE"))
"""UTF-16 without a mark: a text begins with an ASCII character, which has one zero byte."""
_UTF8_LETTER: Final = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}")
"""Characters in UTF-8; text in Latin-1 hardly ever has these bytes in a row."""


class TextFile(io.RawIOBase):
    """A file's text as UTF-8 without its mark; raises ``SourceError`` if it is no text."""

    def __init__(self, path: FilePath, name: str) -> None:
        self._name, self._line = name, 1
        # The first two bytes show gzip, whatever the file's name.
        file: IO[bytes] = path.open("rb")
        packed = file.read(len(_GZIP)) == _GZIP
        file.seek(0)
        self._file = _Unpacked(file) if packed else file
        self._decoder: Any = None
        self._encoding, self._held, self._ready = "", b"", memoryview(b"")
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        """Read the first block, which may show the encoding."""
        begin = self._file.read(BLOCK_SIZE)
        mark, self._encoding = _detect(begin)
        self._detected = bool(self._encoding)
        if self._detected:
            self._decoder = _decoder(self._encoding)
        self._ready = memoryview(self._decode(begin[len(mark) :]))

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill ``buffer``; 0 at the end."""
        while not self._ready and (block := self._file.read(BLOCK_SIZE)):
            self._ready = memoryview(self._decode(block))
        if not self._ready:
            self._ready = memoryview(self._last())
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def close(self) -> None:
        """Close the file as well."""
        self._file.close()
        super().close()

    def _decode(self, block: bytes) -> bytes:
        """Decode a block to UTF-8; the encoding is unknown while all bytes are ASCII."""
        block, self._held = self._held + block, b""
        if self._decoder is None and not block.isascii():
            self._encoding = self._guess_encoding(block)
            self._decoder = _decoder(self._encoding)
        if self._decoder is None:
            return self._count_lines(block)
        text = self._count_lines(self._text(block).encode())
        if not self._detected and self._encoding == "UTF-8" and text.isascii():
            # The first bytes of a letter may also be Latin-1: they are kept for the next block.
            self._held, self._decoder = block[len(text) :], None
        return text

    def _last(self) -> bytes:
        """Decode the rest at the end: half a letter is an error, or Latin-1."""
        block, self._held = self._held, b""
        if self._decoder is None and block:
            self._encoding = self._guess_encoding(block + b" ")
            self._decoder = _decoder(self._encoding)
        return self._text(block, final=True).encode() if self._decoder is not None else b""

    def _text(self, block: bytes, *, final: bool = False) -> str:
        try:
            result: str = self._decoder.decode(block, final)
        except UnicodeDecodeError as error:
            raise self._no_text(error.object, error.start) from None
        return result

    def _guess_encoding(self, block: bytes) -> str:
        try:
            _decoder("UTF-8").decode(block)
        except UnicodeDecodeError as error:
            if _UTF8_LETTER.search(block) or b"\0" in block:
                raise self._no_text(block, error.start) from None
            return "Windows-1252"
        return "UTF-8"

    def _count_lines(self, text: bytes) -> bytes:
        # NumPy counts many newlines twenty times as fast as ``bytes.count``.
        self._line += int(np.count_nonzero(np.frombuffer(text, np.uint8) == NEWLINE))
        return text

    def _no_text(self, block: bytes, at: int) -> SourceError:
        line = self._line + block.count(b"\n", 0, at)
        known = self._encoding or "UTF-8"
        place = f"byte {block[at]:#04x} in line {line:,}"
        return SourceError(
            f"file {quoted(self._name)} is not {known} text: {place} cannot be read; "
            "save the file as UTF-8"
        )


class _Unpacked(gzip.GzipFile):
    """A gzip file that closes the underlying file as well."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(fileobj=file)
        self._below = file

    def close(self) -> None:
        super().close()
        self._below.close()


def _detect(begin: bytes) -> tuple[bytes, str]:
    """Return the byte order mark and the encoding; both empty if the encoding is unknown."""
    for mark, encoding in _MARKS:
        if begin.startswith(mark):
            return mark, encoding
    for pattern, encoding in _UNMARKED:
        if pattern.match(begin):
            return b"", encoding
    return b"", ""


def _decoder(encoding: str) -> Any:
    return codecs.getincrementaldecoder(encoding)()


def open_text(path: FilePath, name: str) -> io.BufferedReader:
    """Open a file to read its text as UTF-8."""
    return io.BufferedReader(TextFile(path, name), BLOCK_SIZE)
