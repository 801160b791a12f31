"""Every command that asks a cluster, by its example, where the cluster is none or refuses.

Nothing listens, or the client may do nothing. What comes is reported in text, an exception would
end the test, and the exit code is 1 where Kafka's is.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from moldau.programs.tools.examples import EXAMPLES
from moldau.programs.tools.kafka.table import KAFKA_TOOLS
from tests.interop.running_node import running_node
from tests.programs.tools.test_bad_input import DEAD, called

PLACE = "localhost:9092"
SOON = "default.api.timeout.ms=300\nrequest.timeout.ms=250\nmax.block.ms=300\n"
FILES = {
    "soon.properties": SOON,
    "alice.properties": SOON,
    "offsets.json": '{"partitions": [{"topic": "orders", "partition": 0, "offset": 0}]}',
    "wanted.yaml": "topics: {orders: {configs: {retention.ms: 90000000}}}",
    "orders.jsonl": '{"partition": 0, "offset": 0, "timestamp": 1, "key": null, "value": "b25l"}\n',
}
NOT_ASKED = {"profile", "registry", "burrow", "probe", "rest", "console", "jmx"}
"""They ask no cluster, or wait for it as long as they serve."""
UNTIL_ENDED = {
    *("console-consumer", "console-share-consumer", "consumer-perf-test", "top"),
    *("share-consumer-perf-test", "replica-verification", "verifiable-consumer"),
    *("verifiable-producer", "verifiable-share-consumer", "producer-perf-test", "e2e-latency"),
    "console-producer",
}
"""They go on, close slowly or read what is typed, and so are not in a quick test."""
ASKING = {tool.name: tool.example for tool in KAFKA_TOOLS} | {
    name: example for name, example in EXAMPLES.items() if PLACE in example
}
NAMES = sorted(ASKING.keys() - NOT_ASKED - UNTIL_ENDED)
TIMED = {"consumer-groups", "share-groups", "streams-groups"}
"""They have a flag for how long a call may take, with a default of its own."""
CODE_0 = {"consumer-groups", "share-groups", "delete-records", "debug-bundle"}
"""As Kafka's tools they say in text that they failed; a bundle holds what could not be asked."""
SEE_NOTHING = {
    *("topics", "groups", "consumer-groups", "share-groups", "streams-groups", "get-offsets"),
    *("transactions", "cluster", "broker-api-versions", "features", "plan"),
    *("delegation-tokens", "debug-bundle"),
}
"""What a client without rights asks with these is answered by less, not by no; or is not asked."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def guarded(tmp_path_factory) -> Iterator[str]:
    """A node at which this client has no rights."""
    authorizer = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
    folder = tmp_path_factory.mktemp("guarded")
    settings = {"authorizer_class_name": authorizer, "super_users": "User:admin"}
    with running_node(folder, **settings) as bootstrap:
        yield bootstrap


def words_of(name: str, place: str, *, soon: bool = True) -> list[str]:
    words = [name, *shlex.split(ASKING[name].replace(PLACE, place))]
    if name == "export":
        words[-1] = "-"
    if not soon:
        return words
    if name == "cat":
        return [*words, "-X", "default.api.timeout.ms=300", "-m", "0.3"]
    if name in TIMED:
        words += ["--timeout", "300"]
    return words if "--command-config" in words else [*words, "--command-config", "soon.properties"]


def outcome(words: list[str]) -> tuple[int, str]:
    out = StringIO()
    code, errors = called(words, out)
    return code, out.getvalue() + errors


@pytest.mark.parametrize("name", [name for name in NAMES if name != "debug-bundle"])
def test_where_nothing_listens_the_address_and_the_time_are_named(name):
    code, text = outcome(words_of(name, DEAD))
    assert (code, bool(text.strip())) == (name not in CODE_0, True)
    assert DEAD in text or "Timed out waiting for a node assignment" in text


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SEE_NOTHING])
def test_without_rights_it_is_named_what_is_not_allowed(name, guarded):
    code, text = outcome(words_of(name, guarded, soon=False))
    lowered = text.lower()
    assert "authoriz" in lowered or "not allowed" in lowered
    assert code == (name not in CODE_0 | {"doctor"})


def test_where_nothing_is_typed_an_address_that_cannot_be_reached_is_named_too():
    code, text = outcome(["cat", "-P", "-t", "orders", "-b", DEAD, "-m", "0.3"])
    assert code == 1
    assert text.count("moldau cat: gave up describing the cluster") == 1
    assert DEAD in text
