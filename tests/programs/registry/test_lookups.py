"""Answers of the state, and refusals."""

from moldau.programs.registry.lookups import by_guid, by_id, need_version, places_of_id, resolved
from tests.programs.registry.asked import error_of, record


def test_what_was_written_with_a_deleted_schema_can_still_be_read(ask):
    ask.register("s", record("a"))
    ask("DELETE", "/subjects/s")
    assert by_id(ask.state, 1).is_deleted
    assert places_of_id(ask.state, 1) == []
    assert error_of(lambda: need_version(ask.state, "s", 1)) == 40401
    assert need_version(ask.state, "s", 1, deleted=True).id == 1


def test_what_is_not_there_has_its_code(ask):
    ask.register("s", record("a"))
    assert error_of(lambda: by_id(ask.state, 2)) == 40403
    assert error_of(lambda: by_guid(ask.state, "x")) == 40403
    assert error_of(lambda: need_version(ask.state, "s", 2)) == 40402


def test_an_alias_leads_to_another_subject(ask):
    ask("PUT", "/config/other", {"alias": "s"})
    assert resolved(ask.state, "other") == "s"
    assert resolved(ask.state, "s") == "s"


def test_an_alias_is_in_the_context_of_what_it_stands_for(ask):
    ask("PUT", "/config/:.x:other", {"alias": "s"})
    ask("PUT", "/config/:.x:away", {"alias": ":.y:s"})
    assert resolved(ask.state, ":.x:other") == ":.x:s"
    assert resolved(ask.state, ":.x:away") == ":.y:s"


def test_keys_have_an_alias_of_their_own_or_that_of_the_subject(ask):
    ask("PUT", "/config/both", {"alias": "s", "aliasForDeks": "keys"})
    ask("PUT", "/config/one", {"alias": "s"})
    assert [resolved(ask.state, name, for_keys=True) for name in ("both", "one")] == ["keys", "s"]
    assert resolved(ask.state, "both") == "s"
