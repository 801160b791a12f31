"""Answers that quote too much are cut, and who sent what is no text is known."""

from __future__ import annotations

from moldau.broker.server.fitting import MESSAGE_CHARACTERS_MAX, fit, has_malformed_text
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.security.describe_user_scram_credentials import (
    DescribeUserScramCredentialsRequest,
)
from moldau.protocol.messages.topic.create_partitions import CreatePartitionsRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsResponse
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest
from moldau.protocol.wire.compile import encode

CreatedTopic = CreateTopicsResponse.CreatableTopicResult


def answer(message, name="t"):
    return CreateTopicsResponse(
        topics=[CreatedTopic(name=name, error_code=1, error_message=message, configs=[])]
    )


def test_a_message_that_is_too_long_is_cut_so_that_the_answer_fits():
    response = answer("a topic called " + "é" * 32_767)
    assert fit(response)
    assert len(response.topics[0].error_message) == MESSAGE_CHARACTERS_MAX
    assert encode(response, 5)


def test_names_and_short_messages_are_left_alone():
    response = answer("no", name="n" * 40_000)
    assert not fit(response)
    assert response.topics[0].name == "n" * 40_000


def test_text_that_was_not_utf_8_is_recognised_wherever_it_is():
    topic = CreatePartitionsRequest.CreatePartitionsTopic(name="\ufffd", count=1, assignments=None)
    asked = CreatePartitionsRequest(topics=[topic], timeout_ms=1, validate_only=False)
    assert has_malformed_text(asked)
    assert has_malformed_text(DeleteTopicsRequest(topic_names=["a", "\ufffd"], timeout_ms=1))


def test_other_text_is_in_order():
    good = ApiVersionsRequest(client_software_name="é", client_software_version="")
    assert not has_malformed_text(good)
    assert not has_malformed_text(DescribeUserScramCredentialsRequest(users=None))
