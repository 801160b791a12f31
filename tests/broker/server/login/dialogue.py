"""Whole nodes that ask for logins, in a simulated world."""

from __future__ import annotations

from moldau.network.sasl.plain import ask_plain
from moldau.protocol.messages.security.sasl_authenticate import SaslAuthenticateRequest
from moldau.protocol.messages.security.sasl_handshake import SaslHandshakeRequest

MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule"
SCRAM_MODULE = "org.apache.kafka.common.security.scram.ScramLoginModule"
PREFIX = "listener.name.plaintext."
SETTINGS = {
    "listener.security.protocol.map": "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
    "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256",
    "inter.broker.listener.name": "PLAINTEXT",
    f"{PREFIX}scram-sha-256.sasl.jaas.config": f"{SCRAM_MODULE} required;",
    f"{PREFIX}plain.sasl.jaas.config": f'{MODULE} required user_alice="wonder" user_bob="builder";',
}


def node(machine, **more):
    return machine.node(**SETTINGS, **more)


async def handshake(machine, client, mechanism="PLAIN", version=1):
    return await machine.ask(client, SaslHandshakeRequest(mechanism=mechanism), version)


async def authenticate(machine, client, token, version=2):
    return await machine.ask(client, SaslAuthenticateRequest(auth_bytes=token), version)


async def log_in(machine, client, name="alice", password="wonder"):
    assert (await handshake(machine, client)).error_code == 0
    return await authenticate(machine, client, next(ask_plain(name, password)))
