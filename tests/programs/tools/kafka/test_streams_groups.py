"""`moldau streams-groups` refuses what does not go together, and knows internal topics."""

from __future__ import annotations

import pytest

from moldau.client.admin import StreamsGroupView, Subtopology, SubtopologyTopic
from moldau.programs.tools.kafka.streams_groups import internal_topics

SERVER = "--bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--list --delete", "Command must include exactly one action"),
        ("--list --verbose", "Option(s) [verbose] are unavailable"),
        ("--list --state frob", "Invalid state list 'frob'."),
        ("--describe --group a --members --state", "Option [describe] takes at most one of"),
        ("--delete-offsets --group a", "Option [delete-offsets] takes the [group] and one of"),
        ("--reset-offsets --group a --to-latest", "Option [reset-offsets] takes the option"),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"streams-groups {SERVER} {words}")
    assert code == 1
    assert printed[0].startswith(message)


def test_changelogs_and_repartition_topics_are_internal():
    def made(name: str) -> SubtopologyTopic:
        return SubtopologyTopic(name, 0, 0, {})

    view = StreamsGroupView(
        group_id="app",
        state="Empty",
        epoch=1,
        assignment_epoch=1,
        topology_epoch=0,
        subtopologies=(
            Subtopology("0", ("lines",), ("app-r",), (), ()),
            Subtopology("1", (), (), (made("app-c"),), (made("app-r"),)),
        ),
        members=(),
    )
    assert internal_topics(view) == ["app-c", "app-r"]
