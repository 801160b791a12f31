"""Offsets of a topic's partitions as text: `0:12,1:7`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from moldau.client import TopicPartition
from moldau.programs.rest.refusals import bad_request

__all__ = ["Offsets", "places_of", "text_of"]

PLACES: Final = re.compile(r"[0-9]{1,9}:[0-9]{1,18}(,[0-9]{1,9}:[0-9]{1,18})*")
Offsets = dict[TopicPartition, int]


def places_of(text: str, topic: str, first: Offsets, last: Offsets) -> Offsets:
    """What the text names of the partitions that are there, moved to where their logs are."""
    if not PLACES.fullmatch(text):
        raise bad_request("offsets are written as PARTITION:OFFSET[,…], such as 0:12,1:7")
    pairs = (pair.split(":") for pair in text.split(","))
    given = {TopicPartition(topic, int(number)): int(offset) for number, offset in pairs}
    return {
        part: min(max(offset, first[part]), last[part])
        for part, offset in given.items()
        if part in last
    }


def text_of(places: Mapping[TopicPartition, int]) -> str:
    return ",".join(f"{part.partition}:{offset}" for part, offset in sorted(places.items()))
