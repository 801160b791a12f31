"""Masks: what pages, searches and downloads leave out of keys and values, and what stands there.

    hide      a sign in the place of a field's value; `*` hides the whole
    remove    without the field
    replace   a text in the place of each value inside the field
    mask      a sign in the place of each letter inside the field

The last three are those of kafbat UI. Fields are named at any depth. What is masked and is no JSON
object or list is hidden as a whole, since nothing in it can be named. Where kafbat leaves elements
of a list that stand in no field, a mask of all fields takes them here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import translate
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple
from unicodedata import category

from moldau.platform.buffers import Buffer
from moldau.programs.http.json_bodies import ensure_shallow

__all__ = [
    "HIDDEN",
    "HIDE",
    "MASK",
    "REMOVE",
    "REPLACE",
    "Mask",
    "Masks",
    "mask_of",
    "parsed_json",
]

HIDDEN: Final = "•••"
ALL: Final = "*"
HIDE, REMOVE, REPLACE, MASK = "hide", "remove", "replace", "mask"
FIELD_LETTERS: Final = 200
"""A longer name of a field is masked without being held against a pattern, which takes its time."""
UPPER, LOWER, DIGIT, OTHER = range(4)
KINDS: Final[Mapping[str, int]] = {"Lu": UPPER, "Ll": LOWER, "Nd": DIGIT}
SEPARATORS: Final = frozenset(("Zs", "Zl", "Zp"))
NAMED_BY_PATTERN: Final = frozenset[str]()


class Mask(NamedTuple):
    """What is masked of the topics with such names, and how."""

    topics: str
    """A regular expression, for the whole name."""
    fields: frozenset[str] = NAMED_BY_PATTERN
    part: str = "value"
    way: str = HIDE
    names: str | None = None
    """A regular expression for the whole name of a field, instead of `fields`."""
    signs: tuple[str, ...] = ()
    """The text of `REPLACE`; of `MASK` those for capitals, small letters, digits, and others."""

    def sent(self) -> dict[str, Any]:
        """As JSON, for the process of a search."""
        return {**self._asdict(), "fields": sorted(self.fields), "signs": list(self.signs)}

    @classmethod
    def received(cls, given: Mapping[str, Any]) -> Mask:
        sets = {"fields": frozenset(given["fields"]), "signs": tuple(given["signs"])}
        return cls(**{**given, **sets})

    def masks(self, field: str) -> bool:
        if self.names is None:
            return ALL in self.fields or field in self.fields
        return len(field) > FIELD_LETTERS or _compiled(self.names).fullmatch(field) is not None


class Masks:
    """All that hold for a cluster of a console."""

    def __init__(self, masks: Iterable[Mask] = ()) -> None:
        self._masks = tuple(masks)

    def __iter__(self) -> Iterator[Mask]:
        return iter(self._masks)

    def of(self, topic: str, part: str) -> list[Mask]:
        """For keys or values of this topic; none, mostly."""
        return [
            one
            for one in self._masks
            if one.part == part and _compiled(one.topics).fullmatch(topic) is not None
        ]

    def hide_some(self, topic: str) -> bool:
        return any(self.of(topic, part) for part in ("key", "value"))

    def applied(self, topic: str, part: str, data: Buffer | None) -> bytes | None:
        """The same bytes, or what is left of them."""
        masks = self.of(topic, part)
        if data is None or not masks:
            return None if data is None else bytes(data)
        value = parsed_json(bytes(data))
        is_whole = any(one.way == HIDE and ALL in one.fields for one in masks)
        if is_whole or not isinstance(value, dict | list):
            return _without_fields(masks, bytes(data))
        for one in masks:
            value = WAYS[one.way](one, value)
        return json.dumps(value, ensure_ascii=False).encode()


def mask_of(text: str) -> Mask:
    """The mask of a flag: TOPICS:FIELD[,…]; `ValueError` for what is none."""
    topics, colon, fields = text.rpartition(":")
    names = frozenset(name.strip() for name in fields.split(",") if name.strip())
    if not colon or not topics or not names:
        raise ValueError("it is TOPICS:FIELD[,…], such as payments.*:card,iban")
    return Mask(translate(topics), names)


def parsed_json(data: bytes) -> object:
    """None for what is no JSON, or nested deeper than any real document."""
    try:
        text = data.decode()
        ensure_shallow(text)
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found


@lru_cache(maxsize=1000)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


def _without_fields(masks: Iterable[Mask], data: bytes) -> bytes:
    """Of what has none: the first way, or nothing of it where one hides."""
    first, *more = masks
    if any(one.way == HIDE for one in (first, *more)):
        return HIDDEN.encode()
    if first.way == MASK:
        try:
            return _masked_text(first.signs, data.decode()).encode()
        except UnicodeDecodeError:
            return HIDDEN.encode()
    return (first.signs[0] if first.way == REPLACE else "null").encode()


def _each_field(mask: Mask, value: object, changed: Callable[[object], object]) -> object:
    """With the values of the masked fields changed."""
    if isinstance(value, dict):
        return {
            name: changed(one) if mask.masks(name) else _each_field(mask, one, changed)
            for name, one in value.items()
        }
    if isinstance(value, list):
        return [_each_field(mask, one, changed) for one in value]
    return changed(value) if ALL in mask.fields and mask.way != HIDE else value


def _each_leaf(value: object, changed: Callable[[object], object]) -> object:
    if isinstance(value, dict):
        return {name: _each_leaf(one, changed) for name, one in value.items()}
    if isinstance(value, list):
        return [_each_leaf(one, changed) for one in value]
    return changed(value)


def _hidden(mask: Mask, value: object) -> object:
    return _each_field(mask, value, lambda _: HIDDEN)


def _removed(mask: Mask, value: object) -> object:
    if isinstance(value, dict):
        kept = {name: one for name, one in value.items() if not mask.masks(name)}
        return {name: _removed(mask, one) for name, one in kept.items()}
    if isinstance(value, list):
        leaves = (dict, list) if ALL in mask.fields else object
        return [_removed(mask, one) for one in value if isinstance(one, leaves)]
    return value


def _replaced(mask: Mask, value: object) -> object:
    changed = partial(_each_leaf, changed=lambda _: mask.signs[0])
    return _each_field(mask, value, changed)


def _masked(mask: Mask, value: object) -> object:
    def leaf(one: object) -> str:
        text = one if isinstance(one, str) else json.dumps(one)
        return _masked_text(mask.signs, text)

    return _each_field(mask, value, partial(_each_leaf, changed=leaf))


def _masked_text(signs: tuple[str, ...], text: str) -> str:
    return "".join(
        letter if (kind := category(letter)) in SEPARATORS else signs[KINDS.get(kind, OTHER)]
        for letter in text
    )


WAYS: Final[Mapping[str, Callable[[Mask, object], object]]] = {
    HIDE: _hidden,
    REMOVE: _removed,
    REPLACE: _replaced,
    MASK: _masked,
}
