"""Who this node is, and who votes."""

import pytest

from moldau.broker.quorum.voters import ReplicaKey, Voter
from moldau.broker.runtime.quorum.membership import (
    Identity,
    VotersRefusedError,
    bootstrap_addresses,
    configured_voters,
)
from moldau.platform.ports.network import Address


def test_configured_voters_have_an_address_and_no_disk():
    voters = configured_voters(["1@host:9093", " 2@[::1]:9094"])
    assert voters.get(1) == Voter(ReplicaKey(1), {"CONTROLLER": Address("host", 9093)})
    assert voters.get(2) == Voter(ReplicaKey(2), {"CONTROLLER": Address("::1", 9094)})


@pytest.mark.parametrize("entry", ["", "1@host", "host:9093", "x@host:9093", "1@:9093"])
def test_an_entry_that_is_no_voter_is_refused_with_its_text(entry):
    with pytest.raises(VotersRefusedError, match="id@host:port"):
        configured_voters([entry])


def test_an_identity_is_a_voter_with_its_disk():
    endpoints = {"CONTROLLER": Address("host", 9093)}
    identity = Identity(1, b"d" * 16, "cluster", endpoints)
    assert identity.key == ReplicaKey(1, b"d" * 16)
    assert identity.as_voter == Voter(identity.key, endpoints)


def test_bootstrap_servers_are_addresses():
    found = bootstrap_addresses(["host:9093", " [::1]:9094"])
    assert found == (Address("host", 9093), Address("::1", 9094))


@pytest.mark.parametrize("entry", ["", "host", "host:x", ":9093"])
def test_a_bootstrap_server_that_is_no_address_is_refused_with_its_text(entry):
    with pytest.raises(VotersRefusedError, match="written as host:port"):
        bootstrap_addresses([entry])
