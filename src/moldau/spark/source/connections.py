"""One connection for each cluster in each process, however many tasks run in it.

Spark keeps its Python workers from task to task, and a connection costs a handful of round trips:
it is kept with the worker. Readers travel to the workers as bytes, so they carry settings, never a
connection.
"""

from __future__ import annotations

from collections.abc import Mapping

from moldau.client.sync import Connection

MOST_KEPT = 16
"""Clusters, or sets of settings, that one worker serves at a time."""

_kept: dict[tuple[tuple[str, str], ...], Connection] = {}


def connection_to(settings: Mapping[str, str]) -> Connection:
    """The connection with these settings; the oldest is closed where there are too many."""
    key = tuple(sorted(settings.items()))
    found = _kept.pop(key, None) or Connection(dict(settings))
    while len(_kept) >= MOST_KEPT:
        _kept.pop(next(iter(_kept))).close()
    kept = _kept.setdefault(key, found)
    if kept is not found:  # another thread was faster
        found.close()
    return kept


def close_all() -> None:
    """So that the next read connects anew."""
    while _kept:
        _kept.popitem()[1].close()
