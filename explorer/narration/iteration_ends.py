"""Narration of the steps of an iteration's head and tail."""

from collections.abc import Mapping
from typing import Final

from explorer.model.task_chain import TaskChain
from explorer.model.task_steps import EndActed, EndAction
from explorer.wording import counted

QUEUE: Final = "q"
"""The key of the queue in a drawing of an end."""

_ACTIONS: Final[Mapping[EndAction, tuple[str, str]]] = {
    "offer queue": (
        "hand in the queue",
        "{name} makes an {queue} with space for one record and hands it to the BlockingQueueBroker "
        "of its process, where {other} looks for it: the same subtask of both ends is in one slot.",
    ),
    "find queue": (
        "find the queue",
        "{name} asks the BlockingQueueBroker of its process for the queue of the same subtask of "
        "{other}, and waits until it is there.",
    ),
    "set up": (
        "set up the RecordPusher",
        "It makes an operator of its own, a RecordPusher; its output is the queue. The chain does "
        "not know it, so it is neither restored nor opened.",
    ),
    "last watermark": (
        "before any record",
        "As soon as it starts it sends the last watermark of all: an operator that reads the "
        "loop and other streams goes by the watermarks of those alone.",
    ),
    "take": ("take a record", "{name} takes a record out of the queue. {taking}"),
    "push": (
        "put a record into the queue",
        "The RecordPusher puts the record itself into the queue, not its bytes. {putting}",
    ),
    "ignore": ("stop here", "The RecordPusher does nothing with it: only records go back."),
    "forget": (
        "what no checkpoint has",
        "No state is written, and a record that is in the queue is in no checkpoint: after a "
        "restart it is gone.",
    ),
    "give up": ("the head ends", "{ending} Its queue leaves the broker."),
    "input ends": (
        "the tail ends",
        "{name} ends when what it reads has ended, and so after {other}.",
    ),
}
"""Title and sentence by action."""


def narrate_end(task: TaskChain, step: EndActed) -> tuple[str, str]:
    """A title and a sentence; empty where the task is no end of an iteration."""
    if task.end is None:
        return "", ""
    title, sentence = _ACTIONS[step.does]
    words = {"name": task.name, "other": task.end.other, "queue": task.end.queue}
    return title, sentence.format(**words, **_waiting(task.end.waits))


def _waiting(waits: int | None) -> Mapping[str, str]:
    """Sentences about the effect of ``max_wait`` on both ends."""
    if waits is None:
        return {
            "taking": "It waits for one up to max_wait.",
            "putting": "It waits for space up to max_wait.",
            "ending": "It ends when no record came within max_wait, if that is set.",
        }
    if waits == 0:
        return {
            "taking": "Without max_wait it waits for one as long as it takes.",
            "putting": "Without max_wait it waits for space as long as it takes.",
            "ending": "Without max_wait it never ends by itself, nor does the job.",
        }
    time = counted(waits, "millisecond")
    return {
        "taking": f"It waits up to {time} for one.",
        "putting": f"It waits up to {time} for space; then the record is lost without a message.",
        "ending": f"When no record came for {time} it ends, and what comes later is lost.",
    }
