"""Which name was meant, where one is written that no setting has."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["nearest"]

SIMILARITY_MIN = 0.8
"""Below it a suggestion is a guess: `zookeeper.connect` is near nothing that a node has."""


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The one of `names` that is most like `name`; None if none is much like it.

    Underscores count as dots: programs write names of settings with either.
    """
    by_lower_case = {one.lower(): one for one in names}
    found = get_close_matches(name.lower().replace("_", "."), by_lower_case, 1, SIMILARITY_MIN)
    return by_lower_case[found[0]] if found else None
