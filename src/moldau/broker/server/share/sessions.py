"""Which partitions a member of a share group fetches, remembered between its requests.

    epoch 0     the session begins; an older one of this member ends      nothing to acknowledge yet
    epoch -1    it ends; what the member still has goes back
    epoch n     one more than last time: only changes are listed

Unlike fetch sessions these have no ids: a member has one, and its connection holds it. When the
connection closes the session ends. Without a session nothing can be acknowledged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from moldau.broker.server.fetch.session import FIRST_EPOCH
from moldau.broker.server.fetch.sessions import FINAL_EPOCH, next_epoch
from moldau.errors import KafkaError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.share.share_fetch import ShareFetchRequest
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["FINAL_EPOCH", "FIRST_EPOCH", "ShareSession", "ShareSessions", "forgotten", "listed"]

PartitionKey = tuple[bytes, int]
"""Topic id and index."""
MemberKey = tuple[str, str]
"""Group and member."""


@dataclass(slots=True, eq=False)
class ShareSession:
    """A member's session: the partitions of its fetches, so that it need not repeat them."""

    group_id: str
    member_id: str
    connection_id: int
    epoch: int = FIRST_EPOCH + 1
    """The next request's."""
    partitions: dict[PartitionKey, None] = field(default_factory=dict)

    def update(self, added: Iterable[PartitionKey], forgotten: Iterable[PartitionKey]) -> None:
        self.partitions.update(dict.fromkeys(added))
        for key in forgotten:
            self.partitions.pop(key, None)

    def rotated(self, epoch: int) -> list[PartitionKey]:
        """All its partitions, each time another one first."""
        keys = list(self.partitions)
        if not keys:
            return keys
        first = max(0, epoch) % len(keys)
        return keys[first:] + keys[:first]


class ShareSessions:
    """All share sessions of a broker."""

    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._sessions: dict[MemberKey, ShareSession] = {}
        self.evicted_count = 0
        """Of sessions that were not ended by their members, but lost with their connection."""

    def __len__(self) -> int:
        return len(self._sessions)

    @property
    def partition_count(self) -> int:
        """The partitions of all sessions together."""
        return sum(len(session.partitions) for session in self._sessions.values())

    def __repr__(self) -> str:
        return f"ShareSessions({len(self)} of {self._slots})"

    def begin(self, request: ShareFetchRequest, connection_id: int) -> ShareSession:
        """The session that this fetch opens."""
        key = _member(request.group_id, request.member_id)
        self._sessions.pop(key, None)
        if len(self._sessions) >= self._slots:
            raise KafkaError(ErrorCode.SHARE_SESSION_LIMIT_REACHED)
        session = self._sessions[key] = ShareSession(*key, connection_id)
        session.update(listed(request), ())
        return session

    def go_on(
        self, group_id: str | None, member_id: str | None, epoch: int, connection_id: int
    ) -> ShareSession:
        """The session that this request goes on with; its epoch rises."""
        session = self.get(group_id, member_id)
        if session.epoch != epoch:
            raise KafkaError(ErrorCode.INVALID_SHARE_SESSION_EPOCH)
        session.connection_id = connection_id
        session.epoch = next_epoch(session.epoch)
        return session

    def get(self, group_id: str | None, member_id: str | None) -> ShareSession:
        """The member's session, or SHARE_SESSION_NOT_FOUND."""
        session = self._sessions.get(_member(group_id, member_id))
        if session is None:
            raise KafkaError(ErrorCode.SHARE_SESSION_NOT_FOUND)
        return session

    def end(self, session: ShareSession) -> None:
        key = session.group_id, session.member_id
        if self._sessions.get(key) is session:
            del self._sessions[key]

    def has_group(self, group_id: str) -> bool:
        """Whether any member of the group has a session."""
        return any(group == group_id for group, _ in self._sessions)

    def of_connection(self, connection_id: int) -> list[ShareSession]:
        return [one for one in self._sessions.values() if one.connection_id == connection_id]


def _member(group_id: str | None, member_id: str | None) -> MemberKey:
    return group_id or "", member_id or ""


def listed(request: ShareFetchRequest) -> list[PartitionKey]:
    """The partitions that the request names."""
    return [
        (topic.topic_id, one.partition_index)
        for topic in request.topics
        for one in topic.partitions
    ]


def forgotten(request: ShareFetchRequest) -> list[PartitionKey]:
    """The partitions that the request removes from the session."""
    return [
        (topic.topic_id, index)
        for topic in request.forgotten_topics_data
        for index in topic.partitions
    ]
