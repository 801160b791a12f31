"""Where our answer may differ from Kafka's, each with its reason. Short on purpose."""

from __future__ import annotations

from typing import Any, NamedTuple


class Allowed(NamedTuple):
    """A place in the answers of one API."""

    api: str
    path: str
    reason: str


ALLOWED: tuple[Allowed, ...] = ()


def reason_for(api: str, path: str, ours: Any, theirs: Any) -> str | None:
    for allowed in ALLOWED:
        if allowed.api in (api, "*") and path == allowed.path:
            return allowed.reason
    return None
