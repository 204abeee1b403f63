"""Fair turns: the order in which the trials of several owners run, and the limits of waiting ones.

Turns rotate among addresses and, within an address, among its owners: a visitor with many sessions
from one address shares its turns. Short trials run before long ones, up to a few in a row.
"""

from collections.abc import Mapping
from typing import Final, TypeVar

import msgspec

from explorer.engine import plan
from explorer.errors import TrialError
from explorer.wording import counted

Trial = TypeVar("Trial")
SHORT_ROWS: Final = 10_000
"""Limit of a short trial's rows, all sources together."""
SHORT_SECONDS: Final = 15.0
"""Duration of a trial after which its address has no short trials until the queue is empty."""
IN_A_ROW: Final = 4
"""Limit of consecutive short trials while a long one waits."""


class QueuePlace(msgspec.Struct, frozen=True, kw_only=True):
    """The owner of a trial, and the limits of waiting and running trials; None: no limit."""

    owner: str = ""
    address: str = ""
    """The origin of the owner's requests; '' is an address like any other."""
    most: int | None = None
    """Limit of this owner's trials."""
    most_of_address: int | None = None
    most_of_all: int | None = None


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    """A place in the queue."""

    owner: str
    address: str
    short: bool


class Turns(msgspec.Struct, kw_only=True):
    """The latest turn of each owner; changes with every turn."""

    count: int = 0
    latest: dict[tuple[str, ...], int] = {}
    """The number of the latest turn of each address, and of each address and owner."""
    shorts_in_a_row: int = 0
    long_addresses: set[str] = set()
    """Addresses with a short trial that ran for long."""

    def next_trial(self, waiting: Mapping[Trial, Ticket]) -> Trial:
        """The trial with the next turn; among equals the first in the queue."""

        def rank(trial: Trial) -> tuple[bool, int, int]:
            ticket = waiting[trial]
            prefers_short = self.shorts_in_a_row < IN_A_ROW
            of_address = self.latest.get((ticket.address,), 0)
            of_owner = self.latest.get((ticket.address, ticket.owner), 0)
            return self._is_short(ticket) != prefers_short, of_address, of_owner

        return min(waiting, key=rank)

    def _is_short(self, ticket: Ticket) -> bool:
        return ticket.short and ticket.address not in self.long_addresses

    def begin(self, ticket: Ticket) -> None:
        """Count the turn of a trial."""
        self.count += 1
        self.latest[ticket.address,] = self.count
        self.latest[ticket.address, ticket.owner] = self.count
        self.shorts_in_a_row = self.shorts_in_a_row + 1 if self._is_short(ticket) else 0

    def end(self, ticket: Ticket, seconds: float) -> None:
        """Process the duration of a trial."""
        if ticket.short and seconds > SHORT_SECONDS:
            self.long_addresses.add(ticket.address)

    def in_order(self, waiting: Mapping[Trial, Ticket]) -> list[Trial]:
        """All waiting trials, in the order of their turns."""
        turns = msgspec.structs.replace(self, latest=dict(self.latest))
        left, line = dict(waiting), list[Trial]()
        while left:
            line.append(turns.next_trial(left))
            turns.begin(left.pop(line[-1]))
        return line


def check_space(place: QueuePlace, tickets: list[Ticket]) -> None:
    """Raise ``TrialError`` where ``tickets`` of waiting and running trials reach a limit."""
    own = sum(ticket.owner == place.owner and ticket.address == place.address for ticket in tickets)
    if place.most is not None and own >= place.most:
        msg = (
            f"{counted(own, 'trial')} of yours {'waits or runs' if own == 1 else 'wait or run'}, "
            f"and {place.most} may; wait for one to end, or cancel it"
        )
        raise TrialError(msg)
    near = sum(ticket.address == place.address for ticket in tickets)
    if place.most_of_address is not None and near >= place.most_of_address:
        msg = (
            f"{near} trials from your address wait or run, and {place.most_of_address} may; "
            "wait for one to end"
        )
        raise TrialError(msg)
    if place.most_of_all is not None and len(tickets) >= place.most_of_all:
        msg = f"{len(tickets)} trials wait or run here, as many as may; try again later"
        raise TrialError(msg)


def is_short(job: plan.Job) -> bool:
    """Whether a job reads few rows, none of them from a loop, and nothing in it costs time."""
    operators = [operator for task in job.tasks for operator in task.operators]
    sources = [item.source for item in operators if item.source is not None]
    rows = sum(_rows(part) for source in sources for part in source.parts)
    return rows <= SHORT_ROWS and not any(source.rows is None for source in sources)


def _rows(source: plan.Source) -> float:
    """Estimated rows of a source, weighted by their cost."""
    match source.rows:
        case plan.SequenceRows(first=first, last=last):
            rows: float = last - first + 1
        case plan.MadeUpRows(last=last):
            rows = last + 1
        case plan.InlineRows(values=values):
            rows = len(values)
        case plan.FileRows(version=(size, _), most=most):
            # Usual rows have about twenty bytes.
            rows = size / 20 if most is None else min(most, size / 20)
        case plan.HybridRows() | None:
            rows = 0
    return rows * (1 + source.cost)
