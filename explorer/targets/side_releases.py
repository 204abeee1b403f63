"""The releases of both sides of a command: which option, file or cluster names them."""

from contextlib import suppress
from pathlib import Path

from explorer.errors import ExplorerError
from explorer.targets.source import TargetSource, open_source
from explorer.targets.target_options import TargetOptions


def named_release(path: str | None, options: TargetOptions) -> str | None:
    """The release that a document, a program, a resource, a savepoint or a cluster itself names.

    ``options``: those for OLD. None: it names none, it is standard input, which is read once, or it
    cannot be read, which is reported when it is.
    """
    if path is None or path == "-":
        return None
    with suppress(ExplorerError, OSError, ValueError), open_source(path, options) as source:
        return release_of_source(source, options)
    return None


def release_of_source(source: TargetSource, options: TargetOptions) -> str | None:
    """The release that a source names; None: none, or it cannot be read."""
    from explorer.rest.addresses import is_address

    with suppress(ExplorerError, OSError, ValueError):
        if is_address(source.path):
            from explorer.rest.jobs import cluster_version

            return cluster_version(source.path)
        if source.kind == "program":
            from explorer.capture.cached import release_of_program

            return release_of_program(Path(source.path))
        if source.kind == "savepoint":
            return _release_of_savepoint(source.content or source.path)
        if source.kind == "text":
            return _release_of_text(source, options)
    return None


def _release_of_savepoint(saved: str | bytes) -> str | None:
    """The newest installed release that writes the savepoint's format, else the newest one."""
    from explorer.capture.jar_cache import cached_lib
    from explorer.flink.releases import writers_of_metadata
    from explorer.savepoints.loading import metadata_version

    writers = writers_of_metadata(metadata_version(saved))[::-1]
    return next(filter(cached_lib, writers), writers[0] if writers else None)


def _release_of_text(source: TargetSource, options: TargetOptions) -> str | None:
    from explorer.documents import parse_document
    from explorer.documents.readers.resource_texts import is_resource_text

    content = source.content
    if not is_resource_text(content.decode("utf-8", errors="replace")):
        return parse_document(content, name=Path(source.path).name).flink
    from explorer.deployment.kubernetes_operator import version_of
    from explorer.deployment.operator_rules import cluster_of
    from explorer.documents.readers.kubernetes import chosen_resource, read_resources

    resources = read_resources(content)
    return version_of(cluster_of(chosen_resource(resources, options.job), resources))
