"""Where interactive queries find state."""

from __future__ import annotations

from tests.broker.coordinator.group.streams.conversation import beat, join, part, stage, topology


def endpoints(reply) -> list[tuple[str, str, list[int]]]:
    return [
        (one.user_endpoint.host, entry.topic, entry.partitions)
        for one in reply.answer.partitions_by_user_endpoint
        for entry in one.active_partitions
    ]


def test_a_member_is_found_by_the_partitions_it_reads():
    sent = topology(part("0", "t", "u"))
    coordinator = stage(t=3, u=2)
    reply = coordinator >> join("a", sent, endpoint=("host", 80))
    assert endpoints(reply) == [("host", "t", [0, 1, 2]), ("host", "u", [0, 1])]


def test_endpoints_are_reported_again_only_when_they_have_changed():
    coordinator = stage()
    coordinator >> join("a", endpoint=("host", 80))
    epoch = (coordinator >> beat("a", 2, endpoint_epoch=1)).answer.endpoint_information_epoch
    again = coordinator >> beat("a", 2, endpoint_epoch=epoch)
    assert again.answer.partitions_by_user_endpoint is None
    coordinator.pass_ms(1_000)
    coordinator >> join("b", endpoint=("other", 80))
    later = coordinator >> beat("a", 2, endpoint_epoch=epoch)
    assert len(later.answer.partitions_by_user_endpoint) == 2
