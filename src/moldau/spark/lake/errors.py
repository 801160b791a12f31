"""What can go wrong at a table, each with the cause and the remedy in one sentence.

The library behind the tables reports an error as a tree in colours: the call that failed first, one
line for each cause below it. `cause_of` makes a part of a sentence of it.
"""

from __future__ import annotations

import re

from moldau.errors import MoldauError

__all__ = ["LostRaceError", "SchemaError", "TableError", "cause_of"]

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
BRANCH = "↳"
REQUEST = re.compile(r"Error performing (\w+ \S+) ")
CREDENTIALS = re.compile(r"loading credentials|\bIMDS\b")
"""The metadata service of a machine at Amazon is where they are looked for last."""
LENGTH_MAX = 300
"""Object stores answer with whole documents."""


class TableError(MoldauError):
    """The table's log or its place forbids it."""


class SchemaError(TableError):
    """The rows do not fit the table, and the table may not be changed so that they do."""


class LostRaceError(TableError):
    """Others wrote to the table so often that this write never got its turn."""


def cause_of(error: BaseException) -> str:
    """What is at the bottom of it, in one line, and the remedy where an object store is asked."""
    text = COLOUR.sub("", str(error))
    if CREDENTIALS.search(text):
        return (
            "no credentials for the object store were found: give them among its settings, such as"
            " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or in the environment"
        )
    causes = [" ".join(part.split()) for part in text.split(BRANCH)]
    cause = causes[-1][:LENGTH_MAX].rstrip(".")
    if request := REQUEST.search(text):
        return f"{request[1]} failed: {cause}; check the address and settings of the object store"
    return cause
