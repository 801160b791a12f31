"""ShareGroupDescribe through a broker's handler."""

from __future__ import annotations

from moldau.broker.server.share.share_group_describe import _refused
from moldau.errors import KafkaError
from moldau.protocol.messages.share.share_group_describe import ShareGroupDescribeRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.share_cluster import run


def test_each_group_is_reported_or_refused():
    async def main(cluster):
        await cluster.member("m")
        request = ShareGroupDescribeRequest(
            group_ids=["g", "gone", ""], include_authorized_operations=False
        )
        answer = await cluster.ask(request, 1)
        return [(one.group_id, one.error_code, len(one.members)) for one in answer.groups]

    missing = ("gone", ErrorCode.GROUP_ID_NOT_FOUND, 0)
    assert run(main) == [("g", 0, 1), missing, ("", ErrorCode.INVALID_GROUP_ID, 0)]


def test_a_refusal_without_a_message_has_that_of_its_code():
    bare = KafkaError(ErrorCode.GROUP_AUTHORIZATION_FAILED)
    assert _refused("g", bare).error_message == ErrorCode.GROUP_AUTHORIZATION_FAILED.message
