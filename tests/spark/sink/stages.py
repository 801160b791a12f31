"""How far a query that copies a topic has come, seen from outside: by what it has written.

    planned    Spark has noted which records are in a batch
    written    records are in the target, in transactions that nothing has decided yet
    decided    the log of the sink has a decision, or the end of one
    noted      Spark has noted that a batch is done

Each is a number that grows with every batch, so a test can wait for the next time, however slow the
machine is. A broker that is away, or a topic that is not there yet, shows no growth.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from confluent_kafka import Consumer, KafkaException, TopicPartition

from moldau.spark.sink.options import DECISIONS

STAGES = ("planned", "written", "decided", "noted")
PATIENCE_S = 2.0
"""For one answer; callers ask again."""


class Stages:
    """Of one query: its checkpoint, its target and its decisions."""

    def __init__(self, bootstrap: str, target: str, partitions: int, checkpoint: Path) -> None:
        self._checkpoint = checkpoint
        self._target = [TopicPartition(target, number) for number in range(partitions)]
        self._consumer = Consumer(
            {
                "bootstrap.servers": bootstrap,
                "group.id": "stages",
                "isolation.level": "read_uncommitted",
                "reconnect.backoff.max.ms": 100,
                "log_level": 0,
            }
        )
        self._seen = dict.fromkeys(STAGES, 0)

    def close(self) -> None:
        self._consumer.close()

    def reached(self, stage: str) -> int:
        """How often, in the stage's own unit: batches, or offsets."""
        with suppress(KafkaException):
            self._seen[stage] = max(self._seen[stage], self._look(stage))
        return self._seen[stage]

    def _look(self, stage: str) -> int:
        match stage:
            case "planned":
                return self._batches("offsets")
            case "noted":
                return self._batches("commits")
            case "written":
                return sum(map(self._end, self._target))
            case _:
                return self._end(TopicPartition(DECISIONS, 0))

    def _batches(self, folder: str) -> int:
        names = (found.name for found in (self._checkpoint / folder).glob("*"))
        return max((int(name) + 1 for name in names if name.isdigit()), default=0)

    def _end(self, part: TopicPartition) -> int:
        found = self._consumer.get_watermark_offsets(part, PATIENCE_S, cached=False)
        return int(found[1]) if found else 0
