"""Four libraries that read and write Kafka's messages, behind one form.

Each answers, for the class name of a message and a version, how it decodes bytes to whatever it
has for a message, and how it encodes that to bytes again; or nothing, where it lacks the version
or is not installed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from io import BytesIO
from typing import Any

from moldau.protocol.messages.index import message_named
from moldau.protocol.wire.compile import decode, encode


@dataclass(frozen=True)
class Codec:
    """How one library handles one message in one version."""

    decode: Callable[[bytes], Any]
    encode: Callable[[Any], bytes]


def moldau(name: str, version: int) -> Codec:
    cls = message_named(name)
    return Codec(partial(decode, cls, version), lambda message: encode(message, version))


def kio(name: str, version: int) -> Codec:
    """Its reader is a native extension; its writer wants a stream."""
    serial: Any = import_module("kio.serial")
    words = re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()
    api, _, kind = words.rpartition("_")
    cls = getattr(import_module(f"kio.schema.{api}.v{version}.{kind}"), name)
    read, write = serial.entity_reader(cls), serial.entity_writer(cls)

    def encode_entity(entity: object) -> bytes:
        stream = BytesIO()
        write(stream, entity)
        return stream.getvalue()

    return Codec(lambda buffer: read(buffer, 0)[0], encode_entity)


KAFKA_PYTHON_MODULES = ("consumer", "metadata", "producer")


def kafka_python(name: str, version: int) -> Codec:
    modules = [import_module(f"kafka.protocol.{module}") for module in KAFKA_PYTHON_MODULES]
    cls: Any = next(getattr(module, name) for module in modules if hasattr(module, name))

    def decode_message(buffer: bytes) -> object:
        message: Any = cls.decode(buffer, version=version)
        message._header = None  # encode() looks at it, and decode() leaves it out
        return message

    return Codec(decode_message, lambda message: bytes(message.encode(version=version)))


AIOKAFKA_MODULES = ("commit", "fetch", "metadata", "produce")


def aiokafka(name: str, version: int) -> Codec:
    modules = [import_module(f"aiokafka.protocol.{module}") for module in AIOKAFKA_MODULES]
    wanted = f"{name}_v{version}"
    found: list[Any] = [getattr(module, wanted) for module in modules if hasattr(module, wanted)]
    return Codec(found[0].decode, lambda message: bytes(message.encode()))


LIBRARIES: dict[str, Callable[[str, int], Codec]] = {
    "moldau": moldau,
    "kio": kio,
    "kafka-python": kafka_python,
    "aiokafka": aiokafka,
}


def codecs_of(name: str, version: int) -> dict[str, Codec]:
    """All libraries that have this message in this version."""
    codecs = {}
    for library, codec_of in LIBRARIES.items():
        try:
            codecs[library] = codec_of(name, version)
        except (ImportError, IndexError):
            continue
    return codecs
