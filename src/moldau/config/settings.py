"""A set of settings: the keys of its class, and what was given for them.

Immutable: a change makes a new one. Values that were not given are the key's default, whatever else
a program derives from them (`log.retention.ms` from `log.retention.hours`) stands in properties.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

from moldau.config.key import Key
from moldau.config.kinds import show
from moldau.config.refusals import MissingSettingError


class Settings:
    """Base of all; a subclass with several parents has the keys of them all."""

    KEYS: ClassVar[Mapping[str, Key[Any]]] = {}
    REQUIRED: ClassVar[tuple[str, ...]] = ()

    given: Mapping[str, str]
    """As given, by name; only names that are known."""
    all_given: Mapping[str, str]
    """With those that are not."""

    def __init_subclass__(cls) -> None:
        found = {
            key.name: key
            for base in reversed(cls.__mro__)
            for key in vars(base).values()
            if isinstance(key, Key)
        }
        cls.KEYS = dict(sorted(found.items()))

    def __init__(self, given: Mapping[str, str] | None = None) -> None:
        known = {name: text for name, text in (given or {}).items() if name in self.KEYS}
        values = {self.KEYS[name].attribute: self.KEYS[name].parse(known[name]) for name in known}
        self.__dict__.update(values, given=known, all_given=dict(given or {}))

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Self:
        """Of texts, with everything that is required among them."""
        for name in cls.REQUIRED:
            if name not in given:
                raise MissingSettingError(name)
        return cls(given)

    def changed(self, changes: Mapping[str, str | None]) -> Self:
        """The same with these; None goes back to the default."""
        merged: dict[str, str | None] = {**self.all_given, **changes}
        return type(self)({name: text for name, text in merged.items() if text is not None})

    @classmethod
    def unknown(cls, names: Iterable[str]) -> list[str]:
        """Those that no key has."""
        return sorted(name for name in names if name not in cls.KEYS)

    def text(self, name: str) -> str | None:
        """The value in force, as it would be given."""
        return show(getattr(self, self.KEYS[name].attribute))

    def is_default(self, name: str) -> bool:
        """Whether the value in force is the key's default, given or not."""
        key = self.KEYS[name]
        return bool(getattr(self, key.attribute) == key.default)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"settings do not change; {name} needs a new set")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.given == self.given

    def __hash__(self) -> int:
        return hash(tuple(self.given.items()))

    def __repr__(self) -> str:
        shown = (
            f"{name}={'[hidden]' if self.KEYS[name].is_secret else text}"
            for name, text in self.given.items()
        )
        return f"{type(self).__name__}({', '.join(shown)})"
