"""Java's ``DataInput`` over bytes that may be cut short or hostile: lengths are looked at first.

Nothing is deserialised as Java: only numbers, texts and runs of bytes are read.
"""

from explorer.errors import ExplorerError


class SavepointError(ExplorerError):
    """Bytes that are no savepoint's metadata, or a savepoint that cannot be read."""


class DataInput:
    """A place in the bytes that moves on; raises ``SavepointError`` past their end."""

    def __init__(self, content: bytes) -> None:
        self.content, self.at = memoryview(content), 0

    @property
    def left(self) -> int:
        """Number of remaining bytes."""
        return len(self.content) - self.at

    def read_int(self) -> int:
        """Four bytes, big-endian, signed."""
        return int.from_bytes(self.take(4), "big", signed=True)

    def read_long(self) -> int:
        """Eight bytes, big-endian, signed."""
        return int.from_bytes(self.take(8), "big", signed=True)

    def read_byte(self) -> int:
        """One byte, 0 to 255."""
        return self.take(1)[0]

    def read_utf(self) -> str:
        """Read the text of ``DataOutput.writeUTF``: two bytes of length, then modified UTF-8."""
        return modified_utf8(bytes(self.take(int.from_bytes(self.take(2), "big"))))

    def read_count(self, what: str, least_bytes: int) -> int:
        """Read the number of elements that follow, each at least ``least_bytes`` long.

        A count that the rest of the bytes cannot hold is refused before anything is built from it.
        """
        return self.held(self.read_int(), what, least_bytes)

    def held(self, count: int, what: str, least_bytes: int) -> int:
        """Return the count that was just read; check that the rest is long enough for it."""
        if not 0 <= count <= self.left // max(least_bytes, 1):
            place = f"at byte {self.at - 4:,}"
            msg = f"the metadata announces {count:,} {what} {place}, which it cannot hold"
            raise SavepointError(msg)
        return count

    def take(self, length: int) -> memoryview:
        """The next ``length`` bytes."""
        if length > self.left or length < 0:
            msg = (
                f"the metadata ends at byte {len(self.content):,}, in the middle of a value: the "
                "file is truncated or is no savepoint's _metadata"
            )
            raise SavepointError(msg)
        start, self.at = self.at, self.at + length
        return self.content[start : self.at]


def modified_utf8(content: bytes) -> str:
    r"""Java's modified UTF-8: NUL is two bytes, an astral character a pair of surrogates.

    >>> modified_utf8(b"a\xc0\x80\xed\xa0\xbd\xed\xb8\x80")
    'a\x00😀'
    """
    try:
        # ``DataOutputStream.writeUTF`` writes each char of a pair as three bytes and NUL as two:
        # strict UTF-8 refuses both, and names with an emoji would be unreadable.
        text = content.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        return content.decode("utf-8", "replace")
