"""A filter in CEL on the records of a search, before its query sees them.

It runs in the process of the search, within its bounds, and has a limit of its own for each record
and for all. Records for which it cannot be evaluated, such as those without a member that it asks
for, are left out and counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from moldau.errors import MissingExtraError, MoldauError
from moldau.platform.system.time_limit import CallTimes, TimeLimitError, TimeSpentError
from moldau.programs.http.messages import HttpError

__all__ = ["SearchFilter"]

FILTERS: Final = "moldau.schemas.cel_filter"
"""It needs cel-python, which may be missing."""
CALL_MS: Final = 1_000
ALL_MS: Final = 240_000
"""Less than a search may take, so that it ends with this reason."""
TOO_SLOW: Final = "The filter took longer than {} s for one record: make it simpler"
SPENT: Final = (
    "The filter has had {} s for {} records: narrow the query by partition, offset or timestamp, "
    "or write the condition in SQL, which is faster"
)


class SearchFilter:
    """One filter, with what it has done."""

    def __init__(self, text: str, times: CallTimes | None = None) -> None:
        """`HttpError` where it is none, or cannot be had."""
        try:
            self._filters: Any = import_module(FILTERS)
            self._filter = self._filters.RecordFilter(text)
        except MissingExtraError as error:
            raise HttpError(501, str(error)) from None
        except MoldauError as error:
            raise HttpError(400, str(error)) from None
        self._times = times or CallTimes(CALL_MS, ALL_MS)
        self._count = 0
        self._unclear = 0
        self._why = ""

    def fit(self, records: Mapping[str, Sequence[Any]]) -> list[bool]:
        """Of columns, for each record; `HttpError` for what fits none."""
        columns = (records[name] for name in ("partition", "offset", "timestamp"))
        texts = ([_text(one) for one in records[name]] for name in ("key", "value"))
        headers = map(_headers, records["headers"])
        return [
            self._fits(self._filters.FilteredRecord(*one))
            for one in zip(*columns, *texts, headers, strict=True)
        ]

    def report(self) -> dict[str, Any]:
        """For how many it could not be evaluated, and why not for the first."""
        return {"unclear": self._unclear, "why": self._why}

    def _fits(self, record: Any) -> bool:  # noqa: ANN401  # of a module that may be missing
        self._count += 1
        try:
            return self._times.run(lambda: bool(self._filter.holds(record)))
        except TimeLimitError:
            raise HttpError(400, TOO_SLOW.format(CALL_MS // 1000)) from None
        except TimeSpentError:
            raise HttpError(400, SPENT.format(ALL_MS // 1000, self._count - 1)) from None
        except self._filters.UnfitFilterError as error:
            raise HttpError(400, str(error)) from None
        except MoldauError as error:
            self._why = self._why or str(error)
            self._unclear += 1
            return False


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode(errors="replace")


def _headers(given: Sequence[Mapping[str, Any]] | None) -> dict[str, str | None]:
    """The last of each name, as in kafbat UI."""
    return {one["key"]: _text(one["value"]) for one in given or ()}
