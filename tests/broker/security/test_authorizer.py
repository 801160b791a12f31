"""Access without rules."""

from moldau.broker.security.access import OPERATIONS, Operation, Resource, bits_of
from moldau.broker.security.authorizer import AllowAll
from moldau.network.principal import ANONYMOUS
from moldau.platform.ports.network import Address


class Client:
    principal = ANONYMOUS
    peer = Address("host", 1)


def test_without_rules_every_client_may_do_everything():
    judge = AllowAll()
    assert judge.allows(Client(), Operation.DELETE, Resource.TOPIC, "orders")
    assert judge.allowed(Client(), Resource.GROUP, "g") == bits_of(OPERATIONS[Resource.GROUP])
