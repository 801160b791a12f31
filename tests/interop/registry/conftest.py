"""A node of ours, and registries beside it.

- `registry` is one that runs, the same for all tests of this folder: use subjects of your own.
- `another` starts one more for the same topic; it is ended with the test.
- `order_class` is the class of a message of Protobuf.
- `schemas` is confluent-kafka's client of the first one.
"""

from __future__ import annotations

import pytest

from tests.interop.registry.running_registry import RunningRegistry


@pytest.fixture(scope="session")
def registry(place, tmp_path_factory):
    running = RunningRegistry(tmp_path_factory.mktemp("registry"), place)
    yield running
    running.stop()


@pytest.fixture
def another(place, tmp_path):
    running: list[RunningRegistry] = []

    def start(*flags):
        name = f"registry-{len(running)}"
        running.append(RunningRegistry(tmp_path, place, *flags, name=name))
        return running[-1]

    yield start
    for one in running:
        one.kill()


@pytest.fixture
def schemas(registry):
    module = pytest.importorskip(
        "confluent_kafka.schema_registry", reason="the registry's client is not installed"
    )
    with module.SchemaRegistryClient({"url": registry.url}) as client:
        yield client


@pytest.fixture(scope="session")
def order_class():
    from tests.interop.registry.order_message import made_order_class

    return made_order_class()
