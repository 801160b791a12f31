"""All keys that the topic has, in memory; changed only by applying its records."""

from __future__ import annotations

import logging
from typing import Final

from moldau.programs.registry.keys.records import (
    Dek,
    DekPlace,
    Kek,
    dek_place,
    stored_dek,
    stored_kek,
)
from moldau.schemas.model import JsonObject

__all__ = ["KeyState"]

log = logging.getLogger(__name__)
MALFORMED: Final = (KeyError, TypeError, ValueError)


class KeyState:
    """KEKs by their names, and the DEKs of each."""

    def __init__(self) -> None:
        self.keks: dict[str, Kek] = {}
        self.deks: dict[str, dict[DekPlace, Dek]] = {}

    def __repr__(self) -> str:
        return f"KeyState({len(self.keks)} KEKs)"

    def clear(self) -> None:
        """As before the first record."""
        self.keks.clear()
        self.deks.clear()

    def apply(self, key: JsonObject, value: JsonObject | None, timestamp_ms: int) -> None:
        """One record of the topic; what is no record of a registry changes nothing."""
        try:
            match key.get("type"):
                case "KEK" if value is None:
                    self.keks.pop(str(key["name"]), None)
                case "KEK":
                    assert value is not None
                    self.keks[str(key["name"])] = stored_kek(value, timestamp_ms)
                case "DEK" if value is None:
                    place = dek_place(key)
                    self.deks.get(place.kek, {}).pop(place, None)
                case "DEK":
                    assert value is not None
                    dek = stored_dek(key, value, timestamp_ms)
                    self.deks.setdefault(dek.place.kek, {})[dek.place] = dek
                case _:
                    pass  # what registries to come may add
        except MALFORMED as error:
            log.warning("A record of the keys' topic is passed over: %r: %r", key, error)

    def of_subject(
        self, kek: str, subject: str, algorithm: str, *, deleted: bool = False
    ) -> list[Dek]:
        """Its versions, oldest first."""
        found = [
            dek
            for place, dek in self.deks.get(kek, {}).items()
            if (place.subject, place.algorithm) == (subject, algorithm)
            and (deleted or not dek.is_deleted)
        ]
        return sorted(found, key=lambda dek: dek.place.version)
