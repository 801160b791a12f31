"""WriteShareGroupState: store what became of records.

One of the calls that brokers make to share coordinators (KIP-932); each share partition has its own
error.
"""

from __future__ import annotations

from moldau.broker.server.share.asking_states import answer as handle

__all__ = ["handle"]
