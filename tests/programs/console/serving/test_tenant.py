"""What one user has."""


def test_a_console_says_what_it_is(console):
    found = console.get("")
    assert found["servers"] == console.bootstrap
    assert (found["user"], found["is_read_only"]) == (None, False)
