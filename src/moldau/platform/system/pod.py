"""Whether this process runs in a pod of Kubernetes, and in which.

Kubernetes puts the token of the pod's service account and the name of its namespace into files of
every pod that has not asked for none, and calls the machine by the pod's name.
"""

from __future__ import annotations

import socket
from pathlib import Path

from moldau.platform.quick_dataclass import dataclass

__all__ = ["ACCOUNT", "Pod", "own_pod"]

ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"


@dataclass(frozen=True, slots=True)
class Pod:
    """The pod in which this process runs."""

    namespace: str
    name: str


def own_pod(account: str = ACCOUNT) -> Pod | None:
    """The pod of this process; None outside of Kubernetes."""
    named = Path(account, "namespace")
    if not named.is_file():
        return None
    return Pod(named.read_text().strip(), socket.gethostname())
