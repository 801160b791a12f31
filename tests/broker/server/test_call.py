"""What a call promises before a task waits for its answer."""

import pytest

from moldau.broker.server.call import ANONYMOUS, Call
from moldau.platform.ports.network import Address
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest


def test_a_call_that_no_dispatcher_made_cannot_be_answered():
    here = Address("host", 1)
    call = Call(18, 0, 1, None, ApiVersionsRequest(), ANONYMOUS, "PLAINTEXT", here, 1, 0)
    with pytest.raises(AssertionError, match="not made by a dispatcher"):
        call.answer(None)
