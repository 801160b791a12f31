"""What a decision sees of the cluster."""

import pytest

from moldau.broker.controller.situation import is_online
from moldau.broker.metadata.cluster import BrokerState
from moldau.broker.metadata.topics import LOST_DIRECTORY, MIGRATING_DIRECTORY, UNASSIGNED_DIRECTORY
from tests.broker.controller.conversation import Conversation, directory


@pytest.mark.parametrize(
    ("where", "log_dirs", "online"),
    [
        (directory(1), (directory(1),), True),
        (directory(2), (directory(1),), False),
        (directory(2), (), True),
        (UNASSIGNED_DIRECTORY, (directory(1),), True),
        (MIGRATING_DIRECTORY, (directory(1),), True),
        (LOST_DIRECTORY, (), False),
    ],
)
def test_a_broker_serves_the_directories_that_it_has(where, log_dirs, online):
    assert is_online(BrokerState(1, 0, bytes(16), {}, log_dirs=log_dirs), where) is online


def test_only_a_broker_of_one_directory_has_no_choice():
    cluster = Conversation()
    cluster.join(1), cluster.join(2, directories=2)
    situation = cluster.controller._situation(0, 0)
    found = [situation.default_directory(broker_id) for broker_id in (1, 2, 3)]
    assert found == [directory(1), UNASSIGNED_DIRECTORY, MIGRATING_DIRECTORY]
    assert [situation.is_active(broker_id) for broker_id in (1, 3)] == [True, False]
