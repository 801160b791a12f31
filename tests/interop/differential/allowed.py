"""Where our answer may differ from Kafka's, each with its reason. Short on purpose."""

from __future__ import annotations

from typing import Any, NamedTuple


class Allowed(NamedTuple):
    """A place in the answers of one API."""

    api: str
    path: str
    reason: str


ALLOWED: tuple[Allowed, ...] = ()
SAYS_MORE = "people are told what is wrong also where Kafka says nothing beside the code"


def reason_for(api: str, path: str, ours: Any, theirs: Any) -> str | None:
    if path.endswith("error_message") and ours and not theirs:
        return SAYS_MORE
    for allowed in ALLOWED:
        if allowed.api in (api, "*") and path == allowed.path:
            return allowed.reason
    return None
