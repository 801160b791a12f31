"""Topics that are created by a request for them.

A broker creates a topic that a client's Metadata request names, if `auto.create.topics.enable` and
the client both allow it, and the topics of its coordinators when the first group or transaction
needs them. As in Kafka the client gets that there is no such topic yet and asks again; the
creation goes to the controller in the background, once at a time for each name.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from typing import cast

from moldau.broker.controller.decision import Call as ControllerCall
from moldau.broker.metadata.topics import (
    INTERNAL_TOPICS,
    OFFSETS_TOPIC,
    SHARE_STATE_TOPIC,
    TRANSACTIONS_TOPIC,
)
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.mutations import strict_charge_for
from moldau.errors import MoldauError
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest, CreateTopicsResponse
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = [
    "INTERNAL_TOPICS",
    "OFFSETS_TOPIC",
    "SHARE_STATE_TOPIC",
    "TRANSACTIONS_TOPIC",
    "TopicCreation",
    "is_legal_name",
]

log = logging.getLogger(__name__)

CREATE_VERSION = 7
BROKER_DEFAULT = -1
"""As a number of partitions or replicas: what the controller's settings say."""
NAMES_MAX = 1000
"""Under way at a time; a request for more has to come again."""
_LEGAL = re.compile(r"[a-zA-Z0-9._-]{1,249}")

Topic = CreateTopicsRequest.CreatableTopic


def is_legal_name(name: str) -> bool:
    """Kafka's rule for the names of topics."""
    return _LEGAL.fullmatch(name) is not None and name not in (".", "..")


class TopicCreation:
    """Asks the controller for topics, each once at a time."""

    def __init__(self) -> None:
        self._under_way: set[str] = set()

    def begin(self, broker: Broker, names: Iterable[str], caller: Call | None = None) -> None:
        """Have those of these topics created that are not being created already.

        They count against the caller's quota.
        """
        self.begin_described(broker, (_described(broker, name) for name in names), caller)

    def begin_described(
        self, broker: Broker, topics: Iterable[Topic], caller: Call | None = None
    ) -> None:
        """The same for topics whose size and configs are given."""
        room = NAMES_MAX - len(self._under_way)
        missing = [topic for topic in topics if topic.name not in self._under_way][:room]
        if missing:
            self._under_way.update(topic.name for topic in missing)
            broker.tasks.spawn(f"create {missing[0].name}", self._create(broker, missing, caller))

    async def _create(self, broker: Broker, topics: list[Topic], caller: Call | None) -> None:
        names = [topic.name for topic in topics]
        request = CreateTopicsRequest(topics=topics, timeout_ms=broker.settings.request_timeout_ms)
        try:
            charge = strict_charge_for(caller, broker)
            asking = ControllerCall(version=CREATE_VERSION, charge=charge)
            answer = await broker.metadata.ask(request, asking)
        except MoldauError as error:
            log.warning("Could not create %s: %s", ", ".join(names), error)
        else:
            for topic in cast("CreateTopicsResponse", answer).topics:
                if topic.error_code not in (ErrorCode.NONE, ErrorCode.TOPIC_ALREADY_EXISTS):
                    log.warning("Could not create %s: %s", topic.name, topic.error_message)
        finally:
            self._under_way.difference_update(names)


def _described(broker: Broker, name: str) -> Topic:
    settings = broker.settings
    match name:
        case "__consumer_offsets":
            return _topic(
                name,
                settings.offsets_topic_num_partitions,
                settings.offsets_topic_replication_factor,
                cleanup_policy="compact",
                compression_type="producer",
                segment_bytes=settings.offsets_topic_segment_bytes,
            )
        case "__transaction_state":
            return _topic(
                name,
                settings.transaction_state_log_num_partitions,
                settings.transaction_state_log_replication_factor,
                unclean_leader_election_enable="false",
                compression_type="uncompressed",
                cleanup_policy="compact",
                min_insync_replicas=settings.transaction_state_log_min_isr,
                segment_bytes=settings.transaction_state_log_segment_bytes,
            )
        case "__share_group_state":
            return _topic(
                name,
                settings.share_coordinator_state_topic_num_partitions,
                settings.share_coordinator_state_topic_replication_factor,
                cleanup_policy="delete",
                compression_type="producer",
                segment_bytes=settings.share_coordinator_state_topic_segment_bytes,
                retention_ms=-1,
                min_insync_replicas=settings.share_coordinator_state_topic_min_isr,
            )
        case _:
            given = settings.given
            return _topic(
                name,
                settings.num_partitions if "num.partitions" in given else BROKER_DEFAULT,
                settings.default_replication_factor
                if "default.replication.factor" in given
                else BROKER_DEFAULT,
            )


def _topic(name: str, partitions: int, replicas: int, **configs: object) -> Topic:
    return Topic(
        name=name,
        num_partitions=partitions,
        replication_factor=replicas,
        assignments=[],
        configs=[
            Topic.CreatableTopicConfig(name=key.replace("_", "."), value=str(value))
            for key, value in configs.items()
        ],
    )
