"""Tables about groups of Kafka Streams."""

from __future__ import annotations

from moldau.client.admin import StreamsTasks, Task
from moldau.programs.tools.kafka.streams_group_tables import tasks_text


def test_tasks_are_joined_by_their_subtopology():
    tasks = StreamsTasks((Task("0", 1), Task("0", 2), Task("1", 0)), (Task("1", 3),), ())
    assert tasks_text(tasks) == "ACTIVE: 0:[1,2]; 1:[0]; STANDBY: 1:[3]; "
    assert tasks_text(tasks, "TARGET-").startswith("TARGET-ACTIVE: 0:[1,2];")
    assert tasks_text(StreamsTasks((), (), ())) == ""
