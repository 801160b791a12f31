"""A registry without a loop."""

from __future__ import annotations

import pickle

import pytest

from moldau.client.errors import UnreachableError
from moldau.client.schemas import RegistryClient
from moldau.platform.system.free_ports import free_ports


def test_a_client_may_be_pickled_and_used_again_after_it_was_closed():
    port = free_ports(1, "127.0.0.1")[0]
    with RegistryClient(f"http://127.0.0.1:{port}") as client:
        again = pickle.loads(pickle.dumps(client))
        assert again.settings == client.settings
        for _ in range(2):
            with pytest.raises(UnreachableError):
                again.subjects()
            again.close()
    assert repr(client) == f"<RegistryClient of http://127.0.0.1:{port}>"
