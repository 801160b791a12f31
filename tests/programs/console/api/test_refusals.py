"""A status for each refusal of a cluster or a registry."""

import pytest

from moldau.client.errors import RefusedError, TimedOutError, UnreachableError
from moldau.client.schemas import RegistryError
from moldau.programs.console.api.refusals import refused_here
from moldau.protocol.wire.error_codes import ErrorCode


@pytest.mark.parametrize(
    ("code", "status"),
    [
        (ErrorCode.TRANSACTIONAL_ID_NOT_FOUND, 404),
        (ErrorCode.RESOURCE_NOT_FOUND, 404),
        (ErrorCode.OFFSET_OUT_OF_RANGE, 400),
        (ErrorCode.UNACCEPTABLE_CREDENTIAL, 400),
        (ErrorCode.CLUSTER_AUTHORIZATION_FAILED, 403),
        (ErrorCode.COORDINATOR_NOT_AVAILABLE, 500),
        (ErrorCode.UNKNOWN_SERVER_ERROR, 500),
    ],
)
def test_a_refusal_is_what_it_is_for_a_person(code, status):
    found = refused_here(RefusedError("doing it", code, "the reason"))
    assert (found.status, str(found)) == (status, "the reason")


@pytest.mark.parametrize(("status", "shown"), [(401, 403), (409, 409)])
def test_a_registry_that_wants_a_password_does_not_make_a_browser_ask(status, shown):
    found = refused_here(RegistryError("asking it", status, 1, "no"))
    assert (found.status, str(found)) == (shown, "The registry refuses it: no")


@pytest.mark.parametrize("late", [False, True])
def test_a_cluster_out_of_reach_says_where_to_look(late):
    error = UnreachableError("h:9092", "connection refused")
    found = refused_here(TimedOutError("describing", 30, error) if late else error)
    assert "h:9092: connection refused; look whether its brokers run" in str(found)
    assert "brokers run" not in str(refused_here(TimedOutError("describing", 30, ValueError())))
