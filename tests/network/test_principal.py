"""A principal as people and ACLs spell it."""

from moldau.network.principal import ANONYMOUS, Principal


def test_a_principal_is_written_as_acls_write_it():
    assert str(ANONYMOUS) == "User:ANONYMOUS"
    assert str(Principal("Group", "readers")) == "Group:readers"
