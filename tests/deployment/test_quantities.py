"""Sizes of memory as a resource of Kubernetes states them."""

import pytest

from explorer.deployment.quantities import memory_bytes, memory_text


def test_sizes_are_flinks_units_first_and_quantities_else() -> None:
    sizes = {
        "2048m": 2**31,
        "2g": 2**31,
        "2G": 2**31,
        "2Gi": 2**31,
        "2 gi": 2**31,
        "1.5Gi": 3 * 2**29,
        "2147483648": 2**31,
        "1P": 10**15,
    }
    assert {text: memory_bytes(text) for text in sizes} == sizes
    assert memory_text(3 * 2**29) == "1536mb"
    with pytest.raises(ValueError, match="much"):
        memory_bytes("much")
