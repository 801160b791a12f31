"""Calls that Kafka's tools and ours are given alike, and where their answers may differ.

A line is a call of the tool it stands under; a line that begins with another tool's name and `:`
prepares something and is run once, by Kafka's tool. `allowed` are differences, each by the words of
its call, with the reason; `UNORDERED` are calls whose lines may come in another order.
"""

from __future__ import annotations

import re

TOPICS = """
--list
--describe --topic no-such
--create
--list --create
--list --partitions 4
--bogus
--lis
-list
--create --topic a --partitions x
--create --topic a --topic b
--create --topic a.b --partitions 0
--create --topic c --config foo
--create --topic c --config foo=1
--create --topic c --config retention.ms=x
--create --topic c --replication-factor 30
--create --topic c --replication-factor 0
--create --topic bad/name
--create --topic q --replica-assignment 1:1
--create --topic q --replica-assignment 1:2,1
--create --topic q --replica-assignment 1,1 --partitions 2
--alter --topic no-such --partitions 1
--alter --topic c
--describe --if-not-exists
--describe --if-exists
--delete --topic no-such --if-exists
--delete --topic no-such
--list --topics-with-overrides
--describe --topics-with-overrides --under-replicated-partitions
--describe --under-replicated-partitions --at-min-isr-partitions
topics: --create --topic seen --partitions 12
topics: --create --topic seen_2 --partitions 2 --config retention.ms=100000 --config segment.ms=9999
topics: --create --topic seen.3 --replica-assignment 1,1,1
--create --topic seen
--create --topic seen --if-not-exists
--alter --topic seen_2 --partitions 1
--alter --topic seen --partitions 3 --replication-factor 1
--describe
--describe --topic seen.*
--describe --topic seen,seen_2
--describe --topics-with-overrides
--describe --at-min-isr-partitions --topic seen
--describe --unavailable-partitions --under-min-isr-partitions
--describe --topic-id AAAAAAAAAAAAAAAAAAAAAQ
--describe --topic-id abc
--list --topic seen.*
--list --exclude-internal
--list --topic se(
"""

GET_OFFSETS = """
topics: --create --topic seen --partitions 12 --if-not-exists
topics: --create --topic seen_2 --partitions 2 --if-not-exists
console-producer: --topic seen_2
--topic seen.*
--topic seen,seen_2 --time -2
--topic seen --partitions 1,3,10
--topic-partitions seen:3-,seen_2
--topic-partitions seen:-2,seen_2:1
--topic-partitions seen --topic c
--topic no-such
--topic seen --time frog
--topic seen --time 0
--topic seen_2 --time -3
--topic seen --partitions x
--topic seen --frob
--topic seen_2 --time 99999999999999 --exclude-internal-topics
"""

CALLS = {"topics": TOPICS, "get-offsets": GET_OFFSETS}
ALLOWED = {
    "topics --describe --topic-id abc": "ours names the id that is none in other words",
    "topics --list --topic se(": "the position of the mistake is Java's",
    "get-offsets --topic seen --frob": "Java's puts `Error occurred:` before a wrong flag",
}
UNORDERED = {
    "topics --describe": "ours describes topics by name, Java's as a HashMap has them",
    "topics --describe --topic seen.*": "likewise",
    "topics --describe --topic seen,seen_2": "likewise",
    "topics --describe --topics-with-overrides": "likewise",
}
NOISE = (
    r"\[\d{4}-\d\d-\d\d .*",  # what log4j prints
    r"\tat .*|\t\.\.\. \d+ more|Caused by: .*| \(org\.apache.*",
    r"(?!Error)[\w.$]*(?:Exception|Error)(?::.*)?",  # the head of a trace
    r"Did you mean .*|`moldau .* shows all flags\.",
)
MASKS = ((r"TopicId: \S{22}", "TopicId: ID"), (r"\b1[78]\d{11}\b", "TIME"))


def steps(tool: str) -> list[tuple[str, str]]:
    """Which tool is given which words, in their order."""
    found = []
    for line in CALLS[tool].strip().splitlines():
        other, colon, words = line.partition(": ")
        found.append((other, words) if colon and not other.startswith("-") else (tool, line))
    return found


def masked(printed: str) -> list[str]:
    """Its lines without ids, times, traces, and the table of flags after wrong usage."""
    lines = []
    for line in printed.splitlines():
        if re.match(r"Option .*Description", line):
            break
        if not any(re.fullmatch(noise, line) for noise in NOISE):
            for pattern, instead in MASKS:
                line = re.sub(pattern, instead, line)
            lines.append(line.rstrip())
    return "\n".join(lines).strip().splitlines()
