"""Apache Kafka 4, the whole system, in Python.

The public names of the project are exported here; packages are imported by their own names. The
clients are loaded with the first use of one, so that `import moldau` stays cheap:

    from moldau import Producer
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from moldau.client import (
        Admin,
        AsyncAdmin,
        AsyncConsumer,
        AsyncProducer,
        AsyncShareConsumer,
        Consumer,
        Producer,
        ShareConsumer,
        Topic,
        TopicPartition,
    )

__all__ = [
    "Admin",
    "AsyncAdmin",
    "AsyncConsumer",
    "AsyncProducer",
    "AsyncShareConsumer",
    "Consumer",
    "Producer",
    "ShareConsumer",
    "Topic",
    "TopicPartition",
    "__version__",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """A client, when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module 'moldau' has no attribute {name!r}")
    found = getattr(import_module("moldau.client"), name)
    globals()[name] = found
    return found
