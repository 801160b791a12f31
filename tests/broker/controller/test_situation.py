"""What a decision sees of the cluster."""

from moldau.broker.metadata.topics import MIGRATING_DIRECTORY, UNASSIGNED_DIRECTORY
from tests.broker.controller.conversation import Conversation, directory


def test_only_a_broker_of_one_directory_has_no_choice():
    cluster = Conversation()
    cluster.join(1), cluster.join(2, directories=2)
    situation = cluster.controller._situation(0, 0)
    found = [situation.default_directory(broker_id) for broker_id in (1, 2, 3)]
    assert found == [directory(1), UNASSIGNED_DIRECTORY, MIGRATING_DIRECTORY]
    assert [situation.is_active(broker_id) for broker_id in (1, 3)] == [True, False]
