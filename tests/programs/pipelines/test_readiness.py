"""Broker, topic, lake and checkpoint are asked before Spark starts, and nothing is claimed."""

from __future__ import annotations

import socket
from dataclasses import replace

import pytest

from moldau.errors import MoldauError
from moldau.platform.system.files import SystemFiles
from moldau.programs.pipelines.checkpoints import Checkpoint, Owner
from moldau.programs.pipelines.errors import PipelineError
from moldau.programs.pipelines.readiness import ensure_ready
from moldau.programs.pipelines.route import Route
from moldau.spark.errors import OptionError
from moldau.spark.lake.errors import TableError

QUICK = {"kafka.default.api.timeout.ms": "300", "kafka.request.timeout.ms": "300"}
STORE = {
    "AWS_ENDPOINT_URL": "http://127.0.0.1:1",
    "AWS_ALLOW_HTTP": "true",
    "AWS_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "a",
    "AWS_SECRET_ACCESS_KEY": "b",
}


@pytest.fixture(scope="module")
def topic(topics):
    return topics.make(2, 10)


@pytest.fixture
def route(broker, topic, tmp_path):
    return Route(
        bootstrap=broker.bootstrap,
        topic=topic,
        lake=str(tmp_path / "lake"),
        checkpoint=str(tmp_path / "checkpoint"),
    )


def refusal(route, error=PipelineError):
    with pytest.raises(error) as refused:
        ensure_ready(route, "etl", SystemFiles())
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_what_is_ready_leaves_nothing_but_empty_folders(route, tmp_path):
    ensure_ready(route, "etl", SystemFiles())
    assert {path.name for path in tmp_path.rglob("*")} == {"lake", "checkpoint"}


def test_a_typo_in_a_topic_names_the_nearest_and_claims_nothing(route, tmp_path):
    text = refusal(replace(route, topic=f"{route.topic}s"))
    assert text.endswith(f"did you mean {route.topic}?")
    assert list(tmp_path.iterdir()) == []


def test_a_topic_that_is_like_no_other_comes_with_those_there_are(route, topics):
    text = refusal(replace(route, topic="zzzzzzzzzzzzzzzzzz"))
    named = text.partition("there are ")[2].removesuffix(", …").split(", ")
    offered = {name for name in topics.names() if not name.startswith("__")}
    assert set(named) <= offered
    assert len(named) >= min(4, len(offered))


def test_a_broker_that_is_not_there_is_one_sentence(route, tmp_path):
    text = refusal(replace(route, bootstrap="127.0.0.1:1", source=QUICK))
    assert text.startswith("no broker answers")
    assert "127.0.0.1:1" in text
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_never_answers_is_one_sentence(route):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        assert refusal(replace(route, bootstrap=address, source=QUICK)).startswith(
            "no broker answers"
        )


def test_an_address_that_is_none_is_one_sentence(route):
    assert "HOST:PORT" in refusal(replace(route, bootstrap="localhost"), MoldauError)


def test_options_are_read_before_anything_is_asked(route):
    away = replace(route, bootstrap="127.0.0.1:1", source={"failOnDataLos": "no"})
    assert "no option 'failondatalos'" in refusal(away, OptionError)


@pytest.mark.parametrize("place", ["lake", "checkpoint"])
def test_a_place_that_is_a_file_is_one_sentence(route, tmp_path, place):
    (tmp_path / place).write_text("x")
    assert f"{tmp_path / place}" in refusal(route, MoldauError)


def test_a_checkpoint_elsewhere_is_refused(route):
    assert "is an address" in refusal(replace(route, checkpoint="s3://bucket/checkpoint"))


def test_a_checkpoint_of_another_pipeline_is_refused(route):
    other = Owner("clickstream", route.topic, route.lake)
    Checkpoint(route.checkpoint, SystemFiles()).begin(other, {})
    assert "belongs to the pipeline clickstream" in refusal(route)


def test_offsets_to_start_from_count_only_for_a_new_checkpoint(route):
    late = replace(route, source={"startingTimestamp": "99999999999999"})
    assert "has no record at or after" in refusal(late, OptionError)
    own = Owner("etl", route.topic, route.lake)
    Checkpoint(route.checkpoint, SystemFiles()).begin(own, {})
    ensure_ready(late, "etl", SystemFiles())


def test_a_store_that_cannot_be_reached_is_one_sentence(route):
    text = refusal(replace(route, lake="s3://bucket/lake", storage=STORE), TableError)
    assert "http://127.0.0.1:1" in text
