"""One record of Debezium: a change of a row, with its place in the source's own log.

    c u r     the row is so now: created, updated, or read by a snapshot
    d         the row is gone; behind it comes a tombstone, for compaction
    t         the table was emptied
    m         a message of the application, about no row
    begin end the metadata of a transaction, from the topic of transactions

A record may carry its schema (`{"schema": …, "payload": …}`) or not. The place is the position in
the source's log and the number within the transaction, as text of one width, so that places sort as
they happened. Records may come in any order and twice: the place decides which is the later one.

Whatever bytes a record has, it is a change or there is a reason why not: a record that raised would
end the pipeline at each start.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["Change", "DriftedError", "Unfit", "decoded"]

Fields = Mapping[str, Any]
ROW_OPS = ("c", "u", "r", "d")
OPS = (*ROW_OPS, "t", "m")
STATUSES = {"BEGIN": "begin", "END": "end"}
POSITIONS = ("lsn", "pos", "scn", "change_lsn", "sequence_number")
"""Where connectors put the position: PostgreSQL, MySQL, Oracle, SQL Server and others."""
POSITION_DIGITS_MAX = 20
"""A place has room for so many, which is that of a number of 64 bits."""
ORDER_MAX = 10**8 - 1
EVENTS_MAX = 2**63 - 1
FIRST_MS, LAST_MS = -62_135_596_800_000, 253_402_300_799_999
"""Of the years 1 to 9999, which tables have."""
DETAIL_LENGTH_MAX = 200


class DriftedError(ValueError):
    """A field of the envelope has another type than Debezium's."""


class Change(NamedTuple):
    """The change of one row."""

    table: str
    id: str
    """The row's key, as JSON with sorted names; empty where a record is about no row."""
    place: str
    op: str
    row: str
    """The row after the change as JSON, of a deleted one what it was before."""
    transaction: str
    at_ms: int


class Unfit(NamedTuple):
    """Why a record is no change."""

    reason: str
    detail: str


def decoded(key: bytes | None, value: bytes | None) -> Change | Unfit:
    """The change that a record holds."""
    try:
        found = _decoded(key, value)
    except DriftedError as error:
        return Unfit("drifted", str(error))
    except RecursionError:
        return Unfit("unparsable", "it is nested too deeply")
    if isinstance(found, Change) and not _is_unicode(found):
        return Unfit("unparsable", "it has half a character")
    return found


def _decoded(key: bytes | None, value: bytes | None) -> Change | Unfit:
    if value is None:
        return Change("", _text(_payload(key) or {}), "", "tombstone", "", "", 0)
    found = _payload(value)
    if found is None:
        return Unfit("unparsable", value[:DETAIL_LENGTH_MAX].decode(errors="replace"))
    if str(found.get("status")) in STATUSES:
        return _boundary(found)
    if found.get("op") not in OPS:
        return Unfit("incomplete", f"its op is {_shown(found.get('op'))}")
    return _change(_payload(key) or {}, found)


def _change(key: Fields, found: Fields) -> Change | Unfit:
    op, source = found["op"], _object(found, "source")
    if op == "m":
        return Change("", "", "", op, _text(found.get("message") or {}), "", 0)
    row = _object(found, "before" if op == "d" else "after")
    table, position = source.get("table"), _position(source)
    if not table or position is None:
        return Unfit("incomplete", "its source has no table or no position")
    if op in ROW_OPS and not key:
        return Unfit("incomplete", f"a row of {table} has no key")
    if op in ROW_OPS and op != "d" and not row:
        return Unfit("incomplete", f"an {op} of {table} has no row after it")
    transaction = _object(found, "transaction")
    order = _whole(transaction, "total_order", 0, ORDER_MAX)
    return Change(
        table=str(table),
        id=_text(key) if op != "t" else "",
        place=f"{position:0{POSITION_DIGITS_MAX}d}-{order:08d}",
        op=op,
        row=_text(row),
        transaction=str(transaction.get("id") or ""),
        at_ms=_time_ms(source) or _time_ms(found),
    )


def _boundary(found: Fields) -> Change:
    op = STATUSES[found["status"]]
    fields = {"events": _whole(found, "event_count", 0, EVENTS_MAX)}
    return Change("", "", "", op, _text(fields), str(found.get("id") or ""), _time_ms(found))


def _payload(value: bytes | None) -> Fields | None:
    """The object itself, out of its schema if it is in one."""
    try:
        found = json.loads(value or b"")
    except (ValueError, RecursionError):
        return None
    if isinstance(found, dict) and "payload" in found and "schema" in found:
        found = found["payload"]
    return found if isinstance(found, dict) else None


def _object(fields: Fields, name: str) -> Fields:
    found = fields.get(name) or {}
    if not isinstance(found, dict):
        raise DriftedError(f"its {name} is no object, but {_shown(found)}")
    return found


def _whole(fields: Fields, name: str, least: int, most: int) -> int:
    """Of a number that is not there 0."""
    found = fields.get(name) or 0
    if not isinstance(found, int) or not least <= found <= most:
        raise DriftedError(f"its {name} is no number from {least} to {most}, but {_shown(found)}")
    return int(found)


def _time_ms(fields: Fields) -> int:
    return _whole(fields, "ts_ms", FIRST_MS, LAST_MS)


def _position(source: Fields) -> int | None:
    given = next((str(source[name]) for name in POSITIONS if source.get(name) is not None), "")
    is_number = given.isascii() and given.isdecimal() and len(given) <= POSITION_DIGITS_MAX
    return int(given) if is_number else None


def _text(fields: Fields) -> str:
    return json.dumps(fields, sort_keys=True, ensure_ascii=False) if fields else ""


def _shown(value: object) -> str:
    return repr(value)[:DETAIL_LENGTH_MAX]


def _is_unicode(change: Change) -> bool:
    """JSON may escape half of a character; no text has it, and no table."""
    try:
        "".join(str(part) for part in change).encode()
    except UnicodeEncodeError:
        return False
    return True
