"""What a file masks, as masks of the console.

masking[]                   kafbat UI: type (REMOVE, REPLACE, MASK), fields or fieldsNamePattern,
                            topicKeysPattern, topicValuesPattern, replacement,
                            maskingCharsReplacement
security.data-masking       AKHQ: mode json_show_by_default with json-filters[] (topic, keys)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from moldau.programs.console.imported.fields import Fields
from moldau.programs.console.imported.patterns import pattern_of
from moldau.programs.console.values.masking import MASK, REMOVE, REPLACE, Mask

__all__ = ["akhq_masks", "kafbat_masks"]

TYPES: Final = {"remove": REMOVE, "replace": REPLACE, "mask": MASK}
SIGNS: Final = ("X", "x", "n", "-")
REPLACEMENT: Final = "***DATA_MASKED***"
ALL: Final = frozenset("*")
AKHQ_VALUE: Final = "xxxx"
BY_KEYS: Final = "jsonshowbydefault"


def kafbat_masks(fields: Fields) -> list[Mask]:
    """Those of one cluster."""
    return [mask for one in fields.sections("masking") for mask in _kafbat_mask(one)]


def _kafbat_mask(fields: Fields) -> Iterator[Mask]:
    """One for each part of records."""
    kind = fields.text("type")
    way = TYPES.get(kind.strip().lower())
    if way is None:
        fields.fail(f"a mask has a type, REMOVE, REPLACE or MASK, and not {kind or 'none'}")
    names = pattern_of(fields, "fieldsNamePattern")
    listed = frozenset(fields.source.texts(fields.pop("fields")))
    if names and listed:
        fields.fail("a mask has fields or fieldsNamePattern, and not both")
    signs = _signs(fields, way)
    topics = [
        ("key", pattern_of(fields, "topicKeysPattern")),
        ("value", pattern_of(fields, "topicValuesPattern")),
    ]
    if not any(pattern for _, pattern in topics):
        fields.fail("a mask needs topicKeysPattern or topicValuesPattern, such as orders.*")
    fields.name_left()
    for part, pattern in topics:
        if pattern:
            yield Mask(
                pattern, listed or (frozenset() if names else ALL), part, way, names or None, signs
            )


def _signs(fields: Fields, way: str) -> tuple[str, ...]:
    chars = fields.pop("maskingCharsReplacement")
    replacement = fields.text("replacement")
    if way == REPLACE:
        return (replacement or REPLACEMENT,)
    if way != MASK:
        return ()
    signs = SIGNS if chars is None else tuple(map(fields.source.text, chars.elements()))
    if chars is not None and len(signs) != len(SIGNS):
        chars.fail("four signs are wanted: for capitals, small letters, digits, and others")
    return signs


def akhq_masks(fields: Fields | None) -> tuple[list[Mask], bool]:
    """Of all clusters; and whether there are more, which cannot be had here."""
    if fields is None:
        return [], False
    mode = fields.text("mode").replace("_", "").replace("-", "").lower()
    if mode != BY_KEYS:
        return [], mode != "none"
    sign = fields.text("json-mask-value") or AKHQ_VALUE
    masks = [_akhq_mask(one, sign) for one in fields.sections("json-filters")]
    fields.name_left()
    return masks, False


def _akhq_mask(fields: Fields, sign: str) -> Mask:
    """Keys are paths; a field of this name is hidden wherever it stands."""
    topic, keys = fields.text("topic"), fields.source.texts(fields.pop("keys"))
    if not topic or not keys:
        fields.fail("a filter of masks needs its topic and its keys")
    fields.name_left()
    names = frozenset(key.rpartition(".")[2] for key in keys)
    return Mask(re.escape(topic), names, "value", REPLACE, None, (sign,))
