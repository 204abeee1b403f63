"""Sizes in bytes as a table has them."""

from explorer.plans.sizes import readable_size
from tests.many_cases import for_each


@for_each(
    ("size", "text"),
    [
        (1023, "1,023 bytes"),
        (1024, "1 KiB"),
        (1536, "1.5 KiB"),
        (10 * 1024 + 512, "10 KiB"),
        (412 * 2**20, "412 MiB"),
        (5000 * 2**40, "5,000 TiB"),
    ],
)
def test_a_size_has_the_largest_unit_that_it_reaches(size: int, text: str) -> None:
    assert readable_size(size) == text
