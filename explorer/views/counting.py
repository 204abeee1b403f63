"""How is a number said together with what it counts?"""


def counted(number: int, noun: str, nouns: str = "") -> str:
    """A number with its noun; ``nouns`` is the plural where that is not the noun and an s.

    >>> counted(1, "task"), counted(1200, "task"), counted(2, "vertex", "vertices")
    ('1 task', '1,200 tasks', '2 vertices')
    """
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"
