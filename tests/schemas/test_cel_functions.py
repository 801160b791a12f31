"""Functions of texts in rules."""

from __future__ import annotations

import pytest

pytest.importorskip("celpy", reason="cel-python is not installed")

from moldau.schemas.cel_functions import FUNCTIONS


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("isEmail", ["a@b.c", "a.b+c@example.org"], ["a", "a@", "@b", "a@b c", "a b@c.d", "a@1.2"]),
        ("isHostname", ["a", "a-b.c.", "1a.b"], ["", "-a", "a-", "a..b", "1.2.3.4", "a" * 64]),
        ("isIpv4", ["1.2.3.4"], ["1.2.3", "::1", "1.2.3.256", ""]),
        ("isIpv6", ["::1", "2001:db8::"], ["1.2.3.4", ":::", ""]),
        ("isUri", ["http://a/b", "urn:x:y"], ["a/b", "http://a b", "http://[a"]),
        ("isUriRef", ["a/b", "http://a", ""], ["a b", "http://[a"]),
        ("isUuid", ["123e4567-e89b-12d3-a456-426614174000"], ["123e4567", ""]),
    ],
)
def test_what_is_one_and_what_is_none(name, right, wrong):
    assert [one for one in right if not FUNCTIONS[name](one)] == []
    assert [one for one in wrong if FUNCTIONS[name](one)] == []
    with pytest.raises(TypeError):
        FUNCTIONS[name](1)
