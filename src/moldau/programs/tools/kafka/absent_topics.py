"""Whether a topic does not exist for which a client of a tool would wait.

A consumer waits for such a topic, as it may be created yet, and Kafka's tools show a warning of
their client meanwhile. A producer waits for `max.block.ms`, since a broker may create it. This asks
once, with a connection of its own and a limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from moldau.client import admin as clients
from moldau.client.admin import ConfigResource
from moldau.client.errors import ClientError, RefusedError
from moldau.errors import MoldauError
from moldau.programs.tools.kafka.clusters import connection_settings
from moldau.protocol.wire.error_codes import ErrorCode

if TYPE_CHECKING:
    from moldau.client.admin import Admin
    from moldau.programs.tools.command import World

__all__ = ["AbsenceWarning", "absence_of", "refuse_absent"]

AUTO_CREATION = "auto.create.topics.enable"
LOOK_S = 1.0
"""A cluster that does not answer sooner is not waited for: what is missing is no topic."""


def absence_of(topic: str, settings: Mapping[str, object]) -> str | None:
    """That the topic does not exist, as a sentence; none if it does, or nothing is known."""
    with clients.Admin(connection_settings(settings)) as client:
        if _is_absent(topic, client.within(LOOK_S)):
            return f"topic {topic} does not exist, or this client may not see it"
    return None


def refuse_absent(topic: str, settings: Mapping[str, object]) -> None:
    """Raise where a record for it can only wait: it is not there, and brokers create none."""
    with clients.Admin(connection_settings(settings)) as client:
        asking = client.within(LOOK_S)
        if _is_absent(topic, asking) and _is_none_created(asking):
            raise MoldauError(
                f"topic {topic} does not exist, or this client may not see it, and "
                f"{AUTO_CREATION}=false at the brokers: create it first"
            )


def _is_absent(topic: str, asking: Admin) -> bool:
    try:
        asking.describe_topics([topic]).all()
    except RefusedError as error:
        return error.error is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    except ClientError:
        pass
    return False


def _is_none_created(asking: Admin) -> bool:
    """Whether a broker says so; who may not read its settings waits."""
    try:
        resource = ConfigResource.broker(asking.describe_cluster().nodes[0].node_id)
        entries = asking.describe_configs([resource]).all()[resource]
    except (ClientError, IndexError):
        return False
    return AUTO_CREATION in entries and entries[AUTO_CREATION].value == "false"


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
