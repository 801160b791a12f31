"""Which name was meant, where one is written that no setting has."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

__all__ = ["nearest"]

SIMILARITY_MIN = 0.8
"""Below it a suggestion is a guess: `zookeeper.connect` is near nothing that a node has."""


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The one of `names` that is nearest to `name`; None if none is near.

    Underscores count as dots: programs write names of settings with either.
    """
    by_plain_name = {_plain(one): one for one in names}
    find = import_module("difflib").get_close_matches  # which a name that is right never needs
    found = find(_plain(name), by_plain_name, 1, SIMILARITY_MIN)
    return by_plain_name[found[0]] if found else None


def _plain(name: str) -> str:
    return name.lower().replace("_", ".")
