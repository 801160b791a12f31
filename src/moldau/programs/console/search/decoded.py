"""Formats of users in a search: which of them a topic has, and what they make of its records.

They run in the process of the search, within its bounds: so a function that hangs in C is ended
with the search, at the latest by the time that one may take. All others are ended one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from moldau.platform.system.time_limit import CallTimes
from moldau.programs.console.formats.called import CALL_MS, CalledFormat, FormatError, loaded
from moldau.programs.console.formats.declared import (
    AS_IT_IS,
    HEX,
    PARTS,
    Declared,
    Offer,
    format_for,
)
from moldau.programs.console.formats.offered import Chosen
from moldau.programs.console.formats.plain import PLAIN, PlainFormat
from moldau.programs.console.formats.usual import UsualFormats

__all__ = ["Decode", "SearchFormats", "decoded_all", "topic_formats"]

Decode: TypeAlias = Callable[[str, bytes], bytes]
ALL_MS: Final = 120_000
"""Of calls in one search."""
LOAD_MS: Final = 30_000
NO_RULES: Final = UsualFormats()


class SearchFormats(NamedTuple):
    """What there is, and what the user has chosen."""

    offers: Sequence[Offer] = ()
    chosen: Chosen = Chosen()
    usual: UsualFormats = NO_RULES

    def sent(self) -> dict[str, Any]:
        """As JSON, for the process of a search."""
        offers = [{**one._asdict(), "declared": one.declared.sent()} for one in self.offers]
        return {"offers": offers, "chosen": list(self.chosen), "usual": self.usual.sent()}

    @classmethod
    def received(cls, given: Mapping[str, Any]) -> SearchFormats:
        offers = [
            Offer(
                Declared.received(one["declared"]),
                one["topics"],
                tuple(one["parts"]),
                one["encodes"],
            )
            for one in given["offers"]
        ]
        return cls(offers, Chosen(*given["chosen"]), UsualFormats.received(given["usual"]))


def topic_formats(formats: SearchFormats, topic: str) -> dict[str, Decode]:
    """By the part that they decode; `SettingError` where one cannot be loaded any more."""
    found: dict[str, Decode] = {}
    wanted = formats.usual.of(topic, formats.chosen)
    for part in PARTS:
        chosen = wanted.of(part)
        if chosen == HEX:
            found[part] = _hexadecimal
        plain = PLAIN.get(chosen or "")
        if plain is not None:
            found[part] = partial(_plain, plain)
        if chosen in AS_IT_IS or plain is not None:
            continue
        offer = format_for(formats.offers, topic, part, chosen)
        if offer is not None:
            found[part] = _loaded(offer).decoded
    return found


def _loaded(offer: Offer) -> CalledFormat:
    times = CallTimes(CALL_MS, ALL_MS)
    return CallTimes(LOAD_MS, LOAD_MS).run(lambda: loaded(offer.declared, times))


def _hexadecimal(_topic: str, data: bytes) -> bytes:
    return data.hex(" ").encode()


def _plain(form: PlainFormat, _topic: str, data: bytes) -> bytes:
    try:
        return form.decode(data).encode()
    except ValueError as error:
        raise FormatError(str(error)) from None


def decoded_all(
    decode: Decode, topic: str, data: Sequence[bytes | None]
) -> tuple[list[bytes | None], list[str | None]]:
    """What is shown of each, which is itself where it cannot be decoded; and why not."""
    found: list[bytes | None] = []
    reasons: list[str | None] = []
    for one in data:
        shown, reason = one, None
        if one is not None:
            try:
                shown = decode(topic, one)
            except FormatError as error:
                reason = str(error)
        found.append(shown)
        reasons.append(reason)
    return found, reasons
