"""What a field may declare beyond its type: `at(...)`."""

from __future__ import annotations

from typing import Any

from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.versions import ALL, Versions


class _Unset:
    """The absence of a default."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = _Unset()


@dataclass(frozen=True, slots=True)
class At:
    """What a field declares beyond its type."""

    versions: Versions = ALL
    default: object = UNSET
    tag: int | None = None
    tagged: Versions = ALL
    nullable: Versions = ALL
    ignorable: bool = False
    map_key: bool = False
    flexible: bool = True
    is_bare: bool = False
    """Nothing stood behind the field: it is in every version and must be given."""


def at(
    versions: str = "0+",
    *,
    default: object = UNSET,
    tag: int | None = None,
    tagged: str = "0+",
    nullable: str = "0+",
    ignorable: bool = False,
    map_key: bool = False,
    flexible: bool = True,
) -> Any:
    """Place a field in its versions.

    `tag` makes it a tagged field, in the versions `tagged` where that differs from its own.
    `map_key` marks the field by which Kafka's own classes index the array it is in.
    `flexible=False` keeps the old length prefix in flexible versions.
    """
    return At(
        Versions.parse(versions),
        default,
        tag,
        Versions.parse(tagged),
        Versions.parse(nullable),
        ignorable,
        map_key,
        flexible,
    )


def beside(*, init: bool) -> Any:
    """A slot that is no field; `init` makes type checkers know that constructors do not take it."""
    return init
