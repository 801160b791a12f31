"""Access without rules."""

from moldau.ports.network import Address
from moldau.security.access import OPERATIONS, Operation, Resource, bits_of
from moldau.security.authorizer import AllowAll
from moldau.security.principal import ANONYMOUS


class Somebody:
    principal = ANONYMOUS
    peer = Address("host", 1)


def test_without_rules_everybody_may_do_everything():
    judge = AllowAll()
    assert judge.allows(Somebody(), Operation.DELETE, Resource.TOPIC, "orders")
    assert judge.allowed(Somebody(), Resource.GROUP, "g") == bits_of(OPERATIONS[Resource.GROUP])
