"""How a command's arguments say that a FILE or TARGET is read."""

import argparse
from pathlib import Path

import msgspec

from explorer.targets.side_releases import named_release
from explorer.targets.target_options import DOCUMENT_ENDINGS, TargetOptions


def target_options(args: argparse.Namespace) -> TargetOptions:
    """The options for the only program of a command, or for the new one."""
    values = vars(args)
    return TargetOptions(
        artifacts=dict(values.get("artifact") or ()),
        artifacts_folder=values.get("artifacts"),
        job=values.get("job"),
        release=values.get("flink"),
        otherwise=values.get("from_flink"),
        otherwise_of="OLD",
        flink_lib=values.get("flink_lib"),
        python=values.get("python"),
        main_class=values.get("main_class"),
        classpath=tuple(values.get("classpath") or ()),
        parallelism=values.get("parallelism"),
        conf_folder=values.get("conf_folder"),
        with_network=bool(values.get("with_network")),
        without_sandbox=bool(values.get("without_sandbox")),
        allow_read=tuple(values.get("allow_read") or ()),
        configuration=dict([*(values.get("config") or ()), *(values.get("option") or ())]),
        args=tuple(values.get("passed_on") or ()),
    )


def old_target_options(
    args: argparse.Namespace, old: str | None, new: str | None = None, release: str | None = None
) -> TargetOptions:
    """The options for the old side of a command.

    An old program is started as the new one is, with the same main class and arguments; an old
    resource has its own. Its release is that of ``--from-flink``, else its own, else the new
    side's.

    Args:
        old: Its path.
        new: The path of the new side.
        release: The release that the new side names, which ``--flink`` overrides.
    """
    values, of_new = vars(args), target_options(args)
    suffix = Path(old or "").suffix or Path(new or "").suffix
    is_document = old == "-" or suffix.lower() in DOCUMENT_ENDINGS
    return msgspec.structs.replace(
        of_new,
        artifacts=dict(values.get("old_artifact") or of_new.artifacts),
        artifacts_folder=values.get("old_artifacts") or of_new.artifacts_folder,
        release=values.get("from_flink"),
        otherwise=of_new.release or release,
        otherwise_of=None if of_new.release else "NEW",
        main_class=values.get("old_class") or (None if is_document else of_new.main_class),
        classpath=() if is_document else of_new.classpath,
        parallelism=values.get("old_parallelism"),
        configuration=dict(values.get("old_option") or ()),
        args=() if is_document else of_new.args,
        new=new,
    )


def new_target_options(args: argparse.Namespace, old: str | None) -> TargetOptions:
    """The options for the new side: one that names no release has that of the old side.

    ``old``: the path of the old side; None: there is none.
    """
    options = target_options(args)
    if options.release or options.otherwise:
        return options
    new = vars(args).get("new") or vars(args).get("file")
    release = named_release(old, old_target_options(args, old, new))
    return msgspec.structs.replace(options, otherwise=release)
