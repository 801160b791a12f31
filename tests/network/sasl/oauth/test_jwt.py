"""Tokens are taken apart strictly, since strangers write them."""

from __future__ import annotations

import base64

import pytest

from moldau.network.sasl.oauth.jwt import (
    TOKEN_SIZE_MAX,
    JwtError,
    parse_jwt,
    read_base64url,
    read_object,
)


def packed(text):
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def test_the_example_of_the_standard_is_read():
    header = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
    claims = (
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
        "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    )
    jwt = parse_jwt(f" {header}.{claims}.AQID\n")
    assert jwt.header == {"typ": "JWT", "alg": "HS256"}
    assert jwt.claims == {"iss": "joe", "exp": 1300819380, "http://example.com/is_root": True}
    assert (jwt.signed, jwt.signature) == (f"{header}.{claims}".encode(), b"\1\2\3")
    assert "joe" not in repr(jwt)


@pytest.mark.parametrize(
    "token",
    [
        "",
        "a",
        "a.b",
        ".e30.",
        "e30..",
        "e30.e30",
        "e30.e30.AA.AA",
        "e30.e30.A",
        "e30.e30.A=",
        "é.é.é",
    ],
)
def test_what_has_not_three_sections_is_no_token(token):
    with pytest.raises(JwtError):
        parse_jwt(token)


def test_a_token_that_is_too_long_is_not_read():
    with pytest.raises(JwtError, match="are accepted"):
        parse_jwt("e30.e30." + "A" * TOKEN_SIZE_MAX)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"5",
        b'{"a":1,"a":2}',
        b'{"exp":NaN}',
        b'{"exp":Infinity}',
        b'{"exp":1e999}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"exp":' + b"9" * 10_000 + b"}",
        b"\xff",
    ],
)
def test_what_is_no_object_of_json_is_refused(text):
    with pytest.raises(JwtError, match="the header is not an object of JSON"):
        read_object(text, "header")
    with pytest.raises(JwtError):
        parse_jwt(f"{packed(text)}.e30.AA")


@pytest.mark.parametrize("text", ["a+b/", "YQ==", "a b", "A"])
def test_only_the_alphabet_for_urls_without_padding_is_read(text):
    assert read_base64url("-_8") == b"\xfb\xff"
    with pytest.raises(JwtError):
        read_base64url(text)
