"""The options of a benchmark: its command, its first sentence and all defaults in the help."""

from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser


def option_parser(module: str, text: str | None) -> ArgumentParser:
    """A parser for ``python -m`` with that module; ``text``: the module's docstring."""
    sentence = (text or "").partition("\n\n")[0].partition(": ``")[0]
    return ArgumentParser(
        prog=f"python -m {module}",
        description=sentence if sentence.endswith((".", "?")) else f"{sentence}.",
        formatter_class=ArgumentDefaultsHelpFormatter,
    )
