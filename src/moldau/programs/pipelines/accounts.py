"""An account decides commands: each becomes an event of the next version, or is refused.

The account is what its events make of it, and nothing else: `applied` is the one way in which it
changes, in the decision and in every rebuilding. A command that names the version it has seen is
refused if another one came before it, and a command that comes again has no effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pyspark.sql import Row

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.stateful import State

__all__ = ["OUTPUT", "Account", "AccountLogic", "Decided", "applied", "refusal", "replayed"]

OUTPUT = (
    "kind string, account string, version bigint, name string, amount bigint, command string,"
    " at_us bigint, balance bigint, is_open boolean"
)
KNOWN_MAX = 1_000
"""Commands that an account keeps: what comes again later than that is decided again."""
EVENTS = {"open": "opened", "deposit": "deposited", "withdraw": "withdrawn", "close": "closed"}
BALANCE_MAX = 10**17
"""So that sums of a batch stay numbers of 64 bits, whatever is asked for."""
SIGNS = {"opened": 0, "deposited": 1, "withdrawn": -1, "closed": 0}


class Account(NamedTuple):
    """An account as it is after some events; amounts are in cents."""

    version: int = 0
    balance: int = 0
    is_open: bool = False


class Decided(NamedTuple):
    """An event, a refusal with its reason as the name, or a snapshot."""

    kind: str
    account: str
    version: int
    name: str
    amount: int
    command: str
    at_us: int
    balance: int
    is_open: bool


def applied(account: Account, name: str, amount: int) -> Account:
    """The account after one more event."""
    balance = account.balance + SIGNS[name] * amount
    return Account(account.version + 1, balance, name != "closed")


def replayed(events: Iterable[tuple[str, int]], begun: Account | None = None) -> Account:
    """The account after these events, by name and amount; from nothing, or from a snapshot."""
    account = begun or Account()
    for name, amount in events:
        account = applied(account, name, amount)
    return account


def refusal(account: Account, command: str, amount: int, expected: int | None) -> str:
    """Why the command cannot be; empty if it can."""
    if expected is not None and expected != account.version:
        return "conflict"
    if command not in EVENTS:
        return "unknown"
    if command == "open":
        return "open already" if account.version else ""
    if not account.is_open:
        return "not open"
    if command != "close" and amount <= 0:
        return "no amount"
    if command == "deposit" and account.balance + amount > BALANCE_MAX:
        return "too much"
    if command == "withdraw" and amount > account.balance:
        return "insufficient"
    return "not empty" if command == "close" and account.balance else ""


@dataclass(frozen=True, kw_only=True)
class AccountLogic:
    """A `Logic`; rows have id, account, command, amount, expected_version and at_us."""

    snapshot_every: int = 10

    def take(self, state: State, row: Row) -> Iterator[Decided]:
        account = Account(*state.get("account", ()))
        known = state.setdefault("commands", [])
        amount = row.amount or 0
        reason = "repeated" if row.id in known else ""
        reason = reason or refusal(account, row.command, amount, row.expected_version)
        state["commands"] = [*known, row.id][-KNOWN_MAX:]
        name = reason or EVENTS[row.command]
        if not reason:
            account = applied(account, name, amount)
            state["account"] = list(account)
        facts = (row.account, account.version, name, amount, row.id, row.at_us)
        yield Decided("refusal" if reason else "event", *facts, account.balance, account.is_open)
        if not reason and account.version % self.snapshot_every == 0:
            yield Decided("snapshot", *facts, account.balance, account.is_open)

    def deadline_ms(self, state: State) -> int | None:
        return None

    def expire(self, state: State, now_ms: int) -> Iterator[Decided]:
        return iter(())
