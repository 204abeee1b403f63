"""How many examples a law draws that needs another number than most."""

from hypothesis import settings


def examples(number: int) -> settings:
    """Let a law draw so many where others draw a hundred, and ten or all of them at least.

    As with ``--examples``: fewer on the gate, more at night.
    """
    share = settings.get_profile("examples").max_examples / 100
    return settings(max_examples=max(round(number * share), min(number, 10)))
