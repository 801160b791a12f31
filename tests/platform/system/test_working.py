"""The form of a message; what a worker may take and how it ends is in test_workers."""

from moldau.platform.system.working import SIZES, encoded


def test_a_message_begins_with_the_sizes_of_both_its_parts():
    begun = encoded({"a": 1}, b"body")
    assert SIZES.unpack(begun[: SIZES.size]) == (len(begun) - SIZES.size, 4)
    assert begun[SIZES.size :] == b'{"a": 1}'
