"""What stands at a listener follows from its protocol; a login and TLS come where they are asked
for, and not before."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from moldau.broker.metrics.kinds import Meter
from moldau.broker.metrics.registry import Registry
from moldau.broker.node.guarding import Guarding
from moldau.broker.server.login.counting import FAILED, SUCCEEDED, SUCCEEDED_ONCE
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.platform.simulated.files import SimulatedFiles
from tests.broker.node.simulated_node import world_of

GIVEN = {
    "listeners": "PLAIN://:1,CERTIFICATES://:2,CONTROLLER://:3",
    "listener.security.protocol.map": "PLAIN:PLAINTEXT,CERTIFICATES:SSL,CONTROLLER:PLAINTEXT",
    "controller.listener.names": "CONTROLLER",
}


class Shown:
    """A connection whose peer has shown a certificate, or none."""

    def __init__(self, certificate: bytes | None) -> None:
        self.link = SimpleNamespace(peer_certificate=certificate)
        self.principal: object = None
        self.listener, self.peer = "CERTIFICATES", "a peer"

    def hand_over(self, handle: object) -> None: ...

    def abort(self) -> None: ...


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


def test_connections_of_tls_are_counted_by_what_came_of_them():
    frames: list[bytes] = []
    given = GIVEN | {"ssl.principal.mapping.rules": "RULE:^absent$/x/"}
    guarding = Guarding(
        BrokerSettings(given),
        world_of(SimulatedFiles()),
        lambda dispatcher: lambda connection, frame: frames.append(bytes(frame)),
    )
    guarding.serve(cast(Any, SimpleNamespace(metrics=Registry())))
    handle, metrics = guarding.handler_for("CERTIFICATES"), guarding._metrics
    for certificate in (None, None, b"no certificate"):
        handle(cast(Any, Shown(certificate)), memoryview(b"first"))
    assert metrics is not None
    meters = [(name.name, one) for name, one in metrics.collect() if isinstance(one, Meter)]
    found = {name: meter.count for name, meter in meters}
    assert found == {SUCCEEDED: 2, SUCCEEDED_ONCE: 2, FAILED: 1}
    assert len(frames) == 2


def test_it_shows_its_listeners(guarding):
    guarding.handler_for("CONTROLLER")
    guarding.close()
    assert repr(guarding) == "Guarding(CONTROLLER)"
