"""Measures how fast the compiler is and how it grows: ``python -m benchmarks.compile``.

Each figure is processor time, the least of some rounds: a shared machine disturbs that little.
With ``--peer JARS`` Flink's own generator translates the same programs in one JVM:

    pip download --no-deps --dest jars apache-flink-libraries==1.20.0
    tar -xzf jars/apache-flink-libraries-1.20.0.tar.gz -C jars
    python -m benchmarks.compile --peer jars
"""

from pathlib import Path

from benchmarks.compile.measuring import Figures, measure, toggle
from benchmarks.compile.peer import flink_times
from benchmarks.compile.pipelines import SHAPES, Shape
from benchmarks.options import option_parser

SIZES = (100, 1_000, 10_000, 100_000)
BASE = 1_000
"""The size with which the time a node of larger ones is compared."""
PEER_MOST = 10_000
"""Nodes of the largest program that Flink is given: ten times as many keep it for many minutes."""


def main() -> None:
    """Measure, and print a table."""
    parser = option_parser("benchmarks.compile", __doc__)
    parser.add_argument(
        "--sizes",
        type=int,
        nargs="+",
        default=SIZES,
        metavar="NODES",
        help="operators of the pipelines",
    )
    parser.add_argument("--rounds", type=int, default=5, help="of which the least is printed")
    parser.add_argument("--no-texts", action="store_true", help="leave out JSON and YAML")
    parser.add_argument("--peer", type=Path, metavar="JARS", help="a folder with flink-dist*.jar")
    args = parser.parse_args()

    for incremental, method in ((False, "compiled anew"), (True, "after the graph before it")):
        seconds = toggle(BASE, args.rounds, incremental=incremental)
        print(f"a toggle in a line of {BASE:,}, {method}: {seconds * 1e3:.1f} ms")
    print("\nµs a node of processor time; bytes a node beyond the document")
    print(
        f"{'program':<16}{'nodes':>8}{'load':>8}{'compile':>9}{'both, ms':>10}{'growth':>8}", end=""
    )
    print(f"{'JSON':>8}{'YAML':>8}{'retained':>9}{'peak':>8}")
    figures_by_size: dict[tuple[Shape, int], Figures] = {}
    for shape in SHAPES:
        for nodes in args.sizes:
            figures = measure(shape, nodes, args.rounds, texts=not args.no_texts)
            figures_by_size[shape, nodes] = figures
            print(row(shape, nodes, figures, figures_by_size.get((shape, BASE))))
    if args.peer is not None:
        compare(args.peer, figures_by_size, args.rounds)


def row(shape: Shape, nodes: int, figures: Figures, base: Figures | None) -> str:
    """One line of the table."""
    both = figures.load + figures.compile
    growth = f"{both / nodes / ((base.load + base.compile) / BASE):.2f}" if base else ""
    texts = [
        f"{t / nodes * 1e6:.1f}" if t is not None else "" for t in (figures.json, figures.yaml)
    ]
    name = f"{shape.name}{' with uids' if shape.uids else ''}"
    return (
        f"{name:<16}{nodes:>8,}{figures.load / nodes * 1e6:>8.2f}"
        f"{figures.compile / nodes * 1e6:>9.2f}{both * 1e3:>10.1f}{growth:>8}"
        f"{texts[0]:>8}{texts[1]:>8}{figures.retained / nodes:>9,.0f}{figures.peak / nodes:>8,.0f}"
    )


def compare(jars: Path, figures_by_size: dict[tuple[Shape, int], Figures], rounds: int) -> None:
    """Print Flink's own times for the same programs, warm, and the ratios."""
    print(f"\n{'program':<16}{'nodes':>8}{'Flink, ms':>11}{'ours, ms':>10}{'ratio':>8}")
    programs = [(shape, nodes) for shape, nodes in figures_by_size if nodes <= PEER_MOST]
    for (shape, nodes), seconds in flink_times(jars, programs, rounds).items():
        ours = figures_by_size[shape, nodes].compile
        name = f"{shape.name}{' with uids' if shape.uids else ''}"
        theirs = f"{seconds * 1e3:.1f}" if seconds is not None else "overflows"
        ratio = f"{seconds / ours:.1f}" if seconds is not None else ""
        print(f"{name:<16}{nodes:>8,}{theirs:>11}{ours * 1e3:>10.1f}{ratio:>8}")


if __name__ == "__main__":
    main()
