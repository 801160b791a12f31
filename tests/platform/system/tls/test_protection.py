"""Terms and files may change while connections come: each takes those of its time."""

import logging
from itertools import count

import pytest

from moldau.platform.ports.tls import KeyStore, TlsError, TlsTerms
from moldau.platform.system.tls import protection
from tests.judges.certificates import HOSTS, Certificates
from tests.platform.ports.both_networks import in_protected_system, pair


@pytest.fixture
def certificates(tmp_path):
    return Certificates(tmp_path)


def serving(certificates, main):
    """Run `main(tasks, network, server)` with a node's certificate in node.pem."""
    server = TlsTerms(KeyStore("PEM", str(certificates.issue("node", HOSTS))))
    client = TlsTerms(trusted=KeyStore("PEM", str(certificates.trusted)))

    async def run(tasks, network):
        return await main(tasks, network, network._server)

    return in_protected_system(run, server, client)


async def shown(tasks, network):
    """The certificate that a new connection is shown."""
    caller, called = await pair(tasks, network)
    called.link.send(b"!")
    while not caller.received:
        await tasks.sleep(1)
    return caller.link.peer_certificate, caller, called


def test_a_renewed_file_is_used_by_the_next_connection_and_open_ones_go_on(
    certificates, monkeypatch
):
    monkeypatch.setattr(protection, "LOOK_S", 0)

    async def main(tasks, network, server):
        first, caller, called = await shown(tasks, network)
        certificates.issue("renewed", HOSTS, file="node")
        second, _, _ = await shown(tasks, network)
        called.link.send(b"still here")
        while len(caller.received) < 2:
            await tasks.sleep(1)
        return first, second

    first, second = serving(certificates, main)
    assert b"renewed" not in first
    assert b"renewed" in second


def test_a_broken_file_leaves_the_former_certificate_in_use_and_is_logged_once(
    certificates, monkeypatch, caplog
):
    monkeypatch.setattr(protection, "LOOK_S", 0)

    async def main(tasks, network, server):
        first, _, _ = await shown(tasks, network)
        (certificates.folder / "node.pem").write_text("half a fi")
        return first, [(await shown(tasks, network))[0] for _ in range(3)]

    with caplog.at_level(logging.WARNING):
        first, others = serving(certificates, main)
    assert set(others) == {first}
    assert [record.getMessage().count("node.pem") for record in caplog.records] == [1]


def test_files_are_not_looked_at_for_each_connection(certificates, monkeypatch):
    looks = count()
    seen = protection.SystemTls._look
    monkeypatch.setattr(protection, "LOOK_S", 3600)
    monkeypatch.setattr(protection.SystemTls, "_look", lambda one: (next(looks), seen(one)))

    async def main(tasks, network, server):
        for _ in range(3):
            await shown(tasks, network)
        return next(looks)

    assert serving(certificates, main) == 0


def test_other_terms_hold_for_the_next_connection_and_impossible_ones_for_none(certificates):
    async def main(tasks, network, server):
        with pytest.raises(TlsError, match="missing"):
            server.change(TlsTerms(KeyStore("PEM", "/missing.pem")))
        first, _, _ = await shown(tasks, network)
        server.change(TlsTerms(KeyStore("PEM", str(certificates.issue("other", HOSTS)))))
        return first, (await shown(tasks, network))[0]

    first, second = serving(certificates, main)
    assert b"other" not in first
    assert b"other" in second


def test_a_complaint_has_the_file_in_it(certificates):
    async def main(tasks, network, server):
        path = certificates.folder / "empty.pem"
        path.write_text("")
        with pytest.raises(TlsError, match=r"empty\.pem: it has no certificate"):
            server.change(TlsTerms(KeyStore("PEM", str(path))))
        return repr(server)

    assert "node.pem" in serving(certificates, main)


def test_the_former_and_the_new_stores_have_to_trust_each_other(certificates, tmp_path):
    (tmp_path / "other").mkdir()
    other = Certificates(tmp_path / "other", "CN=Other")

    def terms(keys, *trusted):
        path = tmp_path / f"{len(trusted)}{trusted[0].folder.name}.pem"
        path.write_text("".join(one.trusted.read_text() for one in trusted))
        keys = KeyStore("PEM", str(keys.issue("node", HOSTS)))
        return TlsTerms(keys, KeyStore("PEM", str(path)))

    async def main(tasks, network, server):
        server.change(terms(certificates, certificates))
        for wrong in (terms(other, certificates, other), terms(certificates, other)):
            with pytest.raises(TlsError, match="as client, its certificate is refused"):
                server.try_with_former(wrong)
        for step in (
            terms(certificates, certificates, other),
            terms(other, certificates, other),
            terms(other, other),
        ):
            server.try_with_former(step)
            server.change(step)
        return True

    assert serving(certificates, main)


def test_of_files_between_nodes_only_those_are_used_that_go_together_with_the_former(
    certificates, tmp_path, monkeypatch, caplog
):
    monkeypatch.setattr(protection, "LOOK_S", 0)
    (tmp_path / "other").mkdir()
    other = Certificates(tmp_path / "other", "CN=Other")
    keys, trust = certificates.issue("node", HOSTS), tmp_path / "trust.pem"
    trust.write_text(certificates.trusted.read_text())

    async def main(tasks, network, server):
        server.change(TlsTerms(KeyStore("PEM", str(keys)), KeyStore("PEM", str(trust))))
        server.keep_trust()
        caller, _, _ = await shown(tasks, network)
        keys.write_text(other.issue("another", HOSTS).read_text())
        refused, _, _ = await shown(tasks, network)
        assert refused == caller
        keys.write_text(certificates.issue("renewed", HOSTS).read_text())
        return (await shown(tasks, network))[0]

    assert b"renewed" in serving(certificates, main)
    assert "The former certificates stay in use: as client, its certificate is" in caplog.text
