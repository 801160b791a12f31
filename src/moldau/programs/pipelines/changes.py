"""Changes of the database of a small shop as Debezium writes them, with all that goes wrong there.

A snapshot comes first, then transactions of one to four changes: customers, orders and carts are
created, updated and deleted, and now and then all carts are thrown away at once. From the middle on
customers have a column more. Some records are written twice, some change places with others, and
some are cut off; a copy of these is there as a whole one, as it would be after a repair.

`database_of` is the plain truth: all changes in the order of their positions, each once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from moldau.programs.pipelines.events import Event
from moldau.programs.pipelines.reconciliation import rows_of
from moldau.programs.pipelines.route import Route

__all__ = ["Database", "database_of", "mirrored", "mirrors_compared", "shop_changes"]

Database = dict[str, dict[int, dict[str, Any]]]
"""Table → id → row."""
TABLES = ("customers", "orders", "carts")
SNAPSHOT = 5
"""Rows that each table has at first."""
NAMES = ("Ada", "Grace", "Edsger", "Barbara", "Tony", "Radia")
OPS, OP_SHARES = ("c", "u", "d"), (0.5, 0.38, 0.12)
EMPTIED_SHARE = 0.01
TWICE_SHARE, MOVED_SHARE, CUT_SHARE = 0.03, 0.05, 0.01
MOVED_MAX = 12
WITH_VIP_FROM = 0.5
LSN_FIRST = 24_000_000


class _Shop:
    """The database, and what its changes look like from outside."""

    def __init__(self, draw: np.random.Generator) -> None:
        self._draw = draw
        self._rows: Database = {table: {} for table in TABLES}
        self._next_id = 1
        self._lsn = LSN_FIRST
        self._transaction = 700
        self.has_vip = False

    def snapshot(self, at_ms: int) -> Iterator[Event]:
        for table in TABLES:
            for _ in range(SNAPSHOT):
                yield self._event(table, "r", *self._created(table), None, at_ms, None)

    def transaction(self, at_ms: int) -> Iterator[Event]:
        """Its beginning, its changes and its end."""
        self._transaction += 1
        name, count = str(self._transaction), int(self._draw.integers(1, 5))
        yield _boundary("BEGIN", name, None, at_ms)
        for order in range(1, count + 1):
            yield from self._step({"id": name, "total_order": order}, at_ms)
        yield _boundary("END", name, count, at_ms)

    def _step(self, within: dict[str, Any], at_ms: int) -> Iterator[Event]:
        if self._draw.random() < EMPTIED_SHARE:
            self._rows["carts"].clear()
            yield self._event("carts", "t", None, None, None, at_ms, within)
            return
        table = TABLES[int(self._draw.integers(len(TABLES)))]
        op = str(self._draw.choice(OPS, p=OP_SHARES)) if self._rows[table] else "c"
        if op == "c":
            yield self._event(table, op, *self._created(table), None, at_ms, within)
            return
        key = sorted(self._rows[table])[int(self._draw.integers(len(self._rows[table])))]
        before = self._rows[table].pop(key)
        after = None
        if op == "u":
            after = self._rows[table][key] = {**self._row(table, key), "id": key}
        yield self._event(table, op, key, after, before, at_ms, within)
        if op == "d":
            yield Event(json.dumps({"id": key}).encode(), None, at_ms, "")

    def _created(self, table: str) -> tuple[int, dict[str, Any]]:
        key, self._next_id = self._next_id, self._next_id + 1
        row = self._rows[table][key] = self._row(table, key)
        return key, row

    def _row(self, table: str, key: int) -> dict[str, Any]:
        drawn = int(self._draw.integers(1, 10_000))
        if table == "customers":
            row: dict[str, Any] = {"id": key, "name": NAMES[drawn % len(NAMES)], "points": drawn}
            return {**row, "vip": drawn % 3 == 0} if self.has_vip else row
        if table == "orders":
            return {"id": key, "amount": drawn / 100, "state": ("open", "paid")[drawn % 2]}
        return {"id": key, "items": [drawn % 7, drawn % 5], "note": None}

    def _event(
        self,
        table: str,
        op: str,
        key: int | None,
        after: Mapping[str, Any] | None,
        before: Mapping[str, Any] | None,
        at_ms: int,
        within: Mapping[str, Any] | None,
    ) -> Event:
        self._lsn += int(self._draw.integers(8, 200))
        place = {"connector": "postgresql", "db": "shop", "schema": "public", "table": table}
        source = {**place, "lsn": self._lsn, "ts_ms": at_ms}
        payload = {"before": before, "after": after, "source": source, "op": op}
        envelope = {**payload, "ts_ms": at_ms + 20, "transaction": within}
        name = b"" if key is None else json.dumps({"id": key}).encode()
        return Event(name, json.dumps(envelope).encode(), at_ms, "")


def _boundary(status: str, name: str, count: int | None, at_ms: int) -> Event:
    fields = {"status": status, "id": name, "event_count": count, "ts_ms": at_ms}
    return Event(json.dumps({"id": name}).encode(), json.dumps(fields).encode(), at_ms, "")


def shop_changes(
    count: int, seed: int, until_ms: int, span_ms: int = 6 * 3_600_000
) -> Iterator[Event]:
    """So many records, those that come twice or are cut off included."""
    draw = np.random.default_rng(seed)
    shop = _Shop(draw)
    made = list(shop.snapshot(until_ms - span_ms))
    while len(made) < count:
        shop.has_vip = len(made) > count * WITH_VIP_FROM
        made += shop.transaction(until_ms - span_ms + span_ms * len(made) // count)
    made = _spoilt(draw, made)
    order = np.arange(len(made), dtype=float)
    is_moved = draw.random(len(made)) < MOVED_SHARE
    order[is_moved] += draw.uniform(0, MOVED_MAX, int(is_moved.sum()))
    yield from [made[index] for index in np.argsort(order, kind="stable")][:count]


def _spoilt(draw: np.random.Generator, made: Sequence[Event]) -> list[Event]:
    """With some records twice, and the beginning of others before them."""
    found: list[Event] = []
    for event in made:
        if event.value is not None and draw.random() < CUT_SHARE:
            found.append(Event(event.key, event.value[:-9], event.timestamp_ms, "unparsable"))
        found.append(event)
        if draw.random() < TWICE_SHARE:
            found.append(event)
    return found


def database_of(events: Sequence[Event]) -> Database:
    """What the source holds after all changes that these events hold."""
    changes: dict[int, dict[str, Any]] = {}
    for event in events:
        if event.value is not None and not event.reason:
            change = json.loads(event.value)
            if "op" in change:
                changes[change["source"]["lsn"]] = change
    database: Database = {table: {} for table in TABLES}
    for _, change in sorted(changes.items()):
        rows = database[change["source"]["table"]]
        if change["op"] == "t":
            rows.clear()
        elif change["op"] == "d":
            rows.pop(change["before"]["id"], None)
        else:
            rows[change["after"]["id"]] = change["after"]
    return database


def mirrors_compared(events: Sequence[Event], route: Route) -> Mapping[str, str]:
    """Lines for the report: whether the mirrors are what the source is."""
    source = database_of(events)
    return {
        f"mirror of {table}": _compared(rows, mirrored(route, table))
        for table, rows in source.items()
    }


def mirrored(route: Route, table: str) -> dict[int, dict[str, Any]]:
    """A mirror's rows, as the source has them."""
    rows = rows_of(route.table(f"mirror_{table}"), route.storage)
    return {row["id"]: {name: row[name] for name in row if name[0] != "_"} for row in rows}


def _compared(source: Mapping[int, Any], mirror: Mapping[int, Any]) -> str:
    differing = sum(
        key not in source or key not in mirror or _plain(source[key]) != _plain(mirror[key])
        for key in {*source, *mirror}
    )
    if differing:
        return f"{differing:,} rows differ from the source's {len(source):,}"
    return f"equal to the source, {len(source):,} rows"


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is null, and with lists as JSON, as in a mirror."""
    return {
        name: json.dumps(value) if isinstance(value, list) else value
        for name, value in row.items()
        if value is not None
    }
