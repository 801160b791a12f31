"""The closed sets of values in calls of an admin client, numbered as the protocol does.

A value that a newer cluster sends and this client does not know is `UNKNOWN`.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Self, TypeVar

from moldau.client.errors import InvalidArgumentError

__all__ = [
    "AccessOperation",
    "AlterOperation",
    "ConfigSource",
    "ConfigType",
    "ElectionType",
    "GroupType",
    "Mechanism",
    "PatternType",
    "Permission",
    "ResourceKind",
    "ResourceType",
    "UpgradeType",
    "chosen",
    "chosen_group_type",
    "operations_of",
]

NOT_ASKED_FOR = -(2**31)


class _Numbered(IntEnum):
    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        return cls.__members__.get("UNKNOWN") if isinstance(value, int) else None


Chosen = TypeVar("Chosen", bound=IntEnum)


def chosen(kind: type[Chosen], given: Chosen | str | int) -> Chosen:
    """One of these, given as such or by its name: `topic`, `client-metrics`, `READ`."""
    if isinstance(given, kind):
        return given
    if isinstance(given, str):
        name = given.upper().replace("-", "_")
        if name in kind.__members__:
            return kind[name]
    names = ", ".join(name.lower() for name in kind.__members__ if name != "UNKNOWN")
    raise InvalidArgumentError(f"{given!r} is no {kind.__name__}: there are {names}")


class ResourceType(_Numbered):
    """What has settings."""

    UNKNOWN = 0
    TOPIC = 2
    BROKER = 4
    BROKER_LOGGER = 8
    CLIENT_METRICS = 16
    GROUP = 32


class ConfigSource(_Numbered):
    """Where the value of a setting comes from."""

    UNKNOWN = 0
    TOPIC = 1
    BROKER = 2
    ALL_BROKERS = 3
    FILE = 4
    DEFAULT = 5
    BROKER_LOGGER = 6
    CLIENT_METRICS = 7
    GROUP = 8


class ConfigType(_Numbered):
    """What a setting takes."""

    UNKNOWN = 0
    BOOLEAN = 1
    STRING = 2
    INT = 3
    SHORT = 4
    LONG = 5
    DOUBLE = 6
    LIST = 7
    CLASS = 8
    PASSWORD = 9


class AlterOperation(_Numbered):
    """What is done to a setting."""

    SET = 0
    DELETE = 1
    APPEND = 2
    SUBTRACT = 3


class ResourceKind(_Numbered):
    """What access rules are about."""

    UNKNOWN = 0
    ANY = 1
    TOPIC = 2
    GROUP = 3
    CLUSTER = 4
    TRANSACTIONAL_ID = 5
    DELEGATION_TOKEN = 6
    USER = 7


class PatternType(_Numbered):
    """How the name in an access rule is meant; `ANY` and `MATCH` are for filters."""

    UNKNOWN = 0
    ANY = 1
    MATCH = 2
    LITERAL = 3
    PREFIXED = 4


class AccessOperation(_Numbered):
    """What an access rule allows or denies."""

    UNKNOWN = 0
    ANY = 1
    ALL = 2
    READ = 3
    WRITE = 4
    CREATE = 5
    DELETE = 6
    ALTER = 7
    DESCRIBE = 8
    CLUSTER_ACTION = 9
    DESCRIBE_CONFIGS = 10
    ALTER_CONFIGS = 11
    IDEMPOTENT_WRITE = 12
    CREATE_TOKENS = 13
    DESCRIBE_TOKENS = 14
    TWO_PHASE_COMMIT = 15


def operations_of(bits: int) -> frozenset[AccessOperation] | None:
    """What the caller may do, of the bits in an answer; None where that was not asked for."""
    if bits == NOT_ASKED_FOR:
        return None
    return frozenset(one for one in AccessOperation if bits >> one & 1)


class Permission(_Numbered):
    """What an access rule does; `ANY` is for filters."""

    UNKNOWN = 0
    ANY = 1
    DENY = 2
    ALLOW = 3


class Mechanism(_Numbered):
    """How a SCRAM credential is hashed."""

    UNKNOWN = 0
    SCRAM_SHA_256 = 1
    SCRAM_SHA_512 = 2


class ElectionType(_Numbered):
    """Who may become leader: the first replica, or any that lives, whatever is lost by it."""

    PREFERRED = 0
    UNCLEAN = 1


class UpgradeType(_Numbered):
    """Which changes of a feature's level are allowed."""

    UPGRADE = 1
    SAFE_DOWNGRADE = 2
    UNSAFE_DOWNGRADE = 3


class GroupType(StrEnum):
    """By which protocol the members of a group speak to its coordinator."""

    UNKNOWN = "unknown"
    CLASSIC = "classic"
    CONSUMER = "consumer"
    SHARE = "share"
    STREAMS = "streams"

    @classmethod
    def of(cls, name: str) -> GroupType:
        """In any case of letters; older brokers name none."""
        try:
            return cls(name.lower())
        except ValueError:
            return cls.UNKNOWN


def chosen_group_type(given: GroupType | str) -> GroupType:
    """One of these, or a name of one."""
    kind = GroupType.of(given)
    if kind is GroupType.UNKNOWN:
        names = ", ".join(one for one in GroupType if one is not GroupType.UNKNOWN)
        raise InvalidArgumentError(f"{given!r} is no type of groups: there are {names}")
    return kind
