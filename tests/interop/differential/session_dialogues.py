"""Dialogues of fetch sessions (KIP-227): what is sent again and what is not."""

from __future__ import annotations

from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.produce import ProduceRequest
from tests.interop.differential.dialogues import Dialogue, Step, known
from tests.interop.differential.values import batch

TOPIC_IDS = 13


def fetch(version, session, epoch, wanted=(), forgotten=(), **limits):
    """`wanted` are topic, partition and offset."""
    of, given_up = FetchRequest.FetchTopic, FetchRequest.ForgottenTopic
    return FetchRequest(
        **{"max_wait_ms": 0, "min_bytes": 0, **limits},
        session_id=session,
        session_epoch=epoch,
        topics=[
            of(
                **topic_of(version, topic),
                partitions=[
                    of.FetchPartition(
                        partition=index, fetch_offset=offset, partition_max_bytes=1 << 20
                    )
                ],
            )
            for topic, index, offset in wanted
        ],
        forgotten_topics_data=[
            given_up(**topic_of(version, topic), partitions=[index]) for topic, index in forgotten
        ],
    )


def topic_of(version, topic):
    if version < TOPIC_IDS:
        return {"topic": topic}
    return {"topic_id": known(f"topic:{topic}", b"\x07" * 16)}


def write(topic):
    data = ProduceRequest.TopicProduceData
    part = data.PartitionProduceData(index=0, records=batch())
    return ProduceRequest(
        acks=-1, timeout_ms=5000, topic_data=[data(name=topic, partition_data=[part])]
    )


def session(version: int) -> Dialogue:
    """One session's whole life."""
    name = f"session:{version}"
    mine = known(name, 0)
    wanted = [("plain", 0, 0), ("many", 0, 0), ("missing", 0, 0), ("many", 99, 0)]
    yield Step(fetch(version, 0, 0, wanted), version, {name: lambda answer: answer.session_id})
    yield Step(fetch(version, mine, 1), version)
    yield Step(fetch(version, mine, 2, [("plain", 0, 10**6)]), version)
    yield Step(fetch(version, mine, 3, [("plain", 0, 9), ("many", 0, 9)]), version)
    yield Step(write("plain"), 9)
    yield Step(fetch(version, mine, 4), version)
    yield Step(fetch(version, mine, 4), version)
    yield Step(fetch(version, mine, 9), version)
    yield Step(fetch(version, mine, 5, [("stamped", 0, 1)], [("many", 0)]), version)
    yield Step(fetch(version, mine, 6, (), [("plain", 0), ("stamped", 0)]), version)
    yield Step(fetch(12 if version >= TOPIC_IDS else 13, mine, 7), 12 if version >= 13 else 13)
    yield Step(fetch(version, mine, 7), version)
    yield Step(fetch(version, mine, -1, wanted), version)
    yield Step(fetch(version, mine, 8), version)
    yield Step(fetch(version, 4711, 1), version)


def keeping_up(version: int, level: int) -> Dialogue:
    """A consumer at the ends of two partitions, to which records come."""
    name = f"keeping up:{version}:{level}"
    mine, ends = known(name, 0), [known(f"{name}:{number}", 0) for number in range(3)]
    learn = {name: lambda answer: answer.session_id, f"{name}:0": end_of}
    limits = {"isolation_level": level, "min_bytes": 1, "max_wait_ms": 20}
    yield Step(fetch(version, 0, 0, [("plain", 0, 0)], **limits), version, learn)
    yield Step(fetch(version, mine, 1, [("plain", 0, ends[0])], **limits), version)
    yield Step(fetch(version, mine, 2, [("many", 0, 0)], **limits), version, {f"{name}:1": end_of})
    yield Step(fetch(version, mine, 3, [("many", 0, ends[1])], **limits), version)
    yield Step(write("plain"), 9)
    yield Step(write("many"), 9)
    yield Step(fetch(version, mine, 4, max_bytes=10, **limits), version)
    yield Step(fetch(version, mine, 5, **limits), version, {f"{name}:2": end_of})
    yield Step(fetch(version, mine, 6, **limits), version)
    yield Step(fetch(version, mine, 7, [("plain", 0, ends[0])], [("many", 0)], **limits), version)
    yield Step(fetch(version, mine, 8, [("many", 0, ends[1])], **limits), version)
    yield Step(fetch(version, mine, 9, (), [("plain", 0)], **limits), version)
    yield Step(fetch(version, mine, -1), version)


def end_of(answer):
    """Of the partition that is answered first."""
    return answer.responses[0].partitions[0].high_watermark


def session_dialogues() -> list[Dialogue]:
    return [session(version) for version in range(7, 19)] + [
        keeping_up(version, level) for version in (7, 12, 13, 15, 18) for level in (0, 1)
    ]
