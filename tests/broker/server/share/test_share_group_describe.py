"""ShareGroupDescribe through a broker's handler."""

from __future__ import annotations

from moldau.protocol.messages.share.share_group_describe import ShareGroupDescribeRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.share_town import run


def test_each_group_is_reported_or_refused():
    async def main(town):
        await town.member("m")
        request = ShareGroupDescribeRequest(
            group_ids=["g", "gone", ""], include_authorized_operations=False
        )
        answer = await town.ask(request, 1)
        return [(one.group_id, one.error_code, len(one.members)) for one in answer.groups]

    missing = ("gone", ErrorCode.GROUP_ID_NOT_FOUND, 0)
    assert run(main) == [("g", 0, 1), missing, ("", ErrorCode.INVALID_GROUP_ID, 0)]
