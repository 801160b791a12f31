"""RC2 opens what others have locked: the examples of RFC 2268."""

import pytest

from moldau.platform.system.tls.rc2 import PERMUTATION, rc2_opened

EXAMPLES = (
    ("88bca90e90875a7f0f79c384627bafb2", "0000000000000000", "2269552ab0f85ca6"),
    ("ffffffffffffffff", "ffffffffffffffff", "278b27e42e2f0d49"),
    ("3000000000000000", "1000000000000001", "30649edf9be7d2c2"),
)
"""Those whose every bit counts: key, text, and what it is locked."""


@pytest.mark.parametrize(("key", "plain", "locked"), EXAMPLES)
def test_the_examples_of_the_rfc_are_opened(key, plain, locked):
    opened = rc2_opened(bytes.fromhex(key), bytes(8), bytes.fromhex(locked))
    assert opened == bytes.fromhex(plain)


def test_a_block_is_mixed_with_the_one_before():
    key, plain, locked = map(bytes.fromhex, EXAMPLES[0])
    second = bytes(one ^ other for one, other in zip(plain, locked, strict=True))
    assert rc2_opened(key, bytes(8), locked * 2) == plain + second


def test_every_byte_is_permuted_to_another():
    assert sorted(PERMUTATION) == list(range(256))


@pytest.mark.parametrize(("vector", "data"), [(bytes(8), bytes(9)), (bytes(7), bytes(8))])
def test_what_is_not_in_blocks_is_refused(vector, data):
    with pytest.raises(ValueError, match="in blocks of 8 bytes"):
        rc2_opened(bytes(16), vector, data)
