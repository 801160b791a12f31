"""Settings of Java's clients that these have not, each with the reason.

They are known, so that a user who moves a program here reads what becomes of them: as a keyword
such a name is refused, in a mapping it is warned about, both with the sentence that stands here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["JAVA_ONLY"]

_JVM: Final = "it names classes or algorithms of Java, and there is no Java here"
_TICKETS: Final = "tickets come from the system's cache or keytab, which kinit or sssd renews"
_VALIDATION: Final = "tokens are validated by brokers, and a client only fetches them"
_METRICS: Final = "metrics are pushed to brokers that ask for them (enable.metrics.push)"
_BUFFERS: Final = "the system sizes the buffers of sockets by itself"
_REBOOTSTRAP: Final = (
    "a client whose known brokers are all unreachable always goes back to bootstrap.servers"
)

JAVA_ONLY: Final[Mapping[str, str]] = {
    "client.dns.lookup": "every address of a host name is tried, as with use_all_dns_ips",
    "config.providers": "read secrets where the program starts, and give them as values",
    "connections.max.idle.ms": "connections stay until a broker or the client closes them",
    "exclude.internal.topics": "patterns never match internal topics: subscribe to them by name",
    "metadata.max.idle.ms": "metadata are kept of topics that were used, and asked for when used",
    "metadata.recovery.rebootstrap.trigger.ms": _REBOOTSTRAP,
    "metadata.recovery.strategy": _REBOOTSTRAP,
    "metric.reporters": _METRICS,
    "metrics.num.samples": _METRICS,
    "metrics.recording.level": _METRICS,
    "metrics.sample.window.ms": _METRICS,
    "partitioner.availability.timeout.ms": (
        "records without a key go where fewer batches wait, whatever the reason"
    ),
    "receive.buffer.bytes": _BUFFERS,
    "sasl.client.callback.handler.class": _JVM,
    "sasl.kerberos.kinit.cmd": _TICKETS,
    "sasl.kerberos.min.time.before.relogin": _TICKETS,
    "sasl.kerberos.ticket.renew.jitter": _TICKETS,
    "sasl.kerberos.ticket.renew.window.factor": _TICKETS,
    "sasl.login.class": _JVM,
    "sasl.oauthbearer.clock.skew.seconds": _VALIDATION,
    "sasl.oauthbearer.expected.audience": _VALIDATION,
    "sasl.oauthbearer.expected.issuer": _VALIDATION,
    "sasl.oauthbearer.header.urlencode": "name and secret go into the header as with false",
    "sasl.oauthbearer.jwks.endpoint.refresh.ms": _VALIDATION,
    "sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms": _VALIDATION,
    "sasl.oauthbearer.jwks.endpoint.retry.backoff.ms": _VALIDATION,
    "sasl.oauthbearer.jwks.endpoint.url": _VALIDATION,
    "sasl.oauthbearer.jwt.validator.class": _JVM,
    "sasl.oauthbearer.scope.claim.name": _VALIDATION,
    "sasl.oauthbearer.sub.claim.name": _VALIDATION,
    "security.providers": _JVM,
    "send.buffer.bytes": _BUFFERS,
    "socket.connection.setup.timeout.max.ms": (
        "each try to connect has socket.connection.setup.timeout.ms, and reconnect.backoff.max.ms "
        "bounds the waits between them"
    ),
    "ssl.engine.factory.class": _JVM,
    "ssl.keymanager.algorithm": _JVM,
    "ssl.provider": _JVM,
    "ssl.secure.random.implementation": _JVM,
    "ssl.trustmanager.algorithm": _JVM,
}
