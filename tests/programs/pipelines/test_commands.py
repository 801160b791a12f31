"""Commands: the same for the same seed, with repeated and stale ones among them."""

from __future__ import annotations

import json
from collections import Counter

from moldau.programs.pipelines.accounts import Account
from moldau.programs.pipelines.commands import commands, rebuilt

UNTIL_MS = 1_795_000_000_000


def test_the_same_seed_gives_the_same_commands():
    assert list(commands(400, 4, UNTIL_MS)) == list(commands(400, 4, UNTIL_MS))


def test_some_come_again_and_some_are_cut():
    made = list(commands(2_000, 1, UNTIL_MS))
    names = Counter(json.loads(event.value or b"")["id"] for event in made if not event.reason)
    assert max(names.values()) > 1
    assert any(event.reason == "unparsable" for event in made)


def test_accounts_are_rebuilt_by_version():
    rows = [("a", 2, "deposited", 5), ("a", 1, "opened", 0), ("b", 1, "opened", 0)]
    names = ("account", "version", "name", "amount")
    events = [dict(zip(names, each, strict=True)) for each in rows]
    assert rebuilt(events) == {"a": Account(2, 5, True), "b": Account(1, 0, True)}
