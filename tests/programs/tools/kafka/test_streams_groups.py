"""`moldau streams-groups` knows internal topics."""

from __future__ import annotations

from moldau.client.admin import StreamsGroupView, Subtopology, SubtopologyTopic
from moldau.programs.tools.kafka.streams_groups import internal_topics


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
