"""The table of what is served."""

import subprocess
import sys

import pytest

from moldau.broker.server import apis
from moldau.protocol.messages.index import BY_KEY
from tests.broker.server.asking import broker_with


@pytest.mark.parametrize(
    ("key", "module"), sorted({*apis.BROKER.items(), *apis.CONTROLLER.items()})
)
def test_every_api_of_the_tables_has_a_handler(key, module):
    assert callable(apis.handler_of(key, module))


@pytest.mark.parametrize(
    ("table", "kind"), [(apis.BROKER, "broker"), (apis.CONTROLLER, "controller")]
)
def test_no_listener_serves_what_does_not_belong_on_it(table, kind):
    strangers = [key for key in table if kind not in BY_KEY[key].request.LISTENERS]
    assert strangers == []


def test_versions_that_are_not_stable_are_served_by_a_switch_alone():
    assert apis.versions_of(0) == apis.versions_of(0, unstable=True) == range(3, 14)
    assert apis.versions_of(22) == range(6)
    assert not apis.is_served(22, 6, broker_with())
    assert apis.is_served(22, 6, broker_with(unstable_api_versions_enable=True))
    assert apis.is_served(22, 6, broker_with(transaction_two_phase_commit_enable=True))
    assert not apis.is_served(22, 7, broker_with(unstable_api_versions_enable=True))


def test_which_versions_are_served_is_known_without_a_message():
    program = (
        "import sys; from moldau.broker.server import apis;"
        "assert all(apis.versions_of(key) for key in apis.BROKER);"
        "print([m for m in sys.modules if m.startswith('moldau.protocol.messages.')])"
    )
    listed = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout
    assert sorted(eval(listed)) == [
        "moldau.protocol.messages.api_key",
        "moldau.protocol.messages.index",
    ]


def test_the_kind_of_listener_chooses_the_table():
    assert apis.apis_of(is_controller=True) is apis.CONTROLLER
    assert apis.apis_of(is_controller=False) is apis.BROKER
