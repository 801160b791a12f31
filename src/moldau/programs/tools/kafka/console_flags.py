"""What the console tools share: settings of a client by file and by property, old spellings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import pairs_of, properties_of
from moldau.programs.tools.kafka.flags import Flag, Given, WrongUsageError
from moldau.programs.tools.kafka.record_lines import LineWriter, formatter_class

__all__ = [
    "only_one_spelling",
    "record_writer",
    "settings_given",
    "warn_of_old_spellings",
]

GONE_SOON = "is deprecated and will be removed in a future version. Use"


def warn_of_old_spellings(
    given: Given, flags: Iterable[Flag], world: World, before: str = "Option"
) -> None:
    """As Kafka's tools do it, on standard output."""
    for flag in flags:
        if flag.instead is not None and given.has(flag.name):
            print(f"{before} --{flag.name} {GONE_SOON} --{flag.instead} instead.", file=world.out)


def only_one_spelling(given: Given, flags: Iterable[Flag], *, newer_first: bool = False) -> None:
    for flag in flags:
        if flag.instead is not None and given.has(flag.name) and given.has(flag.instead):
            names = (flag.name, flag.instead)
            first, second = reversed(names) if newer_first else names
            raise WrongUsageError(f"Options --{first} and --{second} cannot be specified together.")


def settings_given(
    given: Given, world: World, files: Iterable[str], properties: Iterable[str]
) -> dict[str, object]:
    """Of files under these flags, and over them of properties under those."""
    found: dict[str, object] = {}
    for name in files:
        path = given.text(name)
        if path is not None:
            found |= properties_of(world.files, path)
    for name in properties:
        found |= pairs_of(given.texts(name))
    return found


def record_writer(given: Given, world: World) -> LineWriter:
    """What shows records, by the flags of console consumers."""
    properties = settings_given(
        given, world, ("formatter-config",), ("property", "formatter-property")
    )
    for part in ("key", "value"):
        if given.has(f"{part}-deserializer"):
            properties[f"{part}.deserializer"] = given.text(f"{part}-deserializer")
    texts: Mapping[str, str] = {name: str(value) for name, value in properties.items()}
    return formatter_class(given.text("formatter") or "")(texts)
