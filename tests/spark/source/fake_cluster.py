"""A cluster that is a table of numbers, for callers that ask about offsets only."""

from __future__ import annotations

from moldau.client import TopicPartition


class FakeCluster:
    """Each partition is where it begins, where it ends, and where it ends for the committed."""

    def __init__(self) -> None:
        self.begins: dict[TopicPartition, int] = {}
        self.ends: dict[TopicPartition, int] = {}
        self.stable: dict[TopicPartition, int] = {}
        self.times: dict[tuple[TopicPartition, int], int] = {}

    def has(self, topic: str, partition: int, begin: int, end: int) -> TopicPartition:
        part = TopicPartition(topic, partition)
        self.begins[part], self.ends[part] = begin, end
        return part

    def forgets(self, part: TopicPartition) -> None:
        del self.begins[part], self.ends[part]

    def topics(self, pattern=None):
        found: dict[str, list[int]] = {}
        for topic, partition in sorted(self.ends):
            if pattern is None or pattern.fullmatch(topic):
                found.setdefault(topic, []).append(partition)
        return found

    def partitions(self, topics):
        return {topic: self.topics()[topic] for topic in topics}

    def earliest(self, parts):
        return {part: self.begins[part] for part in parts}

    def latest(self, parts, *, isolation=None):
        ends = self.stable if isolation == "read_committed" else self.ends
        return {part: ends.get(part, self.ends[part]) for part in parts}

    def at_time(self, parts_to_ms):
        return {part: self.times.get((part, at)) for part, at in parts_to_ms.items()}
