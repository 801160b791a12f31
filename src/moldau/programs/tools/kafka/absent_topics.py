"""Whether a reader to whom nothing comes has asked for a topic that does not exist.

A consumer waits for such a topic, as it may be created yet, and Kafka's tools show a warning of
their client meanwhile. This asks once, with a connection of its own and a limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from moldau.client import admin as clients
from moldau.client.errors import ClientError, RefusedError
from moldau.programs.tools.kafka.clusters import connection_settings
from moldau.protocol.wire.error_codes import ErrorCode

if TYPE_CHECKING:
    from moldau.programs.tools.command import World

__all__ = ["AbsenceWarning", "absence_of"]

LOOK_S = 1.0
"""A cluster that does not answer sooner is not waited for: what is missing is no topic."""


def absence_of(topic: str, settings: Mapping[str, object]) -> str | None:
    """That the topic does not exist, as a sentence; none if it does, or nothing is known."""
    try:
        with clients.Admin(connection_settings(settings)) as client:
            client.within(LOOK_S).describe_topics([topic]).all()
    except RefusedError as error:
        if error.error is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
            return f"topic {topic} does not exist, or this client may not see it"
    except ClientError:
        pass
    return None


class AbsenceWarning:
    """Written once, when nothing has come for a while."""

    def __init__(self, topic: str | None, settings: Mapping[str, object], world: World) -> None:
        self._topic = topic
        self._settings = settings
        self._world = world

    def at_silence(self) -> None:
        topic, self._topic = self._topic, None
        sentence = absence_of(topic, self._settings) if topic else None
        if sentence is not None:
            self._world.errors.write(f"WARN {sentence}: it is waited for\n")
            self._world.errors.flush()
