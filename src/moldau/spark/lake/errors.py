"""What can go wrong at a table, each with the cause and the remedy in one sentence."""

from __future__ import annotations

from moldau.errors import MoldauError


class TableError(MoldauError):
    """The table's log or its place says no."""


class SchemaError(TableError):
    """The rows do not fit the table, and the table may not be changed so that they do."""


class LostRaceError(TableError):
    """Others wrote to the table so often that this write never got its turn."""
