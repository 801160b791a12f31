"""A profile adds to a call what it does not say itself, and its file is what Java's tools read."""

from __future__ import annotations

import pytest

from moldau.config.java_properties import parse_properties
from moldau.errors import MoldauError
from moldau.platform.ports.files import read_whole
from moldau.platform.simulated.files import SimulatedFiles
from moldau.programs.tools import profiles
from moldau.programs.tools.main import COMMANDS, find_command, parser_for
from moldau.programs.tools.profiles import (
    place_of,
    profile_names,
    read_profile,
    with_profile,
    write_profile,
)

VARIABLES = {"HOME": "/me"}
SETTINGS = {"bootstrap.servers": "a:9092", "sasl.jaas.config": 'x password="q\\é 😀" a=b;'}
PLACE = "/me/.config/moldau/profiles/staging.properties"
ADDED = ["--bootstrap-server", "a:9092", "--command-config", PLACE]


@pytest.fixture
def files(monkeypatch):
    monkeypatch.setattr(profiles, "environment", lambda: VARIABLES)
    made = SimulatedFiles()
    write_profile(made, "staging", SETTINGS, VARIABLES)
    return made


def called(files, words: str, name: str = "staging") -> list[str]:
    command, *rest = words.split()
    found = find_command(command)
    assert found is not None
    return with_profile(name, found, rest, files)


def test_what_is_written_is_read_as_properties_with_every_letter(files):
    assert read_profile(files, "staging", VARIABLES) == SETTINGS
    assert parse_properties(read_whole(files, PLACE)) == SETTINGS
    assert profile_names(files, VARIABLES) == ["staging"]


def test_it_lies_where_a_user_keeps_settings():
    assert place_of("a", {"XDG_CONFIG_HOME": "/x"}) == "/x/moldau/profiles/a.properties"


def test_every_command_of_ours_with_servers_takes_a_file_of_settings_too():
    helps = {one.name: parser_for(one).format_help() for one in COMMANDS}
    asking = {name for name, text in helps.items() if "--bootstrap-server" in text}
    assert len(asking) > 10
    assert [name for name in asking if "--command-config" not in helps[name]] == []


@pytest.mark.parametrize(
    "words",
    [
        "topics --list",
        "lag",
        "metadata-quorum describe",
        "roles list",
        "explain-access --topic a",
        *("probe", "burrow", "rest", "registry", "console", "verifiable-producer"),
    ],
)
def test_a_call_has_the_servers_and_the_file_of_the_profile(files, words):
    assert called(files, words) == [*ADDED, *words.split()[1:]]


def test_cat_has_them_with_the_flags_of_kcat(files):
    assert called(files, "cat -L") == ["-b", "a:9092", "-F", PLACE, "-L"]


def test_what_a_call_names_itself_wins(files):
    named = "topics --bootstrap-server b:1 --list"
    assert called(files, named) == named.split()[1:]
    mine = "topics --list --command-config mine.properties"
    assert called(files, mine) == [*ADDED[:2], *mine.split()[1:]]


def test_a_command_that_asks_no_cluster_is_left_alone(files):
    assert called(files, "random-uuid") == []


def test_a_profile_that_is_not_there_is_one_sentence_with_those_that_are(files):
    with pytest.raises(MoldauError, match=r"no profile prod \(staging so far\)"):
        called(files, "topics --list", "prod")


@pytest.mark.parametrize("name", ["../x", "", ".hidden", "a/b", "a" * 65])
def test_a_name_leads_to_no_other_directory(name):
    with pytest.raises(MoldauError, match="no name of a profile"):
        place_of(name, VARIABLES)
