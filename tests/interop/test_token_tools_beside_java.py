"""Our delegation-tokens beside Kafka's where clients log in: the same lines and exit codes."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.interop.running_node import running_node
from tests.interop.tool_calls import masked
from tests.interop.tool_comparison import ours
from tests.judges.kafka_tools import KafkaTools
from tests.judges.logins import ALICE, ALICE_PASSWORD, java_settings, node_settings

pytestmark = [pytest.mark.judge, pytest.mark.long]

TOOL = "delegation-tokens"
ZONE = "Asia/Tokyo"
"""Where it is another hour, so that it is seen which clock a time is of."""
GUARD = {
    "authorizer_class_name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super_users": "User:admin",
}
CALLS = """
--create --max-life-time-period -1
--create --max-life-time-period 3600000 --renewer-principal User:alice
--create --max-life-time-period 3600000 --renewer-principal User:alice --renewer-principal User:bob
--create --max-life-time-period 3600000 --renewer-principal alice
--create --max-life-time-period 3600000 --owner-principal User:alice
--create --max-life-time-period -1 --hmac x
--create --max-life-time-period -1 --renew-time-period 5
--create --max-life-time-period -1 --expiry-time-period 5
--create --renew
--create --max-life-time-period 0
--create --max-life-time-period 99999999999999
--describe --owner-principal User:unknown
--describe --owner-principal ''
--describe --hmac x
--describe --max-life-time-period 5
--renew --hmac AAAA
--renew --hmac AAAA --renew-time-period -1
--renew --hmac '' --renew-time-period -1
--renew --hmac AAAA --renew-time-period -1 --max-life-time-period 3
--renew --hmac AAAA --renew-time-period -1 --owner-principal User:a
--expire --hmac AAAA
--expire --hmac AAAA --expiry-time-period -1
--expire --hmac AAAA --expiry-time-period -1 --renewer-principal User:a
--expire --hmac AAAA --expiry-time-period -1 --renew-time-period 5
"""
CHANGES = (
    "--renew --hmac {} --renew-time-period -1",
    "--expire --hmac {} --expiry-time-period 600000",
    "--expire --hmac {} --expiry-time-period -1",
    "--expire --hmac {} --expiry-time-period -1",
)
HMAC = re.compile(r"[A-Za-z0-9+/]{60,}==")
MASKS = ((HMAC, "HMAC"), (re.compile(r"\b[\w-]{22}(?= |$)"), "ID"), (re.compile(r":\d\d\b"), ":MM"))
"""What is new each time; minutes may pass between two calls."""


@pytest.fixture(scope="module")
def secured(kafka_libs, tmp_path_factory) -> Iterator[tuple[KafkaTools, Path]]:
    """Kafka's tools in another zone, at a node with logins, and a folder with clients' settings."""
    folder = tmp_path_factory.mktemp("secured")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", ZONE)
        time.tzset()
        for name, login in (("admin", {}), ("alice", {"name": ALICE, "password": ALICE_PASSWORD})):
            lines = [f"{key}={value}\n" for key, value in java_settings(**login).items()]
            (folder / f"{name}.properties").write_text("".join(lines))
        settings = {**node_settings(), **GUARD}
        with running_node(folder, **settings) as place, KafkaTools(kafka_libs, folder, place) as it:
            yield it, folder
    time.tzset()


def shown(code: int, lines: list[str]) -> tuple[int, list[str]]:
    for pattern, instead in MASKS:
        lines = [pattern.sub(instead, line) for line in lines]
    return code, lines


def both(tools: KafkaTools, words: str, ours_words: str) -> list[tuple[int, list[str]]]:
    code, printed = tools.ask(TOOL, words)
    return [shown(code, masked(printed)), shown(*ours(TOOL, ours_words, tools.bootstrap))]


@pytest.mark.parametrize("words", CALLS.strip().splitlines())
def test_a_call_with_a_login_is_answered_alike(secured, words):
    tools, folder = secured
    call = f"{words} --command-config {folder}/admin.properties"
    theirs, found = both(tools, call, call)
    assert found == theirs


def test_a_token_is_made_renewed_and_ended_alike(secured):
    tools, folder = secured
    login = f"--command-config {folder}/admin.properties"
    create = f"--create --max-life-time-period 7200000 --renewer-principal User:alice {login}"
    made = [tools.ask(TOOL, create)[1], "\n".join(ours(TOOL, create, tools.bootstrap)[1])]
    tokens = [match[0] for text in made if (match := HMAC.search(text))]
    for change in CHANGES:
        theirs, found = both(tools, *(f"{change.format(token)} {login}" for token in tokens))
        assert found == theirs


def test_the_tokens_of_a_renewer_are_shown_where_javas_shows_none(secured):
    """Java's asks for the tokens of an empty list of owners, which is none at all."""
    tools, folder = secured
    call = f"--describe --command-config {folder}/alice.properties"
    theirs, found = both(tools, call, call)
    assert theirs[1][1] == "Total number of tokens : 0"
    assert int(found[1][1].rpartition(" ")[2]) > 0
