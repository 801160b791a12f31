"""A trial in memory ends as a handshake between two nodes does."""

from __future__ import annotations

import ssl

import pytest

from moldau.platform.ports.tls import TlsError
from moldau.platform.system.tls.trial import try_handshake
from tests.judges.certificates import Certificates


@pytest.fixture
def folders(tmp_path):
    made = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        made.append(Certificates(tmp_path / name, f"CN={name}"))
    return made


def contexts(keys, trusted, version=ssl.TLSVersion.TLSv1_3, mode=ssl.CERT_REQUIRED):
    server, client = (
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER),
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
    )
    client.check_hostname = False
    for one in (server, client):
        one.load_cert_chain(keys)
        one.load_verify_locations(trusted)
        one.minimum_version = one.maximum_version = version
    server.verify_mode = mode
    return server, client


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_both_have_to_trust_each_other(folders, version):
    first, second = folders
    ours = contexts(first.issue("a"), first.trusted, version)
    same = contexts(first.issue("b"), first.trusted, version)
    other = contexts(second.issue("c"), first.trusted, version)
    try_handshake(ours[0], same[1])
    with pytest.raises(TlsError, match="as client, its certificate is refused: no trusted auth"):
        try_handshake(other[0], ours[1])
    with pytest.raises(TlsError, match="as server, its certificate is refused: no trusted auth"):
        try_handshake(ours[0], other[1])
    open_server = contexts(first.issue("a"), first.trusted, version, ssl.CERT_NONE)[0]
    try_handshake(open_server, other[1])


def test_versions_have_to_meet(folders):
    first, _ = folders
    old, new = (
        contexts(first.issue("a"), first.trusted, version)
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3)
    )
    with pytest.raises(TlsError, match=r"versions of TLS|protocol"):
        try_handshake(new[0], old[1])
