"""What keys and values are read by: a format that is chosen or usual, or else their schema."""

from __future__ import annotations

from moldau.client import ConsumerRecord
from moldau.platform.buffers import Buffer
from moldau.programs.console.formats.declared import AS_IT_IS
from moldau.programs.console.formats.offered import Chosen, Made
from moldau.programs.console.formats.plain import PLAIN
from moldau.programs.console.values.decoding import Reading, Readings

__all__ = ["RecordReadings"]


class RecordReadings:
    """Of the records of one page."""

    def __init__(self, chosen: Chosen, made: Made, schemas: Readings | None) -> None:
        """`schemas` is None without a registry."""
        self._chosen = chosen
        self._made = made
        self._schemas = schemas

    def of(self, record: ConsumerRecord, part: str) -> Reading | None:
        """None for what is shown as what it seems to be."""
        chosen = self._chosen.of(part)
        if chosen in AS_IT_IS:
            return Reading(shown_as=chosen)
        if chosen is not None and chosen in PLAIN:
            return _plain(chosen, record.key if part == "key" else record.value)
        made = self._made.of(record, part)
        if made is not None:
            name, outcome = made
            return Reading(data=outcome.data, reason=outcome.reason, decoded_by=name)
        return None if self._schemas is None else self._schemas.of(record, part)


def _plain(name: str, data: Buffer | None) -> Reading | None:
    if data is None:
        return None
    try:
        return Reading(data=PLAIN[name].decode(bytes(data)).encode(), decoded_by=name)
    except ValueError as error:
        return Reading(reason=str(error), decoded_by=name)
