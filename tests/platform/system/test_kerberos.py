"""The machine's Kerberos, where there is none to ask; tests/interop/security has a real one."""

from __future__ import annotations

import sys

import pytest

from moldau.errors import KerberosError
from moldau.platform.system.kerberos import SystemKerberos


def test_a_missing_package_is_named_with_the_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "gssapi", None)
    with pytest.raises(KerberosError, match=r"pip install 'moldau\[kerberos\]'"):
        SystemKerberos().acceptor({"principal": "kafka/b1@OURS"})


def test_keys_that_are_not_there_are_an_error_of_ours(tmp_path, monkeypatch):
    pytest.importorskip("gssapi", reason="gssapi is not installed")
    monkeypatch.setenv("KRB5_CONFIG", "/dev/null")
    options = {"principal": "kafka/b1@OURS", "keyTab": str(tmp_path / "none")}
    with pytest.raises(KerberosError, match="Kerberos refuses"):
        SystemKerberos().acceptor(options)
    with pytest.raises(KerberosError, match="Kerberos refuses"):
        SystemKerberos().initiator(options, "kafka", "b1")()
