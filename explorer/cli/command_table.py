"""All commands with their purposes: the help needs no more, and loads no command."""

from typing import Final, NamedTuple


class CommandEntry(NamedTuple):
    """Where a command is, and its purpose in a sentence."""

    module: str
    """The module of this package that has it: no other is loaded where it is called."""
    does: str


COMMANDS: Final = {
    "compile": CommandEntry(
        "compiling",
        "print StreamGraph, hashes, JobGraph and execution plan as JSON",
    ),
    "plan": CommandEntry(
        "planning",
        "give one verdict before a deploy; exit code 0: deploy, 1: do not deploy, 3: not "
        "everything could be checked",
    ),
    "capture": CommandEntry(
        "capturing",
        "convert a jar, a SQL script, a PyFlink script or a running job to a document; main() of "
        "a jar or a PyFlink script runs up to each execute(), which submits nothing; a SQL script "
        "changes nothing outside this process",
    ),
    "flink": CommandEntry(
        "flinks",
        "download the jars of Flink releases from PyPI to the user's cache, or list those in the "
        "cache",
    ),
    "trial": CommandEntry("trials", "run the job on Spark and print what Flink would report"),
    "preview": CommandEntry("trials", "run the first rows through the job at once, without Spark"),
    "follow": CommandEntry(
        "record_traces",
        "trace one record through the job: its operators, exchanges and results",
    ),
    "exchange": CommandEntry(
        "exchanges",
        "print the network exchange between two tasks, and how the first records crossed it",
    ),
    "inspect-bytes": CommandEntry(
        "inspecting",
        "explain each byte of a record, a watermark or an event on a job edge",
    ),
    "check": CommandEntry(
        "checking",
        "check documents; exit code 0: no finding at error level, 1: at least one",
    ),
    "lock": CommandEntry(
        "checking",
        "write FILE.lock: the IDs, names, chains and maximum parallelisms that must not change",
    ),
    "explain": CommandEntry(
        "explaining",
        "explain why each edge chains or not, with suggested fixes",
    ),
    "steps": CommandEntry("explaining", "print hashing and chaining step by step"),
    "whatis": CommandEntry("explaining", "find the operator of an ID or an error message"),
    "compare": CommandEntry(
        "explaining",
        "list what differs between two documents: tasks, operator IDs, settings",
    ),
    "releases": CommandEntry(
        "explaining",
        "list what differs between Flink releases, in general or for a document",
    ),
    "savepoint": CommandEntry(
        "restoring",
        "list the content of a savepoint, and the operator of each state",
    ),
    "restore": CommandEntry(
        "restoring",
        "check whether NEW restores a savepoint, or the state of an older document; exit code 0: "
        "restored, 1: refused, 3: not everything could be checked",
    ),
    "rehearse": CommandEntry(
        "rehearsing",
        "restore a savepoint into a program's operators with Flink's own classes, without "
        "network; exit code 0: restored, 1: refused, 3: not everything could be checked",
    ),
    "bridge": CommandEntry(
        "restoring",
        "give operators with a changed ID their old ID as uid hash, so that the new program finds "
        "all state",
    ),
    "resources": CommandEntry(
        "deploying",
        "compute the cluster resources of a job: memory, slots, task managers",
    ),
    "draw": CommandEntry(
        "compiling",
        "draw StreamGraph, JobGraph or ExecutionGraph as SVG, HTML, Mermaid or DOT",
    ),
    "lesson": CommandEntry(
        "teaching",
        "list the lessons, or print one with the compiler's answers; --ask asks them",
    ),
    "samples": CommandEntry(
        "teaching",
        "list the samples, which every command takes by name, or copy them to a folder",
    ),
    "schema": CommandEntry(
        "completion",
        "print the JSON Schema of pipeline documents, lessons or locks, for completion in an "
        "editor",
    ),
    "completion": CommandEntry(
        "completion",
        "print the script by which a shell completes commands, options and files",
    ),
    "mcp": CommandEntry(
        "agent.serving",
        "serve read-only tools to an agent over stdio, by the Model Context Protocol",
    ),
    "ui": CommandEntry("trials", "open the page"),
}
"""By command, in the order in which the help lists them."""
ALIASES: Final = {"trace": "steps", "wire": "exchange", "deploy": "resources"}
"""Former names of commands, which still work."""
