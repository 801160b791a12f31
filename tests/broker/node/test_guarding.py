"""What stands at a listener follows from its protocol; a login and TLS come where they are asked
for, and not before."""

import pytest

from moldau.broker.node.guarding import Guarding
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.platform.simulated.files import SimulatedFiles
from tests.broker.node.simulated_node import world_of

GIVEN = {
    "listeners": "PLAIN://:1,CERTIFICATES://:2,CONTROLLER://:3",
    "listener.security.protocol.map": "PLAIN:PLAINTEXT,CERTIFICATES:SSL,CONTROLLER:PLAINTEXT",
    "controller.listener.names": "CONTROLLER",
}


@pytest.fixture
def guarding():
    return Guarding(BrokerSettings(GIVEN), world_of(SimulatedFiles()))


def test_frames_of_a_plain_listener_go_straight_to_its_dispatcher(guarding):
    assert guarding.handler_for("PLAIN") == guarding.dispatchers["PLAIN"].handle
    assert guarding.protect("PLAIN") is None


def test_those_of_a_listener_of_tls_meet_the_certificate_first(guarding):
    assert guarding.handler_for("CERTIFICATES") != guarding.dispatchers["CERTIFICATES"].handle
    with pytest.raises(SettingError, match="has no certificate"):
        guarding.protect("CERTIFICATES")


def test_it_shows_its_listeners(guarding):
    guarding.handler_for("CONTROLLER")
    guarding.close()
    assert repr(guarding) == "Guarding(CONTROLLER)"
