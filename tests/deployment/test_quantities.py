"""Sizes of memory as a resource of Kubernetes states them."""

import pytest

from explorer.deployment.quantities import memory_bytes, memory_text
from tests.many_cases import for_each


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


@for_each("text", ["", "-1Gi", "1Xi", "1e3", "1.5.5Gi", "9999999999Ei"])
def test_an_invalid_quantity_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="'"):
        memory_bytes(text)


def test_a_size_is_written_in_the_largest_unit_that_it_fills() -> None:
    sizes = {
        0: "0bytes",
        1500: "1500bytes",
        2**40: "1tb",
        2**50: "1024tb",
        2**30 + 1024: "1048577kb",
    }

    assert {size: memory_text(size) for size in sizes} == sizes
