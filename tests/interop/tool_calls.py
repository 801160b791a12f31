"""Calls that Kafka's tools and ours are given alike, and where their answers may differ.

A line is a call of the tool it stands under; a line that begins with another tool's name and `:`
prepares something and is run once, by Kafka's tool; `file: NAME TEXT` writes what is read as @NAME.
`ALLOWED` are differences, each by the words of its call, with the reason; `UNORDERED` are calls
whose lines may come in another order.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.interop.tool_calls_cluster import ALLOWED as CLUSTER_ALLOWED
from tests.interop.tool_calls_cluster import CALLS as CLUSTER_CALLS
from tests.interop.tool_calls_cluster import UNORDERED as CLUSTER_UNORDERED
from tests.interop.tool_calls_configs import ALLOWED as CONFIGS_ALLOWED
from tests.interop.tool_calls_configs import CHAPTERS as CONFIGS_CHAPTERS
from tests.interop.tool_calls_configs import UNORDERED as CONFIGS_UNORDERED
from tests.interop.tool_calls_odd import ALLOWED as ODD_ALLOWED
from tests.interop.tool_calls_odd import CHAPTERS as ODD_CHAPTERS
from tests.interop.tool_calls_odd import UNORDERED as ODD_UNORDERED
from tests.interop.tool_calls_rules import ALLOWED as RULES_ALLOWED
from tests.interop.tool_calls_rules import CALLS as RULES_CALLS
from tests.interop.tool_calls_rules import CHAPTERS as RULES_CHAPTERS
from tests.interop.tool_calls_rules import UNORDERED as RULES_UNORDERED
from tests.interop.tool_calls_streams import ALLOWED as STREAMS_ALLOWED
from tests.interop.tool_calls_streams import CALLS as STREAMS_CALLS
from tests.interop.tool_calls_streams import CHAPTERS as STREAMS_CHAPTERS
from tests.interop.tool_calls_streams import UNORDERED as STREAMS_UNORDERED

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
--list --if-exists
--list --command-config
--create --topic ''
--create --topic t_9 --config foo.bar=1
--describe --topic seen --partition-size-limit-per-response x
--describe --topic seen --topic seen_2
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

GROUPS = """
topics: --create --topic seen_2 --partitions 2 --if-not-exists
consumer-groups: --reset-offsets --group still --topic seen_2 --to-earliest --execute
--list
--list --consumer
--list --share
--list --streams
--list --group-type classic
--list --group-type frob
--list --group-type classic --protocol consumer
--list --consumer --share
--list --consumer --protocol a
"""

CONSUMER_GROUPS = """
topics: --create --topic seen_2 --partitions 2 --if-not-exists
consumer-groups: --reset-offsets --group still --topic seen_2 --to-earliest --execute
consumer-groups: --reset-offsets --group gone --topic seen_2 --to-earliest --execute
--list --describe
--list --state frob
--list --type frob
--list --group still
--list --members
--describe
--describe --group no-such
--describe --all-groups --group still
--describe --group still --members --state
--describe --group still --state Empty
--describe --group still --topic seen_2
--describe --group still
--describe --group still --verbose
--describe --group still --members
--describe --group still --members --verbose
--describe --group still --state
--describe --group still --state --verbose
--reset-offsets --group still --topic seen_2 --dry-run
--reset-offsets --group still --topic seen_2 --dry-run --execute --to-latest
--reset-offsets --group still --topic seen_2 --to-earliest --to-latest --dry-run
--reset-offsets --group still --to-earliest --dry-run
--reset-offsets --topic seen_2 --to-earliest --dry-run
--reset-offsets --group still --topic seen_2:1 --to-earliest
--reset-offsets --group still --topic seen_2 --to-latest --execute
--reset-offsets --group still --topic seen_2 --to-current --dry-run
--reset-offsets --group still --topic seen_2:0 --shift-by 0 --dry-run
--reset-offsets --group still --topic seen_2:0 --to-offset 99 --export --dry-run
--reset-offsets --group still --topic seen_2:0 --to-datetime frog --dry-run
--reset-offsets --group still --topic seen_2:0 --to-datetime 2000-01-01T00:00:00.000 --dry-run
--reset-offsets --group still --topic seen_2:0 --by-duration frog --dry-run
--reset-offsets --group still --topic seen_2:0 --by-duration PT1H --dry-run
--reset-offsets --group new --all-topics --to-current --dry-run
--reset-offsets --group still --topic seen_2:x --to-latest --dry-run
--reset-offsets --group still --topic seen_2: --to-latest --dry-run
--reset-offsets --group still --topic seen_2:0:1 --to-latest --dry-run
--reset-offsets --group still --topic seen_2:0,9 --to-latest --dry-run
--reset-offsets --group still --topic no-such --to-latest --dry-run
--reset-offsets --group still --topic no-such:0 --to-latest --dry-run
--reset-offsets --group still --topic seen_2 --to-offset x --dry-run
--reset-offsets --group still --topic seen_2 --to-datetime 2000-01-01T00:00:00 --dry-run
--reset-offsets --group still --topic seen_2 --to-datetime 2000-13-01T00:00:00.000 --dry-run
--reset-offsets --group still --topic seen_2 --to-datetime 2000-01-01T00:00:00.000+02 --dry-run
--reset-offsets --group still --all-topics --to-earliest --dry-run
--reset-offsets --group still --from-file /no-such --dry-run
--list --timeout x
--describe --group still --type
--describe --group still --group still
--validate-regex 'a.*'
--validate-regex 'a('
--validate-regex '(?=a)'
--validate-regex 'a\\'
--validate-regex '(?P<1>a)'
--validate-regex 'a' --list
--delete
--delete --group still --topic seen_2
--delete-offsets --group still
--delete-offsets --group still --topic seen_2:0
--delete-offsets --group still --topic no-such
"""

CONSOLE_PRODUCER = """
topics: --create --topic typed --partitions 1
--topic typed --command-config /dev/null --producer.config /dev/null
--topic typed --command-property a=b --producer-property a=b
--topic typed --property a=b --reader-property a=b
--topic typed --batch-size x
--topic typed --max-partition-memory-bytes 100
--topic typed --request-required-acks 0
--reader-property parse.key=true
"""

CONSOLE_CONSUMER = """
topics: --create --topic shown --partitions 1
console-producer: --topic shown
--from-beginning
--topic shown --include shown
--topic shown --offset 3
--topic shown --partition 0 --offset frob
--topic shown --partition 0 --offset 0 --group a
--topic shown --partition 0 --offset 0 --from-beginning
--topic shown --property print.key=true --formatter-property print.key=true
--topic shown --partition 0 --offset 1 --max-messages 2
--topic shown --partition 0 --offset earliest --max-messages 1 --property print.key=true
--topic shown --partition 0 --offset 0 --max-messages 3 --formatter-property print.offset=true
--topic shown --partition 0 --offset 0 --max-messages 3 --formatter-property print.value=false
--topic shown --partition 0 --offset 0 --max-messages 1 --formatter kafka.tools.NoOpMessageFormatter
--topic shown --partition 0 --offset 0 --max-messages 1 --formatter \
org.apache.kafka.tools.consumer.LoggingMessageFormatter
--topic shown --group a --consumer-property group.id=b
--topic shown --command-config /dev/null --consumer.config /dev/null
--topic shown --include shown
"""

CALLS = {
    "topics": TOPICS,
    "get-offsets": GET_OFFSETS,
    "groups": GROUPS,
    "consumer-groups": CONSUMER_GROUPS,
    "console-producer": CONSOLE_PRODUCER,
    "console-consumer": CONSOLE_CONSUMER,
    **CLUSTER_CALLS,
    **RULES_CALLS,
    **STREAMS_CALLS,
}
CHAPTERS = {**CONFIGS_CHAPTERS, **RULES_CHAPTERS, **STREAMS_CHAPTERS, **ODD_CHAPTERS}
"""More calls of the tool that is the first word, by what they are about."""
ALLOWED = {
    "topics --describe --topic-id abc": "ours names the id that is none in other words",
    "topics --list --topic se(": "the position of the mistake is Java's",
    "console-consumer --topic shown --partition 0 --offset 0 --max-messages 1 --formatter "
    "kafka.tools.NoOpMessageFormatter": "ours names the formatters that there are",
    "consumer-groups --list --members": "Java's shows a trace, whose first line is cut here",
    "consumer-groups --describe --group still --type": "likewise",
    "get-offsets --topic seen --frob": "Java's puts `Error occurred:` before a wrong flag",
    **CLUSTER_ALLOWED,
    **RULES_ALLOWED,
    **STREAMS_ALLOWED,
    **CONFIGS_ALLOWED,
    **ODD_ALLOWED,
}
UNORDERED = {
    "topics --describe": "ours describes topics by name, Java's as a HashMap has them",
    "topics --describe --topic seen.*": "likewise",
    "topics --describe --under-replicated-partitions --at-min-isr-partitions": "likewise",
    "topics --describe --topic seen,seen_2": "likewise",
    "topics --describe --topics-with-overrides": "likewise",
    **CLUSTER_UNORDERED,
    **RULES_UNORDERED,
    **STREAMS_UNORDERED,
    **CONFIGS_UNORDERED,
    **ODD_UNORDERED,
}
THEIRS, OURS = "_java", "_ours"
"""What stands for % in names, where both change something of their own; of equal width."""
NOISE = (
    r"\[\d{4}-\d\d-\d\d .*",  # what log4j prints
    r"\tat .*|\t\.\.\. \d+ more|Caused by: .*|\tSuppressed: .*| \(org\.apache.*",
    r"(?!Error)[\w.$]*(?:Exception|Error)(?::.*)?",  # the head of a trace
    r"New offset .*",  # log4j's in Java
    r"The consumer rebalance protocol \(KIP-848\) is .*",
    r"Did you mean .*|`moldau .* shows all flags\.",
)
MASKS = (
    (
        r"(options|scenarios|states are): .*",
        r"\1: IN ANY ORDER",
    ),  # a set, whose order is another each time
    (r"(Option combination) \"\[\[[^\"]*\"", r"\1 IN ANY ORDER"),  # likewise
    (r"(only supports operations) .*", r"\1 IN ANY ORDER"),  # likewise
    (f"{THEIRS}|{OURS}", "%"),
    (r"TopicId: \S{22}", "TopicId: ID"),
    (r"\b1[78]\d{11}\b", "TIME"),
    (r"\d+ ms ago *", "AGO"),
    (r"((?:HighWatermark|MaxFollowerLag|MaxFollowerLagTimeMs): *|Epoch: )\d+", r"\1OFFSET"),
    (r"config for [\w-]{22}\.", "config for ID."),
    (r"^(\d+ *\t[\w-]{22}\t)\d+ *\t", r"\1OFFSET\t"),  # of a voter, which writes all the time
)
PARTITIONS = re.compile(r"((?:Valid replica|Successfully completed leader).* partitions )(.*)")
SETTLE = "settle"
"""A line that waits until no partition changes."""
FILE = re.compile(r"file: (\S+) (.+)")
"""A line that writes a file, whose place then stands for `@NAME`."""


def tool_of(chapter: str) -> str:
    return chapter.split(" ")[0].rstrip(",")


def steps(tool: str, folder: Path, calls: str | None = None) -> list[tuple[str, str, bool]]:
    """Which tool is given which words, in their order, and whether the answers are compared."""
    found = []
    for line in (CALLS[tool] if calls is None else calls).strip().splitlines():
        if line == SETTLE:
            found.append((SETTLE, "", False))
            continue
        file = FILE.fullmatch(line)
        if file is not None:
            (folder / file[1]).write_text(file[2].replace("\\n", "\n"))
            continue
        other, colon, words = line.partition(": ")
        prepares = bool(colon) and other in (*CALLS, "console-producer")
        found.append((other, words, False) if prepares else (tool, line, True))
    return found


def masked(printed: str) -> list[str]:
    """Its lines without ids, times, traces, and the table of flags after wrong usage."""
    lines = []
    for line in without_usage(printed).splitlines():
        if re.match(r"Option .*Description", line):
            break
        if not any(re.fullmatch(noise, line) for noise in NOISE):
            for pattern, instead in MASKS:
                line = re.sub(pattern, instead, line)
            lines.append(in_order(line.rstrip()))
    return "\n".join(lines).strip().splitlines()


def without_usage(printed: str) -> str:
    """Without what argparse4j shows before it comes to the point, in lines and full of spaces."""
    found = re.search(r"^usage: .*?^(kafka-[\w.-]+:\s+error:.*)", printed, re.DOTALL | re.MULTILINE)
    return " ".join(found[1].split()) if found else printed


def in_order(line: str) -> str:
    """JSON and sets of partitions in any order as in one; what else a line may be, as it is."""
    found = PARTITIONS.match(line)
    if found is not None:
        return found[1] + ", ".join(sorted(found[2].split(", ")))
    if not line.startswith('{"'):
        return line
    return json.dumps(sorted_lists(json.loads(line)))


def sorted_lists(value: object) -> object:
    if isinstance(value, dict):
        return {key: sorted_lists(one) for key, one in value.items()}
    return sorted(map(sorted_lists, value), key=str) if isinstance(value, list) else value
