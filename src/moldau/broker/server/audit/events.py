"""Audit events in the form of CloudEvents 1.0, one JSON object for each.

    type                          data
    moldau.audit.login            mechanism, and the reason where it was refused
    moldau.audit.decision.denied  operation, kind and name of the resource
    moldau.audit.change           the request's API, what it names, and the errors of its answer
    moldau.audit.dropped          how many events came when there was no room, before this one

Each has who it was (`principal`), from where (`address`), and where that is known the API, the
client id and the listener. Keys without a value are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from moldau.broker.security.access import Operation, Resource
from moldau.broker.security.authorizer import Caller
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address
from moldau.platform.ports.randomness import Random
from moldau.protocol.messages.index import BY_KEY

__all__ = ["Events"]

ID_BYTES = 16
TEXT_MAX = 500
"""Letters of a name or a reason that a client has chosen; the rest is cut off."""
THINGS_MAX = 100
"""Of what one request changes, in one event; it has the count of all, and the next one goes on."""
EVENTS_MAX = 100
"""Of one request."""

DAY_MS = 86_400_000
DAYS_BEFORE_1970 = 719_468
"""From the first of March of the year 0."""

Fields = dict[str, Any]


class Events:
    """Makes those of one node."""

    def __init__(self, node_id: int, clock: Clock, random: Random) -> None:
        self.cluster_id = ""
        """Once it is known."""
        self._node_id = node_id
        self._clock = clock
        self._random = random

    def __repr__(self) -> str:
        return f"Events(of node {self._node_id})"

    def login(
        self,
        listener: str,
        peer: Address,
        mechanism: str,
        principal: str | None,
        reason: str | None = None,
    ) -> bytes:
        """A good one where there is no reason against it."""
        fields: Fields = {
            "result": "failed" if reason is not None else "ok",
            "principal": principal,
            "address": peer.host,
            "listener": listener,
            "mechanism": mechanism,
            "reason": reason,
        }
        return self._event("login", None, fields)

    def denied(self, caller: Caller, operation: Operation, resource: Resource, name: str) -> bytes:
        fields: Fields = {
            **_circumstances(caller),
            "operation": operation.name,
            "resource_type": resource.name,
            "resource_name": name,
        }
        return self._event("decision.denied", f"{resource.name}:{name}", fields)

    def changes(self, caller: Caller, things: list[str], errors: Iterable[str]) -> Iterator[bytes]:
        """One event, or several for what names much: what comes last is no less to be seen."""
        failed = sorted(set(errors))
        for start in range(0, max(len(things), 1), THINGS_MAX)[:EVENTS_MAX]:
            fields: Fields = {
                **_circumstances(caller),
                "changes": [_cut(thing) for thing in things[start : start + THINGS_MAX]],
                "count": len(things),
                "errors": failed or None,
            }
            yield self._event("change", things[0] if len(things) == 1 else None, fields)

    def dropped(self, count: int) -> bytes:
        return self._event("dropped", None, {"count": count})

    def _event(self, kind: str, subject: str | None, fields: Fields) -> bytes:
        event = {
            "specversion": "1.0",
            "id": self._random.randbytes(ID_BYTES).hex(),
            "source": f"/clusters/{self.cluster_id}/nodes/{self._node_id}",
            "type": f"moldau.audit.{kind}",
            "time": _utc(self._clock.now_ms()),
            "datacontenttype": "application/json",
            "subject": subject,
            "data": _without_nothing(fields),
        }
        return json.dumps(_without_nothing(event), separators=(",", ":")).encode()


def _circumstances(caller: Caller) -> Fields:
    """The principal; of a request also its API and listener."""
    api_key = getattr(caller, "api_key", None)
    return {
        "principal": str(caller.principal),
        "address": caller.peer.host,
        "listener": getattr(caller, "listener", None),
        "api": None if api_key is None else BY_KEY[api_key].name,
        "client_id": getattr(caller, "client_id", None),
    }


def _without_nothing(fields: Fields) -> Fields:
    return {
        name: _cut(value) if isinstance(value, str) else value
        for name, value in fields.items()
        if value is not None
    }


def _cut(text: str) -> str:
    return text if len(text) <= TEXT_MAX else text[:TEXT_MAX] + "…"


def _utc(now_ms: int) -> str:
    """As RFC 3339 has it."""
    days, left_ms = divmod(now_ms, DAY_MS)
    year, month, day = _date(days)
    hours, left_ms = divmod(left_ms, 3_600_000)
    minutes, left_ms = divmod(left_ms, 60_000)
    seconds, milliseconds = divmod(left_ms, 1_000)
    return f"{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{milliseconds:03}Z"


def _date(days: int) -> tuple[int, int, int]:
    """Year, month and day so many days after the beginning of 1970.

    Counted in years that begin in March, so that a leap day is the last one of its year.
    """
    century, day = divmod(4 * (days + DAYS_BEFORE_1970) + 3, 146_097)
    year, day = divmod(4 * (day // 4) + 3, 1_461)
    month, day = divmod(5 * (day // 4) + 2, 153)
    is_next_year = month >= 10
    return 100 * century + year + is_next_year, month + 3 - 12 * is_next_year, day // 5 + 1
