"""What the machine is called."""

from moldau.system.host import host_name


def test_the_machine_has_a_name():
    assert host_name()
