"""`./dev show MESSAGE VERSION`: the codec that is generated for them, as source.

Runs inside `.venv`, where the project can be imported.
"""

from __future__ import annotations

import sys

from moldau.protocol.messages.index import all_messages, message_named
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.show import show_codec

USAGE = "usage: ./dev show MESSAGE VERSION, for example: ./dev show ProduceRequest 9"


def find(name: str) -> type[Message]:
    """The message of that name, or exit with those that come near."""
    try:
        return message_named(name)
    except KeyError:
        near = [m.__name__ for m in all_messages() if name.lower() in m.__name__.lower()]
        sys.exit(f"There is no message {name}; near it: {', '.join(near) or 'none'}.")


def source_of(name: str, version: str) -> str:
    message = find(name)
    served = message.VERSIONS
    if not version.isdigit() or int(version) not in served:
        sys.exit(f"{name} has the versions {served}, and no {version}.")
    return show_codec(message, int(version))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(USAGE)
    print(source_of(*sys.argv[1:]))
