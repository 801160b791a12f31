"""What decodes keys and values of which topics, of kafbat UI's serdes.

The first of `serde[]` whose pattern matches decides; one without patterns is for all topics, and
behind them stand `defaultKeySerde` and `defaultValueSerde`. What the console recognises itself, and
what it has no counterpart of, is shown as usual, so that no later serde takes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from moldau.programs.console.formats.declared import HEX
from moldau.programs.console.formats.usual import AS_USUAL, UsualFormat
from moldau.programs.console.imported.fields import Fields
from moldau.programs.console.imported.patterns import pattern_of

__all__ = ["usual_formats"]

EVERY: Final = ".*"
FORMATS: Final = {
    "string": AS_USUAL,
    "schemaregistry": AS_USUAL,
    "messagepack": AS_USUAL,
    "hex": HEX,
    "base64": "base64",
    "int32": "int32",
    "int64": "int64",
    "uint32": "uint32",
    "uint64": "uint64",
    "uuidbinary": "uuid",
}
"""By kafbat's names; its classes have them with `Serde` behind."""
SAME: Final = {
    "encoding": ("utf-8", "utf8", "ascii", "us-ascii"),
    "mostsignificantbitsfirst": ("true",),
    "delimiter": (" ",),
}
"""Values of properties that change nothing."""


def usual_formats(fields: Fields) -> list[UsualFormat]:
    """Those of one cluster."""
    names: dict[str, str] = {}
    found: list[UsualFormat] = []
    for one in fields.sections("serde"):
        name = one.text("name")
        if not name:
            one.fail("a serde needs a name")
        names[name] = _format(one, name)
        found += _rules(one, names[name])
    for part in ("key", "value"):
        given = fields.pop(f"default{part.title()}Serde")
        if given is not None:
            name = fields.source.text(given)
            known = names.get(name, FORMATS.get(_alike(name)))
            if known is None:
                fields.source.unused.append(f"{fields.place}.default{part.title()}Serde ({name})")
            found.append(UsualFormat(part, EVERY, known or AS_USUAL))
    return found


def _format(fields: Fields, name: str) -> str:
    """What it is here; where that is nothing it is named, and its topics are shown as usual."""
    kind, file = fields.text("className").rpartition(".")[2] or name, fields.text("filePath")
    found = None if file else FORMATS.get(_alike(kind.removesuffix("Serde")))
    properties = fields.source.flat(fields.pop("properties"))
    other = [
        key for key, value in properties.items() if value.lower() not in SAME.get(_alike(key), ())
    ]
    is_read_otherwise = any(
        _alike(key) in (*SAME, "url") and _alike(key) != "delimiter" for key in other
    )
    if found is None or is_read_otherwise:
        fields.source.unused.append(f"{fields.place} ({name})")
        return AS_USUAL
    fields.source.unused += [f"{fields.place}.properties.{key}" for key in other]
    return found


def _rules(fields: Fields, name: str) -> Iterator[UsualFormat]:
    keys, values = pattern_of(fields, "topicKeysPattern"), pattern_of(fields, "topicValuesPattern")
    fields.name_left()
    for part, pattern in (("key", keys), ("value", values)):
        if pattern or not (keys or values):
            yield UsualFormat(part, pattern or EVERY, name)


def _alike(name: str) -> str:
    return name.replace("-", "").replace("_", "").lower()
