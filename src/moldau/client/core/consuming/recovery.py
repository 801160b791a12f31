"""A dialogue that decides what becomes of a partition whose reading has ended with an error."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from moldau.client.core.consuming.beginnings import look_up, reset_time
from moldau.client.core.context import ClientContext
from moldau.client.core.dialogue import Pause, Received, Step
from moldau.client.core.offset_lookups import Isolation
from moldau.client.errors import (
    ClientError,
    LogTruncatedError,
    OffsetGoneError,
    UnknownTopicError,
)
from moldau.client.settings.consumer import ConsumerSettings
from moldau.client.topic_partition import TopicPartition

__all__ = ["RETRY_MS", "recover"]

RETRY_MS: Final = 200
"""After a topic that is gone, which the group is soon without."""
NO_RESET: Final = "none"


def recover(
    context: ClientContext,
    settings: ConsumerSettings,
    part: TopicPartition,
    error: ClientError,
    now_ms: int,
    wall_ms: int,
    *,
    is_assigned_by_group: bool,
) -> Generator[Step, Received, int | None]:
    """The offset to go on at, None where it is to go on where it was; or the error is raised.

    A log that lost what was read goes on at its end; an offset that is gone, be it with its whole
    topic, where `auto.offset.reset` says. With `none` all are the program's to decide.
    """
    match error:
        case LogTruncatedError() | OffsetGoneError() | UnknownTopicError(is_another=True) if (
            _resets_nothing(settings)
        ):
            raise error
        case LogTruncatedError():
            return error.end_offset
        case OffsetGoneError() | UnknownTopicError(is_another=True):
            isolation = Isolation[settings.isolation_level.upper()]
            times = {part: reset_time(settings, part, wall_ms)}
            found = yield from look_up(context, times, isolation, now_ms)
            return found[part]
        case UnknownTopicError() if is_assigned_by_group:
            yield Pause(RETRY_MS)
            return None
        case _:
            raise error


def _resets_nothing(settings: ConsumerSettings) -> bool:
    return settings.auto_offset_reset.lower() == NO_RESET
