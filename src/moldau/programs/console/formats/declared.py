"""Formats as they are declared: in a file of properties, or by entry points of packages.

    formats=sealed,packed
    formats.sealed.decode=shop_formats:opened    a function of a topic and bytes
    formats.sealed.encode=shop_formats:sealed    a function of a topic and text; may be missing
    formats.sealed.topics=orders.*               where it is used without being chosen
    formats.sealed.parts=value                   key, value, or both, as without this line

An entry point of the group `moldau.console.formats` leads to a function that decodes, or to a
module or another object with `decode` and, where wanted, `encode`, `topics` and `parts`. A file
that names the same format without `decode` sets its topics and its parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, NamedTuple

from moldau.config.refusals import SettingError
from moldau.programs.console.formats.plain import PLAIN

__all__ = [
    "AS_IT_IS",
    "BUILT_IN",
    "GROUP",
    "HEX",
    "PARTS",
    "TEXT",
    "Declared",
    "Offer",
    "declared_formats",
    "ensure_name",
    "format_for",
    "installed_formats",
    "parts_of",
]

GROUP: Final = "moldau.console.formats"
"""Of entry points."""
PARTS: Final = ("key", "value")
TEXT, HEX = "text", "hex"
AS_IT_IS: Final = (TEXT, HEX)
"""Formats that a reader may choose beside those of users."""
BUILT_IN: Final = (*AS_IT_IS, *PLAIN, "json", "msgpack", "schema")
"""Names that are taken."""
LIST: Final = "formats"
PREFIX: Final = f"{LIST}."
FIELDS: Final = ("decode", "encode", "topics", "parts")
NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
PLACE: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
FORMATS_MAX: Final = 20
"""Each may have processes of its own."""


class Declared(NamedTuple):
    """One format, before its code is loaded."""

    name: str
    decode: str = ""
    """`module:function`; empty where an entry point has it."""
    encode: str = ""
    topics: str | None = None
    """A pattern of the shell; None where it is only used if it is chosen, or the object has one."""
    parts: tuple[str, ...] = ()
    """Of `PARTS`; empty where none are named, or the object has them."""
    leads_to: str = ""
    """What an entry point names: `module` or `module:object`."""
    origin: str = ""
    """What declares it, for sentences."""

    def sent(self) -> dict[str, Any]:
        """As JSON, for a process that calls it."""
        return {**self._asdict(), "parts": list(self.parts)}

    @classmethod
    def received(cls, given: Mapping[str, Any]) -> Declared:
        return cls(**{**given, "parts": tuple(given["parts"])})


class Offer(NamedTuple):
    """A format that was loaded."""

    declared: Declared
    topics: str | None
    parts: tuple[str, ...]
    encodes: bool

    @property
    def name(self) -> str:
        return self.declared.name


def declared_formats(given: Mapping[str, str], installed: Sequence[Declared]) -> list[Declared]:
    """Those of a file of properties, then those that packages have; `SettingError`."""
    names = [name.strip() for name in given.get(LIST, "").split(",") if name.strip()]
    _ensure_known(given, names)
    by_package = {one.name: one for one in installed}
    found = [_of_file(name, given, by_package.pop(name, None)) for name in names]
    found += by_package.values()
    for one in found:
        ensure_name(one)
    if len(found) > FORMATS_MAX:
        raise SettingError(f"there are {len(found)} formats: a console has {FORMATS_MAX} at most")
    return found


def installed_formats(found: Iterable[EntryPoint] | None = None) -> list[Declared]:
    """By the entry points of all packages; of two with one name the first holds."""
    taken: dict[str, Declared] = {}
    entries = entry_points(group=GROUP) if found is None else found
    for entry in sorted(entries, key=lambda one: one.name):
        package = "" if entry.dist is None else f" of the package {entry.dist.name}"
        origin = f"the entry point {entry.name}{package}"
        taken.setdefault(entry.name, Declared(entry.name, leads_to=entry.value, origin=origin))
    return list(taken.values())


def format_for(offers: Iterable[Offer], topic: str, part: str, chosen: str | None) -> Offer | None:
    """That which was chosen, or else the first whose topics have such names."""
    for one in offers:
        if part in one.parts:
            is_usual = chosen is None and one.topics is not None
            if chosen == one.name or (is_usual and fnmatchcase(topic, one.topics or "")):
                return one
    return None


def parts_of(text: str, origin: str) -> tuple[str, ...]:
    parts = tuple(one.strip() for one in text.split(",") if one.strip())
    if not parts or not set(parts) <= set(PARTS):
        raise SettingError(f"{origin}: parts is {text}: write key, value, or key,value")
    return parts


def _ensure_known(given: Mapping[str, str], names: Sequence[str]) -> None:
    if given and not names:
        raise SettingError(f"{LIST} names no format: write {LIST}=NAME[,…] and {PREFIX}NAME.decode")
    known = {LIST, *(f"{PREFIX}{name}.{field}" for name in names for field in FIELDS)}
    for key in given:
        if key not in known:
            raise SettingError(
                f"{key} is no setting of formats: for each name in {LIST} there are "
                + ", ".join(f"{PREFIX}NAME.{field}" for field in FIELDS)
            )


def ensure_name(declared: Declared) -> None:
    """`SettingError` for a name that no format can have."""
    name, origin = declared.name, declared.origin
    if not NAME.fullmatch(name):
        raise SettingError(
            f"{origin}: {name!r} is no name of a format: it has 1 to 40 letters, digits, '-' and "
            "'_', and begins with a letter"
        )
    if name in BUILT_IN:
        raise SettingError(f"{origin}: the console has a format {name} itself: choose another name")


def _of_file(name: str, given: Mapping[str, str], package: Declared | None) -> Declared:
    decode, encode, topics, parts = (given.get(f"{PREFIX}{name}.{field}") for field in FIELDS)
    origin = f"{PREFIX}{name}"
    if decode is None and package is None:
        raise SettingError(f"{origin}.decode is missing: name its function as MODULE:FUNCTION")
    if decode is None and encode is not None:
        raise SettingError(f"{origin}.encode needs {origin}.decode beside it")
    for field, place in (("decode", decode), ("encode", encode)):
        if place is not None and not PLACE.fullmatch(place):
            raise SettingError(f"{origin}.{field} is {place}: name its function as MODULE:FUNCTION")
    base = package if package is not None and decode is None else Declared(name, origin=origin)
    return base._replace(
        decode=decode or "",
        encode=encode or "",
        topics=topics or None,
        parts=() if parts is None else parts_of(parts, origin),
    )
