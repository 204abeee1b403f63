"""Fair turns: in which order the trials of several owners run, and how many may wait.

Turns go round the addresses first and, within an address, round its owners: a visitor with many
sessions from one address shares the turns of that one. Short trials go before long ones, a few in
a row at most.
"""

from collections.abc import Mapping
from typing import Final, TypeVar

import msgspec

from explorer.engine import plan
from explorer.errors import TrialError
from explorer.wording import counted

Trial = TypeVar("Trial")
SHORT_ROWS: Final = 10_000
"""Rows of all sources together up to which a trial counts as short."""
SHORT_SECONDS: Final = 15.0
"""Seconds after which a trial was no short one: its address has no more short ones for now."""
IN_A_ROW: Final = 4
"""Short trials that run one after the other while a long one waits."""


class QueuePlace(msgspec.Struct, frozen=True, kw_only=True):
    """The owner of the trial, and how many trials may wait or run."""

    owner: str = ""
    address: str = ""
    """Where the owner's requests come from; '' is an address like any other."""
    most: int | None = None
    """Of this owner; None: any number, as in the next two."""
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
    """By address, and by address and owner, the number of the latest turn."""
    shorts_in_a_row: int = 0
    long_addresses: set[str] = set()
    """Addresses of which a short trial ran for long."""

    def copy(self) -> "Turns":
        """The same, to be changed on its own."""
        return Turns(
            count=self.count,
            latest=dict(self.latest),
            shorts_in_a_row=self.shorts_in_a_row,
            long_addresses=set(self.long_addresses),
        )

    def following(self, waiting: Mapping[Trial, Ticket]) -> Trial:
        """The trial with the next turn; of equals the one that came first."""
        return min(waiting, key=lambda one: self._rank(waiting[one]))

    def _rank(self, ticket: Ticket) -> tuple[bool, int, int]:
        after = not self._is_short(ticket)
        if self.shorts_in_a_row >= IN_A_ROW:
            after = not after
        of_address = self.latest.get((ticket.address,), 0)
        return after, of_address, self.latest.get((ticket.address, ticket.owner), 0)

    def _is_short(self, ticket: Ticket) -> bool:
        return ticket.short and ticket.address not in self.long_addresses

    def begin(self, ticket: Ticket) -> None:
        """Count the turn of a trial."""
        self.count += 1
        self.latest[ticket.address,] = self.count
        self.latest[ticket.address, ticket.owner] = self.count
        self.shorts_in_a_row = self.shorts_in_a_row + 1 if self._is_short(ticket) else 0

    def end(self, ticket: Ticket, seconds: float) -> None:
        """Note how long a trial lasted."""
        if ticket.short and seconds > SHORT_SECONDS:
            self.long_addresses.add(ticket.address)

    def line(self, waiting: Mapping[Trial, Ticket]) -> list[Trial]:
        """All that wait, in the order in which their turns come."""
        turns, left, line = self.copy(), dict(waiting), list[Trial]()
        while left:
            line.append(turns.following(left))
            turns.begin(left.pop(line[-1]))
        return line


def check_space(place: QueuePlace, tickets: list[Ticket]) -> None:
    """Raise ``TrialError`` where as many trials wait or run as may, ``tickets``."""
    own = sum(one.owner == place.owner and one.address == place.address for one in tickets)
    if place.most is not None and own >= place.most:
        msg = (
            f"{counted(own, 'trial')} of yours {'waits or runs' if own == 1 else 'wait or run'}, "
            f"and {place.most} may; wait for one to end, or cancel it"
        )
        raise TrialError(msg)
    near = sum(one.address == place.address for one in tickets)
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
    operators = [one for task in job.tasks for one in task.operators]
    sources = [one.source for one in operators if one.source is not None]
    rows = sum(_rows(source) for source in sources)
    return rows <= SHORT_ROWS and not any(source.rows is None for source in sources)


def _rows(source: plan.Source) -> float:
    """How many rows a source has; a file without a limit counts as a large one."""
    match source.rows:
        case plan.SequenceRows(first=first, last=last):
            rows: float = last - first + 1
        case plan.MadeUpRows(last=last):
            rows = last + 1
        case plan.InlineRows(values=values):
            rows = len(values)
        case plan.FileRows(version=(size, _), most=most):
            # A row has at least a byte and its line end; usual rows have twenty.
            rows = size / 20 if most is None else min(most, size / 20)
        case None:
            rows = 0
    return rows * (1 + source.cost)
