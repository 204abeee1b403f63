"""Network memory with which a job that lacks network buffers starts."""

from collections.abc import Mapping
from typing import Final

from explorer.deployment.cluster_options import cluster_options
from explorer.deployment.deploying import ClusterResources, compute_resources
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.model.document import Document

_MIN: Final = "taskmanager.memory.network.min"
_MAX: Final = "taskmanager.memory.network.max"
_MEBIBYTE: Final = 1 << 20
SUFFICIENT: Final = "computed again with it: the network buffers suffice"
"""What the options led to."""


def sufficient_network_memory(
    result: ClusterResources,
    compilation: Compilation,
    document: Document,
    options: Mapping[str, object],
) -> Mapping[str, str]:
    """The options, by key the value, with which the deployment was computed again and fits.

    ``result``: the deployment that Flink refuses, computed from ``document`` and ``options``. Empty
    where no network memory helps, as where the process has no memory left for it.
    """
    network = result.network or result.undecided_network
    if network is None or result.task_manager is None:
        return {}
    required = network.required * network.options.buffer_size
    size = f"{-(-required // _MEBIBYTE)}mb"
    for keys in ((_MIN,), (_MIN, _MAX)):
        values = dict.fromkeys(keys, size)
        try:
            cluster = cluster_options(document, {**options, **values}, compilation.release)
            if compute_resources(compilation, cluster).refusal is None:
                return values
        except ExplorerError:
            continue
    return {}
