"""Topics, partitions, records and offsets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from moldau.client.arguments.admin import offset_place_of, partitions_of
from moldau.client.arguments.places import (
    AnyPartition,
    AnyTime,
    isolation_of,
    keyed_by_partition,
)
from moldau.client.core import admin as calls
from moldau.client.core.admin.choices import ElectionType, chosen
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.offset_lookups import Isolation
from moldau.client.sync.admin.asking import Asking
from moldau.client.topic_partition import TopicPartition

if TYPE_CHECKING:
    from moldau.client.core.admin.offsets import OffsetPlace, OffsetView
    from moldau.client.core.admin.partitions import Reassignment
    from moldau.client.core.admin.topic_views import FirstTopics, ListedTopic, TopicView
    from moldau.client.core.admin.topics import AnyTopic, CreatedTopic, NewPartitions

__all__ = ["TopicCalls"]


class TopicCalls(Asking):
    """What is stored, and where."""

    def create_topics(
        self,
        topics: AnyTopic | Iterable[AnyTopic],
        *,
        validate_only: bool = False,
        retries_throttled: bool = True,
    ) -> Outcomes[str, CreatedTopic]:
        """Create topics, or with `validate_only` find out whether they could be."""
        return self._hold(
            calls.create_topics(
                self._call(),
                topics,
                validate_only=validate_only,
                retries_throttled=retries_throttled,
            )
        )

    def delete_topics(
        self, names: str | Iterable[str], *, retries_throttled: bool = True
    ) -> Outcomes[str, None]:
        """Delete topics and all their records."""
        return self._hold(
            calls.delete_topics(self._call(), names, retries_throttled=retries_throttled)
        )

    def delete_topics_by_id(
        self, ids: str | Iterable[str], *, retries_throttled: bool = True
    ) -> Outcomes[str, None]:
        """The same, of topics that are named by their ids."""
        return self._hold(
            calls.delete_topics_by_id(self._call(), ids, retries_throttled=retries_throttled)
        )

    def list_topics(self, *, internal: bool = False) -> dict[str, ListedTopic]:
        """All topics by name, internal ones only if they are wanted."""
        return self._hold(calls.list_topics(self._call(), internal=internal))

    def describe_all_topics(self, *, internal: bool = False) -> dict[str, TopicView]:
        """All topics with their partitions, in one request."""
        return self._hold(calls.describe_all_topics(self._call(), internal=internal))

    def describe_first_topics(self, *, partitions: int, begin: str | None = None) -> FirstTopics:
        """The beginning of the list of all topics, as far as so many partitions go.

        With `begin`, from this name on: the `next_topic` of the ones before.
        """
        asked = calls.describe_first_topics(self._call(), partitions=partitions, begin=begin)
        return self._hold(asked)

    def describe_topics(
        self, names: str | Iterable[str], *, operations: bool = False
    ) -> Outcomes[str, TopicView]:
        """Partitions, leaders and replicas; with `operations` what the caller may do."""
        return self._hold(calls.describe_topics(self._call(), names, operations=operations))

    def describe_topics_by_id(
        self, ids: str | Iterable[str], *, operations: bool = False
    ) -> Outcomes[str, TopicView]:
        """The same, by the ids of topics."""
        return self._hold(calls.describe_topics_by_id(self._call(), ids, operations=operations))

    def create_partitions(
        self,
        counts: Mapping[str, NewPartitions | int],
        *,
        validate_only: bool = False,
        retries_throttled: bool = True,
    ) -> Outcomes[str, None]:
        """Give topics more partitions: how many each shall have in all."""
        return self._hold(
            calls.create_partitions(
                self._call(),
                counts,
                validate_only=validate_only,
                retries_throttled=retries_throttled,
            )
        )

    def delete_records(self, before: Mapping[Any, int | None]) -> Outcomes[TopicPartition, int]:
        """Delete what is below an offset of each partition, None for all; where logs begin now."""
        return self._hold(calls.delete_records(self._call(), keyed_by_partition(before)))

    def elect_leaders(
        self,
        parts: Iterable[AnyPartition] | None = None,
        *,
        election: ElectionType | str = ElectionType.PREFERRED,
    ) -> Outcomes[TopicPartition, None]:
        """Have the first replica lead; or with UNCLEAN any that lives, if no other does."""
        kind = chosen(ElectionType, election)
        return self._hold(calls.elect_leaders(self._call(), partitions_of(parts), kind))

    def alter_partition_reassignments(
        self,
        replicas: Mapping[Any, Sequence[int] | None],
        *,
        allow_replication_factor_change: bool = True,
    ) -> Outcomes[TopicPartition, None]:
        """Move partitions to these brokers, the preferred leader first; None gives up a move."""
        return self._hold(
            calls.alter_partition_reassignments(
                self._call(),
                keyed_by_partition(replicas),
                allow_replication_factor_change=allow_replication_factor_change,
            )
        )

    def list_partition_reassignments(
        self, parts: Iterable[AnyPartition] | None = None
    ) -> dict[TopicPartition, Reassignment]:
        """Which partitions are moving, of these or of all."""
        return self._hold(calls.list_partition_reassignments(self._call(), partitions_of(parts)))

    def list_offsets(
        self,
        wanted: Mapping[Any, OffsetPlace | AnyTime],
        *,
        isolation: Isolation | str = Isolation.READ_UNCOMMITTED,
    ) -> Outcomes[TopicPartition, OffsetView]:
        """The offset of a place in each partition, or of its first record that is not older."""
        places = keyed_by_partition(wanted)
        asked = {part: offset_place_of(place) for part, place in places.items()}
        return self._hold(calls.list_offsets(self._call(), asked, isolation_of(isolation)))
