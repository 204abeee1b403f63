"""A DataSet program's plan in lines: strategies, costs, chained tasks, edges."""

from explorer.documents import DataSetDocument, load_document
from explorer.explain.data_set_text import (
    data_set_edge_text,
    data_set_text,
    input_words,
    properties_of,
)
from tests.golden_files import cases
from tests.many_cases import for_each

PROGRAMS = {case["flink"]: case for case in cases("data_set_programs")}


def loaded(version: str = "1.20") -> DataSetDocument:
    document = load_document(PROGRAMS[version])
    assert isinstance(document, DataSetDocument)
    return document


@for_each("version", PROGRAMS)
def test_every_operator_task_and_edge_has_its_line(version: str) -> None:
    document = loaded(version)
    lines = data_set_text(document).splitlines()

    assert lines[0].startswith(f"{document.name}: a DataSet program, as Flink {version}")
    plan, graph = lines.index("Optimizer plan"), lines.index("JobGraph")
    assert sum(line[2:3].isdigit() for line in lines[plan:graph]) == len(document.data_set.nodes)
    assert all(any(task.id in line for line in lines[graph:]) for task in document.job.tasks)
    assert sum(";" in line for line in lines[graph:]) == len(document.data_set.edges)


def test_an_operator_has_its_inputs_its_strategy_and_its_properties() -> None:
    lines = data_set_text(loaded()).splitlines()

    at = next(n for n, line in enumerate(lines) if "GroupReduce (count)" in line)
    assert lines[at] == "  2 GroupReduce (count) x2, Sorted Group Reduce"
    assert lines[at + 1] == "    reads 3: Hash Partition on [0], Sort (combining) on [0:ASC], BATCH"
    assert lines[at + 3].startswith("    local properties: Order [0:ASC], Grouped on [0]")
    combining = next(line for line in lines if "GroupCombine (count)" in line)
    assert combining.endswith(", Sorted Combine, a combiner")


def test_a_task_has_its_driver_and_the_operators_chained_to_it() -> None:
    text = data_set_text(loaded())

    assert "    driver GroupReduceDriver, SORTED_GROUP_REDUCE\n" in text
    assert "    driver NONE\n    ships FORWARD\n" in text
    assert "    chained FlatMap (words): ChainedFlatMapDriver, FLAT_MAP" in text


def test_the_side_of_an_input_is_named() -> None:
    join = next(node for node in loaded().data_set.nodes if node.pact == "Join")

    assert [input_words(one) for one in join.predecessors] == [
        "2: first, Forward, PIPELINED",
        "4: second, Hash Partition on [0], BATCH",
    ]
    assert [title for title, _ in properties_of(join)] == [
        "global properties",
        "local properties",
        "estimates",
        "costs",
        "compiler hints",
    ]


def test_an_edge_has_its_strategies_its_pattern_and_its_result_type() -> None:
    plan = loaded().data_set
    edge = next(one for one in plan.edges if one.local_strategy)

    (sentence,) = data_set_edge_text(plan, (edge.source, edge.target), edge.ship_strategy)

    assert sentence == (
        "Ship strategy, local strategy, pattern and result type: Hash Partition on [0], "
        "Sort (combining) on [0:ASC]; ALL_TO_ALL BLOCKING."
    )
    assert not list(data_set_edge_text(plan, (edge.source, edge.target), "Forward"))
