"""The fields of a file of Spring or Micronaut, each taken once; those that are left are named.

Keys may differ in hyphens and in case (`bootstrap-servers`, `bootstrapServers`), properties may be
nested, and `${NAME}` or `${NAME:default}` is a variable of the environment. Values stand in no
message: they may be passwords.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NoReturn

from moldau.programs.located_yaml import Located

__all__ = ["Fields", "Source"]

VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::([^${}]*))?\}")


class Source:
    """A file while it is read."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.unused: list[str] = []
        """Keys that are not taken over, with where they stand."""
        self._environment = environment

    def text(self, value: Located | None) -> str:
        """With variables of the environment in their places; empty where there is none."""
        if value is None:
            return ""

        def replaced(match: re.Match[str]) -> str:
            found = self._environment.get(match[1], match[2])
            if found is None:
                value.fail(f"the environment has no variable {match[1]}")
            return found

        return VARIABLE.sub(replaced, value.text())

    def truth(self, value: Located | None) -> bool:
        """False where there is none."""
        text = self.text(value).strip().lower()
        if value is not None and text not in ("true", "false"):
            value.fail("true or false is wanted here")
        return text == "true"

    def texts(self, value: Located | None) -> list[str]:
        """Of a list, or of one text with commas between, as Spring takes them."""
        if value is None:
            return []
        if value.is_list:
            return [self.text(one) for one in value.elements()]
        return [one.strip() for one in self.text(value).split(",") if one.strip()]

    def flat(self, given: Located | None, prefix: str = "") -> dict[str, str]:
        """Properties, whose names may be cut at their dots."""
        found: dict[str, str] = {}
        if given is None:
            return found
        for key, value in given.items():
            if value.is_mapping:
                found |= self.flat(value, f"{prefix}{key}.")
            elif not value.is_null:
                found[prefix + key] = self.text(value)
        return found


class Fields:
    """Of one section."""

    def __init__(self, section: Located, place: str, source: Source) -> None:
        self.place = place
        self.source = source
        self._section = section
        self._given: dict[str, tuple[str, Located]] = {}
        for key, value in section.items():
            if _alike(key) in self._given:
                value.fail(f"{key} stands here twice, written in two ways")
            self._given[_alike(key)] = (key, value)

    def pop(self, name: str) -> Located | None:
        """None where it is missing or empty."""
        found = self._given.pop(_alike(name), None)
        return None if found is None or found[1].is_null else found[1]

    def text(self, name: str) -> str:
        return self.source.text(self.pop(name))

    def truth(self, name: str) -> bool:
        return self.source.truth(self.pop(name))

    def section(self, name: str) -> Fields | None:
        value = self.pop(name)
        return None if value is None else Fields(value, self._place_of(name), self.source)

    def sections(self, name: str) -> list[Fields]:
        """Of a list."""
        value, place = self.pop(name), self._place_of(name)
        found = [] if value is None else value.elements()
        return [Fields(one, f"{place}[{at}]", self.source) for at, one in enumerate(found)]

    def named(self) -> list[Fields]:
        """All that are left, which are sections with names of the user."""
        left, self._given = self._given.values(), {}
        return [Fields(value, self._place_of(key), self.source) for key, value in left]

    def name_left(self) -> None:
        """What was not taken is not taken over."""
        self.source.unused += [self._place_of(key) for key, _ in self._given.values()]
        self._given = {}

    def fail(self, reason: str) -> NoReturn:
        self._section.fail(reason)

    def _place_of(self, name: str) -> str:
        return f"{self.place}.{name}" if self.place else name


def _alike(name: str) -> str:
    return name.replace("-", "").replace("_", "").lower()
