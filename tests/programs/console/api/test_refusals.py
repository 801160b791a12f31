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
    assert found.status == status
    assert str(found).partition(";")[0] == "the reason"


@pytest.mark.parametrize(
    ("code", "detail", "sentence"),
    [
        (
            ErrorCode.INVALID_CONFIG,
            "Invalid value 1h for configuration retention.ms: Not a number of type LONG",
            "retention.ms: Not a number of type LONG; write a whole number without a unit",
        ),
        (
            ErrorCode.INVALID_CONFIG,
            "Unknown topic config name: a",
            "Unknown topic config name: a; the page of settings has their names",
        ),
        (ErrorCode.INVALID_CONFIG, "Value must be at least 0", "Value must be at least 0"),
        (
            ErrorCode.TOPIC_ALREADY_EXISTS,
            "Topic 'a' already exists.",
            "Topic 'a' already exists; choose another name",
        ),
    ],
)
def test_a_cause_alone_gets_a_remedy(code, detail, sentence):
    assert str(refused_here(RefusedError("doing it", code, detail))).endswith(sentence)


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
