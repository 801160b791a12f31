"""How a kind of group plugs into the shard: its requests and its records, as tables.

A kind is an object made once per shard. To add one: write it, and put it into the list in `shard`.

Three tables say what it does:

- `deciders`: requests that are its own, by class (a consumer group's heartbeat).
- `member_deciders`: requests of the classic protocol, which go to the kind of the group that they
  name: this is how a consumer group takes classic members while they migrate. The classic kind
  takes what names no group yet.
- `appliers`: its records, by the class of their key.

Records of one kind may replace a group of another: a migration writes the tombstones of the one
and the records of the other in one batch, in this order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from moldau.broker.coordinator.group.draft import Draft
from moldau.broker.coordinator.group.group import GroupType
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.protocol.wire.schema import Message

Decider = Callable[[Any, RequestContext, int], Decision]
"""Takes the request, its context, and the time."""
Applier = Callable[[Any, Any, int], None]
"""Takes key, value (None: a tombstone) and the time."""


class GroupKind(Protocol):
    """Everything about groups of one type on one shard."""

    @property
    def group_type(self) -> GroupType: ...

    @property
    def deciders(self) -> Mapping[type[Message], Decider]: ...

    @property
    def member_deciders(self) -> Mapping[type[Message], Decider]: ...

    @property
    def appliers(self) -> Mapping[type[Message], Applier]: ...

    def touch_session(self, group_id: str, member_id: str, now_ms: int) -> None:
        """A member has committed, which keeps its session alive as a heartbeat would."""
        ...

    def loaded(self, draft: Draft, now_ms: int) -> None:
        """All records are applied: set the timers of the groups of this kind."""
        ...

    def metadata_changed(self, draft: Draft, delta: Delta, image: Image, now_ms: int) -> None:
        """The cluster's metadata have changed."""
        ...

    def unloaded(self) -> Sequence[Reply]:
        """Replies to all requests that wait."""
        ...
