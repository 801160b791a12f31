"""How a dialogue ends."""

from moldau.network.sasl.dialogue import Identity, SaslError, SaslRefusedError


def test_what_a_peer_may_read_is_a_kind_of_what_it_may_not():
    assert issubclass(SaslRefusedError, SaslError)
    assert Identity("alice") == ("alice", False, None, b"")
