"""`moldau streams-application-reset` knows the topics of an application, and what goes together."""

from __future__ import annotations

import pytest

from moldau.programs.tools.kafka.streams_application_reset import is_internal


@pytest.mark.parametrize(
    ("topic", "is_one"),
    [
        ("app-store-changelog", True),
        ("app-0-repartition", True),
        ("app-x-subscription-response-topic", True),
        ("app-KTABLE-FK-JOIN-SUBSCRIPTION-REGISTRATION-0000000010-topic", True),
        ("app-orders", False),
        ("other-store-changelog", False),
    ],
)
def test_the_internal_topics_of_an_application_are_known_by_their_names(topic, is_one):
    assert is_internal(topic, "app") is is_one


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--input-topics a", "Missing required option(s) [application-id]"),
        (
            "--application-id a --to-latest --to-offset 1",
            'Option "[to-offset]" can\'t be used with option "[to-latest]"',
        ),
    ],
)
def test_flags_that_do_not_go_together_are_refused(call, words, message):
    code, printed = call(f"streams-application-reset {words}")
    assert (code, printed[0]) == (1, message)
