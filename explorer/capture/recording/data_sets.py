"""Translate a DataSet program's ``Plan`` with the release's own optimizer, and read the result.

Mirrors ``PlanTranslator``: the optimizer makes an ``OptimizedPlan``, ``JobGraphGenerator`` a
JobGraph. Everything in the document is Flink's own answer.
"""

import json
from typing import Any, Final

from explorer.capture.jvm.java_objects import JavaObjects

_DRIVER: Final = "driver.class"
"""The key under which ``TaskConfig`` has the class of the driver."""


def is_data_set_plan(objects: JavaObjects, pipeline: Any) -> bool:
    """Whether a pipeline is a ``Plan`` of the DataSet API, optimized already in 1.9."""
    return objects.is_a(pipeline, "Plan") or objects.is_a(pipeline, "OptimizedPlan")


def data_set_document(
    objects: JavaObjects, plan: Any, configuration: Any, flink: str, release: str
) -> dict[str, Any]:
    """The document of a ``Plan``, or of an ``OptimizedPlan``.

    ``flink``: the version, with its patch level.
    """
    nodes, graph = _translate_plan(objects, plan, configuration)
    vertices = list(graph.getVerticesSortedTopologicallyFromSources())
    tasks = [_task(objects, vertex) for vertex in vertices]
    edges = [edge for vertex in vertices for edge in _edges(objects, vertex)]
    own = [edge for edge, _ in edges]
    numbers = iter(range(1, 1 + sum(1 + len(task["chained"]) for task in tasks)))
    return {
        "name": plan.getJobName(),
        "flink": release,
        "data_set": {"flink": flink, "nodes": nodes, "tasks": tasks, "edges": own},
        "job": {"id": graph.getJobID().toString(), "version": flink},
        "job_graph": {
            "job_type": "BATCH",
            "vertices": [
                _vertex(vertex, task, numbers) for vertex, task in zip(vertices, tasks, strict=True)
            ],
            "edges": [
                {name: edge[name] for name in ("source", "target", "ship_strategy", "result_type")}
                | {"input": number}
                for edge, number in edges
            ],
        },
    }


def _translate_plan(objects: JavaObjects, plan: Any, configuration: Any) -> tuple[list[Any], Any]:
    """Return the nodes of the optimized plan, and the JobGraph that Flink makes of the plan."""
    package = objects.java.org.apache.flink.optimizer
    optimized = plan
    if objects.is_a(plan, "Plan"):
        optimized = package.Optimizer(package.DataStatistics(), configuration).compile(plan)
    dump = package.plandump.PlanJSONDumpGenerator().getOptimizerPlanAsJSON(optimized)
    graph = package.plantranslate.JobGraphGenerator(configuration).compileJobGraph(optimized)
    return json.loads(dump)["nodes"], graph


def _task(objects: JavaObjects, vertex: Any) -> dict[str, Any]:
    """Return the content of the vertex's ``TaskConfig``."""
    operators = objects.java.org.apache.flink.runtime.operators
    config = operators.util.TaskConfig(vertex.getConfiguration())
    # A source or a sink that starts a task has no driver, for which Flink throws.
    has_driver = vertex.getConfiguration().containsKey(_DRIVER)
    driver = config.getDriver() if has_driver else None
    return {
        "id": vertex.getID().toString(),
        "driver": None if driver is None else driver.getSimpleName(),
        "strategy": config.getDriverStrategy().name(),
        "local_strategies": [
            config.getInputLocalStrategy(number).name() for number in range(config.getNumInputs())
        ],
        "output_strategies": [
            config.getOutputShipStrategy(number).name() for number in range(config.getNumOutputs())
        ],
        "chained": [
            {
                "name": config.getChainedTaskName(number),
                "driver": config.getChainedTask(number).getSimpleName(),
                "strategy": config.getChainedStubConfig(number).getDriverStrategy().name(),
            }
            for number in range(config.getNumberOfChainedStubs())
        ],
    }


def _vertex(vertex: Any, task: dict[str, Any], numbers: Any) -> dict[str, Any]:
    """Return a job vertex with the operators of its chain, its driver's first."""
    name = vertex.getName()
    head_name = name.removeprefix("CHAIN ").partition(" -> ")[0] if task["chained"] else name
    names = [head_name, *(value["name"] for value in task["chained"])]
    nodes = [next(numbers) for _ in names]
    return {
        "id": task["id"],
        "name": name,
        "parallelism": vertex.getParallelism(),
        "operators": [
            {"node": node, "name": text, "chained_outputs": nodes[at + 1 : at + 2]}
            for at, (node, text) in enumerate(zip(nodes, names, strict=True))
        ],
    }


def _edges(objects: JavaObjects, vertex: Any) -> list[tuple[dict[str, Any], int]]:
    """Return the edges that a vertex reads, each with the number of its input."""
    return [
        (
            {
                "source": edge.getSource().getProducer().getID().toString(),
                "target": vertex.getID().toString(),
                "ship_strategy": edge.getShipStrategyName() or "",
                "distribution_pattern": edge.getDistributionPattern().name(),
                "result_type": edge.getSource().getResultType().name(),
                "local_strategy": objects.call(edge, "getPreProcessingOperationName"),
            },
            number,
        )
        for number, edge in enumerate(vertex.getInputs())
    ]
