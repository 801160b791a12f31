"""That they serve is in tests/interop/registry."""

from moldau.platform.ports.network import Address
from moldau.programs.tools.start_programs import client_of


def test_a_node_that_listens_everywhere_is_reached_on_this_machine():
    assert client_of(Address("0.0.0.0", 9092)) == {"bootstrap.servers": "127.0.0.1:9092"}
    assert client_of(Address("::1", 9092)) == {"bootstrap.servers": "[::1]:9092"}
