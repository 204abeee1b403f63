"""The hash of the playground is that of mmh3, for every input."""

import mmh3
from hypothesis import given
from hypothesis import strategies as st

from explorer.playground import murmur


@given(st.binary(max_size=200))
def test_it_is_the_hash_that_mmh3_computes(data: bytes) -> None:
    assert murmur.hash_bytes(data) == mmh3.hash_bytes(data)
    assert murmur.hash128(data) == mmh3.hash128(data)
