"""Handshakes and logins by the thousand that do not go on: they cost little, and not for long.

On a listener of TLS and logins some peers send nothing, some a part of their first message, some
all of it, and some are protected and do not log in. Honest clients are served beside them, by this
listener and by another one.
"""

from __future__ import annotations

import os
import socket
import ssl
from contextlib import ExitStack

import pytest
from confluent_kafka.admin import AdminClient

from tests.floods.attacked_node import attacked, resident_bytes
from tests.floods.greed import connect, crowd, is_closed, wait_until
from tests.judges.certificates import HOSTS, Certificates
from tests.judges.kafka_node import HOST, free_ports
from tests.judges.logins import ADMIN, ADMIN_PASSWORD, PLAIN_MODULE

KIB = 1024
OF_EACH_KIND = 3_000
PROTECTED = 500
"""Their handshakes cost the attacker as much as the node."""
BYTES_MAX = 100 * KIB
"""Of memory for a peer, mostly OpenSSL's."""
DESCRIPTORS = 20
"""Files and connections of others that may have come meanwhile."""
BACKLOG = "4000"
"""So that those who flood need not come again, and all are there at the same time."""
LOGINS = 5
WAIT_S = 60

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]


def settings(certificates: Certificates, plain: int, secure: int, controller: int):
    listeners = {"PLAINTEXT": plain, "SECURE": secure, "CONTROLLER": controller}
    login = f'{PLAIN_MODULE} required user_{ADMIN}="{ADMIN_PASSWORD}";'
    return {
        "listeners": ",".join(f"{name}://{HOST}:{port}" for name, port in listeners.items()),
        "listener.security.protocol.map": (
            "PLAINTEXT:PLAINTEXT,SECURE:SASL_SSL,CONTROLLER:PLAINTEXT"
        ),
        "listener.name.secure.sasl.enabled.mechanisms": "PLAIN",
        "listener.name.secure.plain.sasl.jaas.config": login,
        "socket.listen.backlog.size": BACKLOG,
        **certificates.pem_settings(certificates.issue("node", HOSTS)),
    }


def log_in(certificates: Certificates, port: int) -> None:
    """As an honest client, and have something answered."""
    client_settings: dict[str, str | int | float | bool] = {
        **certificates.librdkafka_settings(),
        "bootstrap.servers": f"{HOST}:{port}",
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "PLAIN",
        "sasl.username": ADMIN,
        "sasl.password": ADMIN_PASSWORD,
    }
    assert AdminClient(client_settings).list_topics(timeout=WAIT_S).brokers


def hello(context: ssl.SSLContext) -> bytes:
    """The first message of a client."""
    leaving = ssl.MemoryBIO()
    engine = context.wrap_bio(ssl.MemoryBIO(), leaving, server_hostname="localhost")
    with pytest.raises(ssl.SSLWantReadError):
        engine.do_handshake()
    return leaving.read()


def protected(stack: ExitStack, context: ssl.SSLContext, port: int) -> ssl.SSLSocket:
    """One whose handshake is over."""
    below = stack.enter_context(connect(port))
    return stack.enter_context(context.wrap_socket(below, server_hostname="localhost"))


def is_gone(peer: socket.socket) -> bool:
    try:
        return is_closed(peer)
    except ssl.SSLWantReadError:
        return False
    except ssl.SSLError:
        return True


def descriptors(process_id: int) -> int:
    return len(os.listdir(f"/proc/{process_id}/fd"))


def test_half_handshakes_by_the_thousand_cost_little_and_not_for_long(tmp_path):
    certificates = Certificates(tmp_path)
    plain, secure, controller = free_ports(3)
    node_settings = settings(certificates, plain, secure, controller)
    context = ssl.create_default_context(cafile=str(certificates.trusted))
    first = hello(context)
    with (
        attacked(tmp_path, ports=(plain, controller), **node_settings) as node,
        ExitStack() as stack,
    ):
        log_in(certificates, secure)
        memory, open_before = resident_bytes(node), descriptors(node.process_id)
        peers = [
            peer
            for says in (b"", first[: len(first) // 2], first)
            for peer in stack.enter_context(crowd(secure, OF_EACH_KIND, says))
        ]
        peers += [protected(stack, context, secure) for _ in range(PROTECTED)]
        for _ in range(LOGINS):
            log_in(certificates, secure)
        grown = (resident_bytes(node) - memory) // len(peers)
        waiting = peers[:]

        def all_are_closed() -> bool:
            waiting[:] = [peer for peer in waiting if not is_gone(peer)]
            return not waiting

        wait_until(all_are_closed)
        log_in(certificates, secure)
        wait_until(lambda: descriptors(node.process_id) <= open_before + DESCRIPTORS)
    print(f"{grown} bytes of memory for each of {len(peers)} peers")
    assert grown < BYTES_MAX
