"""Which version of a request to use."""

from __future__ import annotations

import pytest

from moldau.errors import KafkaError
from moldau.network.outgoing.versions import (
    TryAgain,
    choose_version,
    read_versions,
    versions_request,
)
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest, ApiVersionsResponse
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.versions import Versions

Range = ApiVersionsResponse.ApiVersion


def answer(version: int, code: ErrorCode = ErrorCode.NONE, **ranges: tuple[int, int]) -> bytes:
    keys = {"fetch": 1, "api_versions": 18}
    rows = [
        Range(api_key=keys[name], min_version=low, max_version=high)
        for name, (low, high) in ranges.items()
    ]
    return encode(ApiVersionsResponse(error_code=code, api_keys=rows), version)


def test_ranges_come_from_the_answer():
    body = answer(4, fetch=(4, 17), api_versions=(0, 4))
    assert read_versions(body, 4) == {1: Versions(4, 17), 18: Versions(0, 4)}


def test_a_broker_that_names_an_older_version_is_asked_in_it():
    body = answer(0, ErrorCode.UNSUPPORTED_VERSION, api_versions=(0, 3))
    assert read_versions(body, 4) == TryAgain(3)


def test_a_broker_that_names_none_is_asked_in_the_oldest():
    assert read_versions(answer(0, ErrorCode.UNSUPPORTED_VERSION), 4) == TryAgain(0)


def test_a_broker_that_refuses_its_own_version_is_not_asked_for_ever():
    body = answer(0, ErrorCode.UNSUPPORTED_VERSION, api_versions=(0, 9))
    assert read_versions(body, 4) == TryAgain(3)
    with pytest.raises(KafkaError):
        read_versions(body, 0)


def test_any_other_error_is_reported():
    with pytest.raises(KafkaError, match="INVALID_REQUEST"):
        read_versions(answer(4, ErrorCode.INVALID_REQUEST), 4)


@pytest.mark.parametrize(("theirs", "chosen"), [((4, 17), 17), ((0, 99), 18), ((13, 13), 13)])
def test_the_newest_version_that_both_know_is_chosen(theirs, chosen):
    assert choose_version(FetchRequest, {1: Versions(*theirs)}) == chosen


@pytest.mark.parametrize("spoken", [{}, {1: Versions(0, 3)}, {1: Versions(19, 20)}])
def test_where_there_is_none_the_sentence_says_who_speaks_what(spoken):
    with pytest.raises(KafkaError, match=r"FetchRequest is known here in 4-18") as caught:
        choose_version(FetchRequest, spoken)
    assert caught.value.code == ErrorCode.UNSUPPORTED_VERSION


def test_the_software_is_named_so_that_brokers_accept_it():
    encode(versions_request(), ApiVersionsRequest.VERSIONS.high)
    assert versions_request().client_software_name == "moldau"
