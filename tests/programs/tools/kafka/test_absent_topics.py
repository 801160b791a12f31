"""When a reader is warned of a topic that does not exist."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

import pytest

from moldau.client.admin import Admin, NewTopic
from moldau.errors import MoldauError
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.absent_topics import AbsenceWarning, absence_of, refuse_absent
from tests.interop.running_node import running_node

DEAD = "127.0.0.1:1"


@pytest.fixture(scope="module")
def settings(tmp_path_factory) -> Iterator[dict[str, object]]:
    with running_node(tmp_path_factory.mktemp("node")) as bootstrap:
        with Admin(bootstrap) as admin:
            admin.create_topics([NewTopic("there", partitions=1, replication_factor=1)]).all()
        yield {"bootstrap.servers": bootstrap, "group.id": "g", "max.partition.fetch.bytes": "9"}


def test_a_topic_is_absent_or_not_and_looking_creates_none(settings):
    sentence = "topic missing does not exist, or this client may not see it"
    assert absence_of("missing", settings) == sentence
    assert absence_of("missing", settings) == sentence
    assert absence_of("there", settings) is None


def test_of_a_cluster_that_does_not_answer_nothing_is_known():
    assert absence_of("missing", {"bootstrap.servers": DEAD}) is None


def test_where_brokers_create_topics_or_do_not_answer_nothing_is_refused(settings):
    refuse_absent("missing", settings)
    refuse_absent("missing", {"bootstrap.servers": DEAD})
    assert absence_of("missing", settings) is not None


def test_where_brokers_create_none_an_absent_topic_is_refused(tmp_path):
    with running_node(tmp_path, auto_create_topics_enable="false") as bootstrap:
        strict = {"bootstrap.servers": bootstrap}
        with pytest.raises(MoldauError, match=r"topic missing does not exist.*: create it first"):
            refuse_absent("missing", strict)
        with Admin(bootstrap) as admin:
            admin.create_topics([NewTopic("missing", partitions=1, replication_factor=1)]).all()
        refuse_absent("missing", strict)


def test_the_warning_comes_once(settings):
    errors = StringIO()
    world = World(
        files=SimulatedFiles(),
        clock=SimulatedClock(),
        random=SeededRandom(1),
        out=StringIO(),
        errors=errors,
    )
    warning = AbsenceWarning("missing", settings, world)
    for _ in range(2):
        warning.at_silence()
    AbsenceWarning(None, settings, world).at_silence()
    assert errors.getvalue().startswith("WARN topic missing does not exist")
    assert errors.getvalue().count("\n") == 1
