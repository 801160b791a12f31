"""An empty variable is as good as none, which is how shells clear one for a call."""

from moldau.platform.system.variables import variable


def test_a_variable_has_its_text(monkeypatch):
    monkeypatch.setenv("MOLDAU_TEST", "staging")
    assert variable("MOLDAU_TEST") == "staging"


def test_an_empty_one_is_as_good_as_none(monkeypatch):
    monkeypatch.setenv("MOLDAU_TEST", "")
    assert variable("MOLDAU_TEST") is None
    monkeypatch.delenv("MOLDAU_TEST")
    assert variable("MOLDAU_TEST") is None
