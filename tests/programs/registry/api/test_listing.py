"""Listings are of one context or of all, by the beginning of bare names."""

from moldau.programs.http.messages import Request
from moldau.programs.registry.api.listing import subjects_with_prefix
from tests.programs.registry.asked import record


def test_a_prefix_is_of_bare_names_where_all_contexts_are_meant(ask):
    for name in ("sa", "b", ":.x:sa", ":.y:c"):
        ask.register(name, record("a"))

    def listed(prefix, **parameters):
        request = Request("GET", "/", {"subjectPrefix": [prefix]}, parameters=parameters)
        return subjects_with_prefix(ask.state, request)

    assert listed(":*:s") == [":.x:sa", "sa"]
    assert listed("s") == ["sa"]
    assert listed("s", context=".x") == [":.x:sa"]
    assert listed(":.y:") == [":.y:c"]
    assert len(listed("")) == 4
