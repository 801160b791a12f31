"""Registered names of cipher suites become OpenSSL's."""

import ssl

import pytest

from moldau.platform.system.tls.ciphers import chosen_suites


@pytest.mark.parametrize(
    ("registered", "openssl"),
    [
        ("TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "ECDHE-RSA-AES256-GCM-SHA384"),
        ("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "ECDHE-ECDSA-AES128-GCM-SHA256"),
        ("TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-RSA-CHACHA20-POLY1305"),
        ("TLS_DHE_RSA_WITH_AES_128_CBC_SHA256", "DHE-RSA-AES128-SHA256"),
        ("TLS_RSA_WITH_AES_256_CBC_SHA", "AES256-SHA"),
        ("ECDHE-RSA-AES256-SHA384", "ECDHE-RSA-AES256-SHA384"),
    ],
)
def test_openssl_knows_the_suite_under_its_name(registered, openssl):
    assert chosen_suites([registered]) == (False, (openssl,))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers(openssl)
    assert openssl in {cipher["name"] for cipher in context.get_ciphers()}


def test_suites_of_1_3_are_kept_apart():
    assert chosen_suites(["TLS_AES_256_GCM_SHA384"]) == (True, ())
