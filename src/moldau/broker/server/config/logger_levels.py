"""Levels of loggers, changed while the node runs (KIP-412).

Kafka's levels are Java's; Python's are their nearest kin. A logger is known once something has
asked for it or for one below it, as `moldau.broker.server` stands above all of that package;
`root` stands above all.
"""

from __future__ import annotations

import logging

from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode

ROOT = "root"
LEVELS = {
    "TRACE": logging.DEBUG,
    "DEBUG": logging.DEBUG,
    "INFO": logging.INFO,
    "WARN": logging.WARNING,
    "ERROR": logging.ERROR,
    "FATAL": logging.CRITICAL,
}
NAMES = {level: name for name, level in reversed(LEVELS.items()) if name != "TRACE"}
SET, DELETE = 0, 1


def levels() -> dict[str, str]:
    """The level in force of every logger."""
    names = sorted(logging.Logger.manager.loggerDict)
    return {
        ROOT: _shown(logging.getLogger()),
        **{name: _shown(logging.getLogger(name)) for name in names},
    }


def check_level(name: str, operation: int, value: str | None) -> None:
    """Refuse what cannot be done to a logger."""
    if operation not in (SET, DELETE):
        text = "a level can be set or deleted; there is nothing to append to"
        raise KafkaError(ErrorCode.INVALID_REQUEST, text)
    if operation == DELETE and name == ROOT:
        raise KafkaError(ErrorCode.INVALID_REQUEST, "the root logger must have a level")
    if name not in levels():
        raise KafkaError(ErrorCode.INVALID_CONFIG, f"there is no logger {name}")
    if operation == SET and value not in LEVELS:
        text = f"{value} is no level; there are {', '.join(LEVELS)}"
        raise KafkaError(ErrorCode.INVALID_CONFIG, text)


def change_level(name: str, operation: int, value: str | None) -> None:
    """Set the level, or go back to that of the logger above."""
    logger = logging.getLogger(None if name == ROOT else name)
    logger.setLevel(LEVELS[value or ""] if operation == SET else logging.NOTSET)


def _shown(logger: logging.Logger) -> str:
    return NAMES.get(logger.getEffectiveLevel(), "INFO")
