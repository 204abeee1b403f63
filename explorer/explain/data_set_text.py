"""A DataSet program's plan in lines: strategies, costs, combiners, chained tasks, IDs."""

from collections.abc import Iterator, Sequence

from explorer.model.data_set import (
    DataSetEdge,
    DataSetPlan,
    DataSetTask,
    PlanInput,
    PlanOperator,
    PlanProperty,
)
from explorer.model.document import DataSetDocument


def data_set_text(document: DataSetDocument) -> str:
    """Show the optimizer's plan and the tasks of the JobGraph; Flink's answers alone."""
    plan = document.data_set
    names = {task.id: task.name for task in document.job.tasks}
    lines = [
        f"{document.name}: a DataSet program, as Flink {plan.flink} translates it",
        "  nothing below is computed here: the optimizer and JobGraphGenerator made all of it",
        "Optimizer plan",
    ]
    for node in plan.nodes:
        lines += _operator(node)
    lines.append("JobGraph")
    width = {task.id: task.parallelism for task in document.job.tasks}
    for task in plan.tasks:
        lines.append(f"  {names[task.id]} x{width[task.id]}  {task.id}")
        lines += _task(task)
    for edge in plan.edges:
        ends = f"{names.get(edge.source, edge.source)} -> {names.get(edge.target, edge.target)}"
        lines.append(f"  {ends}: {_edge(edge)}")
    return "\n".join(lines)


def data_set_edge_text(
    plan: DataSetPlan, ends: tuple[str, str], ship_strategy: str
) -> Iterator[str]:
    """Yield a sentence for each edge with this ship strategy between the tasks with these IDs."""
    for edge in plan.edges:
        if (edge.source, edge.target, edge.ship_strategy) == (*ends, ship_strategy):
            yield f"Ship strategy, local strategy, pattern and result type: {_edge(edge)}."


def _edge(edge: DataSetEdge) -> str:
    local = f", {edge.local_strategy}" if edge.local_strategy else ""
    ship_strategy = edge.ship_strategy or "no records, the end of each superstep"
    return f"{ship_strategy}{local}; {edge.distribution_pattern} {edge.result_type}"


def _operator(node: PlanOperator) -> Iterator[str]:
    combines = ", a combiner" if node.is_combiner else ""
    strategy = f", {node.driver_strategy}" if node.driver_strategy else ""
    yield f"  {node.id} {node.pact} ({node.contents}) x{node.parallelism}{strategy}{combines}"
    yield from (f"    reads {input_words(predecessor)}" for predecessor in node.predecessors)
    for title, properties in properties_of(node):
        yield f"    {title}: {', '.join(f'{item.name} {item.value}' for item in properties)}"
    if node.step_function:
        yield "    step function, once a superstep:"
        for step in node.step_function:
            yield from (f"    {line}" for line in _operator(step))


def properties_of(node: PlanOperator) -> tuple[tuple[str, Sequence[PlanProperty]], ...]:
    """Return the groups of values that Flink prints for an operator, without empty ones."""
    groups = (
        ("global properties", node.global_properties),
        ("local properties", node.local_properties),
        ("estimates", node.estimates),
        ("costs", node.costs),
        ("compiler hints", node.compiler_hints),
    )
    return tuple((title, values) for title, values in groups if values)


def input_words(plan_input: PlanInput) -> str:
    """Describe an operator's input: its ID, and how records are shipped and prepared."""
    parts = (
        plan_input.side,
        plan_input.ship_strategy,
        plan_input.local_strategy,
        plan_input.temp_mode,
        plan_input.exchange_mode,
    )
    return f"{plan_input.id}: {', '.join(filter(None, parts))}"


def _task(task: DataSetTask) -> Iterator[str]:
    driver = f"{task.driver}, " if task.driver else ""
    yield f"    driver {driver}{task.strategy}"
    if task.local_strategies:
        yield f"    local strategies {', '.join(task.local_strategies)}"
    if task.output_strategies:
        yield f"    ships {', '.join(task.output_strategies)}"
    yield from (
        f"    chained {chained_task.name}: {chained_task.driver}, {chained_task.strategy}"
        for chained_task in task.chained
    )
