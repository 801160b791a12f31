"""Commands for accounts: some repeated, some too late for the version they have seen."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from moldau.programs.pipelines.accounts import SIGNS, Account, refusal, replayed
from moldau.programs.pipelines.events import Event, text_of
from moldau.programs.pipelines.reconciliation import rows_of
from moldau.programs.pipelines.route import Route

__all__ = ["commands", "projections_compared", "rebuilt"]

COMMANDS_PER_ACCOUNT = 25
KINDS, SHARES = ("deposit", "withdraw", "close"), (0.6, 0.37, 0.03)
VERSIONED_SHARE, STALE_SHARE = 0.3, 0.1
TWICE_SHARE, CUT_SHARE = 0.02, 0.01


def commands(count: int, seed: int, until_ms: int, span_ms: int = 6 * 3_600_000) -> Iterator[Event]:
    """So many commands through the hours before `until_ms`."""
    draw = np.random.default_rng(seed)
    accounts: dict[str, Account] = defaultdict(Account)
    earlier: list[Event] = []
    for index in range(count):
        at_ms = until_ms - span_ms + span_ms * index // count
        if earlier and draw.random() < TWICE_SHARE:
            again = earlier[int(draw.integers(len(earlier)))]
            yield Event(again.key, again.value, at_ms, "")
            continue
        account = f"a{int(draw.integers(max(2, count // COMMANDS_PER_ACCOUNT))):05d}"
        command = _command(draw, account, accounts, f"c{index:07d}")
        value = json.dumps({**command, "at": text_of(at_ms)}).encode()
        event = Event(account.encode(), value, at_ms, "")
        if draw.random() < CUT_SHARE:
            yield Event(event.key, value[:-9], at_ms, "unparsable")
            continue
        earlier.append(event)
        yield event


def _command(
    draw: np.random.Generator, account: str, accounts: dict[str, Account], name: str
) -> dict[str, object]:
    """A customer's command, made on the account as it was some commands ago."""
    known = accounts[account]
    command = str(draw.choice(KINDS, p=SHARES)) if known.version else "open"
    amount = 0 if command in ("open", "close") else int(draw.integers(100, 50_000))
    stale = int(draw.random() < STALE_SHARE)
    expected = known.version - stale if draw.random() < VERSIONED_SHARE else None
    if not refusal(known, command, amount, expected):
        done = {"open": "opened", "deposit": "deposited", "withdraw": "withdrawn"}
        accounts[account] = replayed([(done.get(command, "closed"), amount)], known)
    fields = {"id": name, "account": account, "command": command, "amount": amount}
    return {**fields, "expected_version": expected}


def rebuilt(events: Sequence[Mapping[str, object]]) -> dict[str, Account]:
    """Every account from zero, by its events in the order of their versions."""
    by_account = defaultdict(list)
    for event in sorted(events, key=lambda each: int(str(each["version"]))):
        assert event["name"] in SIGNS, "an event that no account has"
        by_account[str(event["account"])].append((str(event["name"]), int(str(event["amount"]))))
    return {account: replayed(history) for account, history in by_account.items()}


def projections_compared(events: Sequence[Event], route: Route) -> Mapping[str, str]:
    """Lines for the report: whether the projection is what all events make anew."""
    anew = rebuilt(rows_of(route.table("events"), route.storage))
    there = {row["account"]: row for row in rows_of(route.table("balances"), route.storage)}
    differing = sum(
        account not in there
        or (there[account]["balance"], there[account]["events"]) != (found.balance, found.version)
        for account, found in anew.items()
    ) + len(there.keys() - anew.keys())
    if differing:
        return {"projection": f"{differing:,} of {len(there):,} accounts differ from their events"}
    return {"projection": f"{len(there):,} accounts are what their events make of them from zero"}
