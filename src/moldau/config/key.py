"""One setting, declared once: its name, type, default, bounds, scope, rank and what it is for.

A key is an attribute of a `Settings` class, named as Kafka names the setting with `_` for `.`:

    class LogKeys(Settings):
        log_segment_bytes = integer(GIB, "Size at which a segment is full.", least=MIB)

Everything else comes of this line: parsing, the typed attribute `log_segment_bytes`, the
refusal of impossible values in Kafka's words, what DescribeConfigs answers, and the documentation.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum, StrEnum
from typing import Any, Generic, TypedDict, TypeVar, Unpack, overload

from moldau.config.kinds import (
    BOOLEAN,
    CLASS,
    DOUBLE,
    INT,
    LIST,
    LONG,
    PASSWORD,
    SHORT,
    STRING,
    Kind,
    show,
)
from moldau.config.refusals import InvalidSettingError
from moldau.platform.quick_dataclass import dataclass

Value = TypeVar("Value", covariant=True)
Check = Callable[[Any], str | None]
"""What is wrong with a value, or None."""


class Scope(Enum):
    """Where a setting may be changed while the node runs."""

    RESTART = "read-only"
    BROKER = "per-broker"
    CLUSTER = "cluster-wide"


class Rank(StrEnum):
    """How much people should care, as Kafka sorts its documentation."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a value may be, beside being of its type."""

    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    any_case: bool = False
    or_value: int | None = None
    """A value outside of the bounds that has a meaning of its own."""
    empty: bool = True
    """Whether a text or a list may be empty."""
    of_replicas: bool = False
    """Whether a list names replicas: each as partition:broker, or all by `*`."""

    def complaint(self, value: object) -> str | None:
        if isinstance(value, bool) or value is None:
            return None
        if isinstance(value, int | float):
            return self._about_number(value)
        if isinstance(value, tuple):
            return self._about_list(value)
        return self._about_text(str(value))

    def _about_number(self, value: float) -> str | None:
        if value == self.or_value:
            return None
        if self.least is not None and value < self.least:
            return f"Value must be at least {self.least}"
        if self.most is not None and value > self.most:
            return f"Value must be no more than {self.most}"
        return None

    def _about_list(self, values: tuple[str, ...]) -> str | None:
        if not values and not self.empty:
            return "Configuration must not be empty. Valid values include any"
        if self.of_replicas and "".join(values) != "*" and not all(map(_is_replica, values)):
            return "must be '*', or a list of replicas: partition:broker,partition:broker,..."
        for value in values:
            if complaint := self._about_text(value):
                return complaint
        return None

    def _about_text(self, value: str) -> str | None:
        if not value and not self.empty:
            return "String must be non-empty"
        wanted = {choice.lower() for choice in self.choices} if self.any_case else self.choices
        if self.choices and (value.lower() if self.any_case else value) not in wanted:
            return f"String must be one of: {', '.join(self.choices)}"
        return None


_REPLICA = re.compile(r"([0-9]+:[0-9]+)?")


def _is_replica(text: str) -> bool:
    return _REPLICA.fullmatch(text) is not None


NO_LIMITS = Limits()


@dataclass(eq=False)
class Key(Generic[Value]):
    """The declaration of one setting; on an instance of its class, the value."""

    kind: Kind
    default: Value
    doc: str
    limits: Limits = NO_LIMITS
    scope: Scope = Scope.RESTART
    rank: Rank = Rank.MEDIUM
    internal: bool = False
    """Kafka keeps it out of its documentation: not for everyday use."""
    own: bool = False
    """Moldau's own: hidden from clients, whose tools show Kafka's settings."""
    name: str = ""
    attribute: str = ""
    """Both are those under which it is declared."""

    def __set_name__(self, owner: type, attribute: str) -> None:
        self.attribute = attribute
        self.name = attribute.replace("_", ".")

    @overload
    def __get__(self, settings: None, owner: type) -> Key[Value]: ...

    @overload
    def __get__(self, settings: object, owner: type) -> Value: ...

    def __get__(self, settings: object | None, owner: type) -> Key[Value] | Value:
        # Instances hold their values under the same name, and Python looks there first.
        return self if settings is None else self.default

    @property
    def is_secret(self) -> bool:
        return self.kind is PASSWORD

    @property
    def default_text(self) -> str | None:
        return show(self.default)

    def parse(self, text: str) -> Value:
        """The value that a text means, or `InvalidSettingError`."""
        try:
            value: Value = self.kind.parse(text.strip() if self.kind is not PASSWORD else text)
        except ValueError as error:
            raise InvalidSettingError(self.name, self._shown(text), str(error)) from None
        if complaint := self.limits.complaint(value):
            raise InvalidSettingError(self.name, self._shown(text), complaint)
        return value

    def _shown(self, text: str) -> str:
        return "[hidden]" if self.is_secret else text


class More(TypedDict, total=False):
    """What a declaration may add: see `Limits` and `Key`."""

    least: float
    most: float
    or_value: int
    choices: tuple[str, ...]
    any_case: bool
    empty: bool
    of_replicas: bool
    scope: Scope
    rank: Rank
    internal: bool
    own: bool


def _key(kind: Kind, default: object, doc: str, more: More) -> Key[Any]:
    limits = {name: value for name, value in more.items() if name in Limits.__slots__}
    others = {name: value for name, value in more.items() if name not in limits}
    made: Any = Limits(**limits) if limits else NO_LIMITS  # type: ignore[arg-type]
    return Key(kind, default, doc, made, **others)  # type: ignore[arg-type]


def integer(default: int, doc: str, **more: Unpack[More]) -> Key[int]:
    """32 bits."""
    return _key(INT, default, doc, more)


def long(default: int, doc: str, **more: Unpack[More]) -> Key[int]:
    """64 bits: most times and sizes."""
    return _key(LONG, default, doc, more)


def short(default: int, doc: str, **more: Unpack[More]) -> Key[int]:
    return _key(SHORT, default, doc, more)


def maybe_integer(doc: str, **more: Unpack[More]) -> Key[int | None]:
    return _key(INT, None, doc, more)


def maybe_long(doc: str, **more: Unpack[More]) -> Key[int | None]:
    return _key(LONG, None, doc, more)


def decimal(default: float, doc: str, **more: Unpack[More]) -> Key[float]:
    return _key(DOUBLE, default, doc, more)


def flag(default: bool, doc: str, **more: Unpack[More]) -> Key[bool]:
    return _key(BOOLEAN, default, doc, more)


def text(default: str, doc: str, **more: Unpack[More]) -> Key[str]:
    return _key(STRING, default, doc, more)


def maybe_text(doc: str, **more: Unpack[More]) -> Key[str | None]:
    return _key(STRING, None, doc, more)


def names(default: tuple[str, ...], doc: str, **more: Unpack[More]) -> Key[tuple[str, ...]]:
    """A list, separated by commas."""
    return _key(LIST, default, doc, more)


def maybe_names(doc: str, **more: Unpack[More]) -> Key[tuple[str, ...] | None]:
    return _key(LIST, None, doc, more)


def plugin(default: str | None, doc: str, **more: Unpack[More]) -> Key[str | None]:
    """The name of a class: Java's in files that were written for Kafka."""
    return _key(CLASS, default, doc, more)


def secret(doc: str, **more: Unpack[More]) -> Key[str | None]:
    """Never shown, neither in answers nor in logs."""
    return _key(PASSWORD, None, doc, more)
