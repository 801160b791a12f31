"""What the machine is called, and what it allows."""

from __future__ import annotations

from resource import RLIMIT_NOFILE, getrlimit, setrlimit

from moldau.system.host import host_name, take_all_descriptors


def test_the_machine_has_a_name():
    assert host_name()


def test_as_many_descriptors_are_taken_as_are_allowed():
    soft, hard = getrlimit(RLIMIT_NOFILE)
    setrlimit(RLIMIT_NOFILE, (min(soft, hard) - 1, hard))
    try:
        assert take_all_descriptors() == hard
    finally:
        setrlimit(RLIMIT_NOFILE, (soft, hard))
