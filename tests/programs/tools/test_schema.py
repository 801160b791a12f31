"""`moldau schema`, against a registry of ours in a simulated world."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from io import StringIO

import pytest

from moldau.client.schemas import RegistryError, SchemaText
from moldau.errors import MoldauError
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.rows import shown_as
from moldau.programs.tools.schema import act, declare
from moldau.schemas.model import InvalidSchemaError
from tests.client.schemas.simulated_registry import SimulatedRegistry
from tests.programs.registry.asked import record


@pytest.fixture
def registry():
    found = SimulatedRegistry()
    found.register("a/value", SchemaText(record("x")))
    found.register("a/value", SchemaText(record("x", "y=")))
    found.register("b", SchemaText('{"type":"string"}', "JSON"))
    return found


def rows_of(registry, *arguments):
    """The exit code, and the rows as `--output json` has them."""
    out = StringIO()
    world = world_of(out)
    parser = ArgumentParser()
    declare(parser)
    code = shown_as("json", lambda one: act(registry, parser.parse_args(arguments), one), world)
    return code, json.loads(out.getvalue())


def world_of(out):
    return World(
        files=SystemFiles(), clock=SystemClock(), random=SystemRandom(), out=out, errors=out
    )


def schema(registry, *arguments):
    """The exit code, and the lines."""
    out = StringIO()
    parser = ArgumentParser()
    declare(parser)
    code = act(registry, parser.parse_args(arguments), world_of(out))
    return code, out.getvalue().splitlines()


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "schema"
        path.write_text(text)
        return str(path)

    return write


def test_all_versions_are_listed_with_their_ids(registry):
    assert schema(registry, "list") == (
        0,
        ["     1  AVRO      a/value 1", "     2  AVRO      a/value 2", "     3  JSON      b 1"],
    )
    assert len(schema(registry, "list", "--subject", "b")[1]) == 1


def test_a_schema_is_shown_as_it_is_and_as_columns_and_classes(registry):
    show = ("show", "--subject", "a/value")
    assert schema(registry, *show)[1] == [record("x", "y=").replace(" ", "")]
    assert schema(registry, *show, "--format", "spark")[1] == ["x INT NOT NULL, y INT NOT NULL"]
    code, lines = schema(registry, *show, "--version", "1", "--format", "dataclass")
    assert (code, lines[-2:]) == (0, ["class R:", "    x: int"])
    assert schema(registry, "show", "--subject", "b", "--format", "arrow")[1] == ["pa.string()"]
    with pytest.raises(InvalidSchemaError, match="JSON has no format 'resolved'"):
        schema(registry, "show", "--subject", "b", "--format", "resolved")
    with pytest.raises(RegistryError, match="40401"):
        schema(registry, "show", "--subject", "none")


def test_a_schema_is_registered_from_a_file(registry, file):
    given = ("--subject", "c", "--file", file('{"type":"integer"}'), "--type", "JSON")
    assert schema(registry, "register", *given) == (0, ["c has it as id 4"])


def test_what_may_not_follow_is_named(registry, file):
    flags = ("--subject", "a/value", "--file")
    assert schema(registry, "check", *flags, file(record("x", "z=")))[0] == 0
    code, lines = schema(registry, "check", *flags, file(record("x", "z")))
    assert code == 1
    assert "READER_FIELD_MISSING_DEFAULT_VALUE" in lines[0]
    assert registry.versions("a/value") == [1, 2]


def test_a_difference_is_shown_in_both_directions(registry):
    registry.register("b", SchemaText('{"type":["string","null"]}', "JSON"))
    code, lines = schema(registry, "diff", "--subject", "b", "--old", "1", "--new", "2")
    assert (code, lines[0]) == (0, "version 2 reads what version 1 wrote")
    assert lines[1] == "version 1 cannot read what version 2 wrote"
    assert "TYPE" in lines[2]


def test_versions_are_deleted_and_then_for_ever(registry):
    one = ("delete", "--subject", "a/value", "--version", "1")
    assert schema(registry, *one) == (0, ["deleted a/value 1"])
    assert schema(registry, *one, "--permanent") == (0, ["deleted a/value 1"])
    assert schema(registry, "delete", "--subject", "a/value") == (0, ["deleted a/value 2"])


def test_what_is_exported_is_imported_with_its_ids(registry, file):
    lines = schema(registry, "export")[1]
    other = SimulatedRegistry()
    path = file("\n".join(lines[1:]))
    assert schema(other, "import", "--file", path) == (
        0,
        ["2 versions of 2 subjects are there"],
    )
    assert schema(other, "export")[1] == lines[1:]
    assert other.register("d", SchemaText(record("d"))).id == 4
    with pytest.raises(RegistryError, match="42205"):
        schema(other, "import", "--file", path)
    assert other.register("b", SchemaText("true", "JSON")).id == 5
    for subject in ("a%2Fvalue", "b"):
        path = f"/mode/{subject}?defaultToGlobal=true"
        assert other.ask(lambda calls, path=path: calls.call("GET", path)) == {"mode": "READWRITE"}


@pytest.mark.parametrize("line", ["{", "[]", json.dumps({"subject": "a", "schema": ""})])
def test_a_line_that_export_did_not_write_is_named_before_anything_is_registered(file, line):
    registry = SimulatedRegistry()
    good = json.dumps({"subject": "a", "version": 1, "id": 1, "schema": '"int"'})
    with pytest.raises(MoldauError, match=":2 is no line that export wrote"):
        schema(registry, "import", "--file", file(f"{good}\n{line}\n"))
    assert registry.subjects() == []


def test_what_an_action_needs_is_named(registry, file):
    with pytest.raises(MoldauError, match="schema diff needs --subject"):
        schema(registry, "diff")
    given = ("--subject", "b", "--file", file("true"), "--type", "JSON", "--topic", "t")
    with pytest.raises(MoldauError, match="needs --bootstrap-server"):
        schema(registry, "check", *given)


def test_a_dry_run_shows_and_changes_nothing(registry, file):
    path = file(record("x", "z="))
    before = schema(registry, "list")
    shown = [
        schema(registry, "register", "--subject", "a/value", "--file", path, "--dry-run"),
        schema(registry, "delete", "--subject", "a/value", "--dry-run"),
        schema(registry, "delete", "--subject", "a/value", "--version", "2", "--dry-run"),
    ]
    exported = "\n".join(schema(registry, "export")[1])
    shown.append(schema(registry, "import", "--file", file(exported), "--dry-run"))
    assert shown == [
        (0, [f"DRY RUN of registering {path} under a/value"]),
        (0, ["DRY RUN of deleting a/value 1, 2"]),
        (0, ["DRY RUN of deleting a/value 2"]),
        (0, ["DRY RUN of importing 3 versions of 2 subjects"]),
    ]
    assert schema(registry, "list", "--dry-run") == before


def test_data_keys_that_are_shredded_are_gone_for_good(registry):
    keks, given = "/dek-registry/v1/keks", {"kmsType": "local-kms", "kmsKeyId": "one"}
    dek = {"encryptedKeyMaterial": "YWJj"}
    registry.ask(lambda calls: calls.call("POST", keks, {"name": "k", **given}))
    for subject in ("a%2Fvalue", "b"):
        path = f"{keks}/k/deks/{subject}"
        registry.ask(lambda calls, path=path: calls.call("POST", path, dek))
    asked = ("shred", "--kek", "k", "--subject", "a/value")
    what = "the data keys of k for a/value"
    assert schema(registry, *asked, "--dry-run")[1] == [f"DRY RUN of deleting {what} for good"]
    assert len(registry.keys.state.deks["k"]) == 2
    assert schema(registry, *asked) == (0, [f"{what} are gone for good"])
    assert [place.subject for place in registry.keys.state.deks["k"]] == ["b"]
    with pytest.raises(RegistryError, match="Key 'a/value' not found"):
        schema(registry, *asked)
    with pytest.raises(MoldauError, match="shred needs --kek"):
        schema(registry, "shred", "--subject", "b")


def test_what_is_found_is_there_as_rows_for_programs(registry, file):
    wide = file(record("x", "z"))
    assert rows_of(registry, "list", "--subject", "b") == (
        0,
        [{"id": 3, "type": "JSON", "subject": "b", "version": 1}],
    )
    shown = rows_of(registry, "show", "--subject", "a/value", "--format", "spark")[1]
    assert shown == [
        {
            "id": 2,
            "type": "AVRO",
            "subject": "a/value",
            "version": 2,
            "text": "x INT NOT NULL, y INT NOT NULL",
        }
    ]
    code, broken = rows_of(registry, "check", "--subject", "a/value", "--file", wide)
    assert (code, broken[0]["place"]) == (1, "a/value")
    assert "READER_FIELD_MISSING_DEFAULT_VALUE" in broken[0]["reason"]
    settings = {"compatibility": "NONE"}
    registry.ask(lambda calls: calls.call("PUT", "/config/a%2Fvalue", settings))
    registry.register("a/value", SchemaText(record("x", "z")))
    [row] = rows_of(registry, "diff", "--subject", "a/value", "--old", "2", "--new", "3")[1]
    del row["description"]
    assert row == {
        "reader": 3,
        "writer": 2,
        "path": "/fields/1",
        "rule": "READER_FIELD_MISSING_DEFAULT_VALUE",
    }
    made = rows_of(registry, "register", "--subject", "c", "--file", file('"int"'))[1]
    assert made == [{"id": 5, "subject": "c", "version": 1}]
    assert rows_of(registry, "delete", "--subject", "c")[1] == [{"subject": "c", "version": 1}]


def test_a_schema_is_registered_with_what_it_refers_to(registry, file):
    outer = {"type": "record", "name": "O", "fields": [{"name": "f", "type": "R"}]}
    place = file(json.dumps(outer))
    given = ("--subject", "o", "--file", place, "--reference", "R=a/value:2")
    assert schema(registry, "check", *given) == (0, ["it may follow what o has"])
    assert schema(registry, "register", *given) == (0, ["o has it as id 4"])
    assert registry.latest("o").schema.references[0].subject == "a/value"
    for wrong in ("R", "R=a/value", "=a/value:1", "R=a/value:x", "R=:1"):
        with pytest.raises(MoldauError, match="NAME=SUBJECT:VERSION"):
            schema(registry, "register", *given[:-1], wrong)


def test_so_many_records_that_none_is_read_are_refused(registry, file):
    given = ("--subject", "b", "--file", file('"int"'), "--topic", "t", "--bootstrap-server", "h:1")
    with pytest.raises(MoldauError, match="--last"):
        schema(registry, "check", *given, "--last", "0")
