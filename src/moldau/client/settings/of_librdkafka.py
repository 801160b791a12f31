"""Settings of librdkafka, and so of confluent-kafka, by what they are called here.

Where both have a name in common it means the same. These are the others which programs really set,
so that one which moves here reads what to write instead: its old names do nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["OF_LIBRDKAFKA"]

_LOGIN: Final = (
    "sasl.jaas.config, such as 'org.apache.kafka.common.security.plain.PlainLoginModule required "
    'username="alice" password="secret";\''
)
_BUFFER: Final = "buffer.memory, in bytes"
_KEYSTORE: Final = "ssl.keystore.location with ssl.keystore.type=PEM, key and certificates in one"
_NAMES: Final[Mapping[str, str]] = {
    "batch.num.messages": "batch.size, in bytes",
    "compression.codec": "compression.type",
    "compression.level": "compression.gzip.level, compression.lz4.level or compression.zstd.level",
    "fetch.message.max.bytes": "max.partition.fetch.bytes",
    "fetch.wait.max.ms": "fetch.max.wait.ms",
    "message.max.bytes": "max.request.size",
    "message.send.max.retries": "retries",
    "message.timeout.ms": "delivery.timeout.ms",
    "metadata.broker.list": "bootstrap.servers",
    "queue.buffering.max.kbytes": _BUFFER,
    "queue.buffering.max.messages": _BUFFER,
    "queue.buffering.max.ms": "linger.ms",
    "request.required.acks": "acks",
    "sasl.mechanisms": "sasl.mechanism",
    "sasl.password": _LOGIN,
    "sasl.username": _LOGIN,
    "socket.timeout.ms": "request.timeout.ms",
    "ssl.ca.location": "ssl.truststore.location with ssl.truststore.type=PEM",
    "ssl.ca.pem": "ssl.truststore.certificates with ssl.truststore.type=PEM",
    "ssl.certificate.location": _KEYSTORE,
    "ssl.certificate.pem": "ssl.keystore.certificate.chain with ssl.keystore.type=PEM",
    "ssl.key.location": _KEYSTORE,
    "ssl.key.pem": "ssl.keystore.key with ssl.keystore.type=PEM",
    "topic.metadata.refresh.interval.ms": "metadata.max.age.ms",
}
_NEEDLESS: Final[Mapping[str, str]] = {
    "enable.auto.offset.store": "what was returned is what is committed: enable.auto.commit",
    "enable.partition.eof": "compare consumer.position(part) with consumer.end_offsets(part)",
    "on_delivery": "it is an argument of send",
    "queued.max.messages.kbytes": "fetch.max.bytes bounds what is fetched ahead",
    "queued.min.messages": "fetch.max.bytes bounds what is fetched ahead",
    "socket.keepalive.enable": "a broker that is gone is noticed by what it does not answer",
    "socket.nagle.disable": "small requests leave at once always",
    "statistics.interval.ms": "metrics are pushed to brokers that ask for them",
}

OF_LIBRDKAFKA: Final[Mapping[str, str]] = {
    **{name: f"it is librdkafka's name of {here}" for name, here in _NAMES.items()},
    **{name: f"it is librdkafka's; {instead}" for name, instead in _NEEDLESS.items()},
}
