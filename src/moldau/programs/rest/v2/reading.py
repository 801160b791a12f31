"""What an instance reads for one request: some records, and not one lost on the way.

Records that find no room in the answer, or that cannot be shown in the format of the instance, are
read again: the consumer goes back to the first of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from moldau.client import ConsumerRecord
from moldau.programs.http.messages import HttpError
from moldau.programs.rest.formats import READERS
from moldau.programs.rest.links import Json
from moldau.programs.rest.refusals import Refusal, refuse
from moldau.programs.rest.schemas import KIND_OF, Schemas
from moldau.programs.rest.v2.instances import Instance

__all__ = ["read"]

Reader: TypeAlias = Callable[[bytes | None], Awaitable[Any]]
MS_PER_SECOND: Final = 1000
OVERHEAD: Final = 100
"""Of a record in JSON beside its key and value."""


async def read(instance: Instance, schemas: Schemas, timeout_ms: int, bytes_max: int) -> list[Json]:
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
        with _read_again(instance, records):
            some = await _shown(instance, schemas, records[:taken], is_first=not shown)
        shown += some
        left = left - _size(records) if len(some) == len(records) else 0
        wait_ms = 0
    return shown


@contextmanager
def _read_again(instance: Instance, records: Sequence[ConsumerRecord]) -> Iterator[None]:
    """A request may be given up while the registry is asked."""
    is_over = False
    try:
        yield
        is_over = True
    except HttpError:
        is_over = True
        raise
    finally:
        if not is_over:
            _go_back(instance, records)


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


async def _shown(
    instance: Instance, schemas: Schemas, records: Sequence[ConsumerRecord], *, is_first: bool
) -> list[Json]:
    """Up to the first that cannot be shown; that one alone is refused."""
    found: list[Json] = []
    reader = _reader(instance.format, schemas)
    for index, one in enumerate(records):
        try:
            found.append(_json(one, await reader(one.key), await reader(one.value)))
        except HttpError as error:
            _go_back(instance, records[index:])
            if found or not is_first:
                return found
            where = f"{one.topic}-{one.partition} at offset {one.offset}"
            raise refuse(Refusal.NOT_CONVERTIBLE, f"{where}: {error}") from None
    return found


def _reader(data_format: str, schemas: Schemas) -> Reader:
    name = data_format.upper()
    kind, plain = KIND_OF.get(name), READERS.get(name)

    async def read_part(data: bytes | None) -> Any:  # noqa: ANN401  # any JSON
        if data is None:
            return None
        if plain is not None:
            return plain(data)
        return await schemas.read(str(kind), data)

    return read_part


def _json(one: ConsumerRecord, key: object, value: object) -> Json:
    return {
        "topic": one.topic,
        "key": key,
        "value": value,
        "partition": one.partition,
        "offset": one.offset,
    }
