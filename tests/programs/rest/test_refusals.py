"""Errors of the client as codes of HTTP."""

import pytest

from moldau.client.errors import (
    AccessDeniedError,
    InvalidArgumentError,
    RefusedError,
    UnknownTopicError,
    UnreachableError,
)
from moldau.errors import MoldauError
from moldau.programs.rest.refusals import refused
from moldau.protocol.wire.error_codes import ErrorCode


def of_code(code):
    return RefusedError("topic t", code)


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        (AccessDeniedError("t", "READ"), (403, 40301)),
        (of_code(ErrorCode.GROUP_AUTHORIZATION_FAILED), (403, 40301)),
        (UnknownTopicError("t", "is not"), (404, 40403)),
        (of_code(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION), (404, 40403)),
        (of_code(ErrorCode.GROUP_ID_NOT_FOUND), (404, 404)),
        (InvalidArgumentError("x"), (400, 40002)),
        (of_code(ErrorCode.TOPIC_ALREADY_EXISTS), (400, 40002)),
        (UnreachableError("a:1", "refused"), (500, 50003)),
        (of_code(ErrorCode.NOT_LEADER_OR_FOLLOWER), (500, 50003)),
        (of_code(ErrorCode.UNKNOWN_SERVER_ERROR), (500, 50002)),
        (MoldauError("x"), (500, 500)),
    ],
)
def test_each_error_has_the_code_of_the_convention(error, wanted):
    found = refused(error)
    assert (found.status, found.code) == wanted
