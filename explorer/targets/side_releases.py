"""The releases of both sides of a command: which option, file or cluster names them."""

from contextlib import suppress
from pathlib import Path

from explorer.errors import ExplorerError
from explorer.locations import local_path
from explorer.targets.target_options import (
    TargetOptions,
    is_program,
    is_revision,
)


def named_release(path: str | None, options: TargetOptions) -> str | None:
    """The release that a document, a program, a resource, a savepoint or a cluster itself names.

    ``options``: those for OLD. None: it names none, it is standard input, which is read once, or it
    cannot be read, which is reported when it is.
    """
    if path is None or path == "-":
        return None
    path = local_path(path)
    with suppress(ExplorerError, OSError, ValueError):
        if is_revision(path):
            from explorer.targets.revisions import file_at_revision

            with file_at_revision(path, options.new) as copy:
                return _named_by(str(copy), options)
        return _named_by(path, options)
    return None


def _named_by(path: str, options: TargetOptions) -> str | None:
    from explorer.rest.addresses import is_address
    from explorer.savepoints.loading import is_savepoint

    if is_address(path):
        from explorer.rest.jobs import cluster_version

        return cluster_version(path)
    if is_program(path, options.main_class):
        from explorer.capture.cached import release_of_program

        return release_of_program(Path(path))
    if is_savepoint(path):
        return _release_of_savepoint(path)
    return _release_of_text(path, options)


def _release_of_savepoint(path: str) -> str | None:
    """The newest installed release that writes the savepoint's format, else the newest one."""
    from explorer.capture.jar_cache import cached_lib
    from explorer.flink.releases import writers_of_metadata
    from explorer.savepoints import load_savepoint

    writers = writers_of_metadata(load_savepoint(path).version)[::-1]
    return next(filter(cached_lib, writers), writers[0] if writers else None)


def _release_of_text(path: str, options: TargetOptions) -> str | None:
    from explorer.documents import parse_document
    from explorer.documents.loading import read_file
    from explorer.documents.readers.resource_texts import is_resource_text

    content = read_file(Path(path))
    if not is_resource_text(content.decode("utf-8", errors="replace")):
        return parse_document(content, name=Path(path).name).flink
    from explorer.deployment.kubernetes_operator import version_of
    from explorer.deployment.operator_rules import cluster_of
    from explorer.documents.readers.kubernetes import chosen_resource, read_resources

    resources = read_resources(content)
    return version_of(cluster_of(chosen_resource(resources, options.job), resources))
