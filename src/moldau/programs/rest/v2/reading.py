"""What an instance reads for one request: some records, and not one lost on the way.

Records that find no room in the answer, or that cannot be shown in the format of the instance, are
read again: the consumer goes back to the first of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from moldau.client import ConsumerRecord
from moldau.programs.http.messages import HttpError
from moldau.programs.rest.formats import READERS
from moldau.programs.rest.links import Json
from moldau.programs.rest.refusals import Refusal, refuse
from moldau.programs.rest.v2.instances import Instance

__all__ = ["read"]

MS_PER_SECOND: Final = 1000
OVERHEAD: Final = 100
"""Of a record in JSON beside its key and value."""


async def read(instance: Instance, timeout_ms: int, bytes_max: int) -> list[Json]:
    """As soon as there are some, what there is of them; none when the time is over."""
    shown: list[Json] = []
    left, wait_ms = bytes_max, timeout_ms
    while left > 0:
        records = await instance.consumer.poll(wait_ms / MS_PER_SECOND)
        if not records:
            break
        taken = _fitting(records, left, is_first=not shown)
        _go_back(instance, records[taken:])
        if not taken:
            break
        some = _shown(instance, records[:taken], is_first=not shown)
        shown += some
        left = left - _size(records) if len(some) == len(records) else 0
        wait_ms = 0
    return shown


def _size(records: Sequence[ConsumerRecord]) -> int:
    return sum(len(one.key or b"") + len(one.value or b"") + OVERHEAD for one in records)


def _fitting(records: Sequence[ConsumerRecord], bytes_max: int, *, is_first: bool) -> int:
    """How many of them have room; the first of all has it always."""
    left = bytes_max
    for index, one in enumerate(records):
        left -= _size([one])
        if left < 0 and (index or not is_first):
            return index
    return len(records)


def _go_back(instance: Instance, records: Sequence[ConsumerRecord]) -> None:
    firsts: dict[tuple[str, int], int] = {}
    for one in records:
        firsts.setdefault((one.topic, one.partition), one.offset)
    for part, offset in firsts.items():
        instance.consumer.seek(part, offset)


def _shown(instance: Instance, records: Sequence[ConsumerRecord], *, is_first: bool) -> list[Json]:
    """Up to the first that cannot be shown; that one alone is refused."""
    found: list[Json] = []
    for index, one in enumerate(records):
        try:
            found.append(_json(instance.format, one))
        except HttpError as error:
            _go_back(instance, records[index:])
            if found or not is_first:
                return found
            where = f"{one.topic}-{one.partition} at offset {one.offset}"
            raise refuse(Refusal.NOT_CONVERTIBLE, f"{where}: {error}") from None
    return found


def _json(data_format: str, one: ConsumerRecord) -> Json:
    reader = READERS[data_format.upper()]
    return {
        "topic": one.topic,
        "key": None if one.key is None else reader(one.key),
        "value": None if one.value is None else reader(one.value),
        "partition": one.partition,
        "offset": one.offset,
    }
