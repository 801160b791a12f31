"""The reference says what the code says today, and leaves nothing out."""

from __future__ import annotations

import pytest

from devtools.reference import FOLDER, PAGES, SETTINGS
from moldau.programs.tools.main import COMMANDS
from moldau.protocol.messages.index import APIS, OTHERS


def written(name: str) -> str:
    return (FOLDER / name).read_text()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_fresh(name):
    assert written(name) == PAGES[name](), "./dev docs writes it anew"


def test_there_is_no_page_that_nothing_writes():
    assert {path.name for path in FOLDER.iterdir()} == set(PAGES)


def test_every_api_and_every_other_message_is_there():
    page = written("messages.md")
    names = [api.name for api in APIS] + [name for names in OTHERS.values() for name in names]
    assert [name for name in names if f"[{name}](" not in page] == []


def public_names(settings):
    return [key.name for key in settings.KEYS.values() if not key.internal]


def test_every_setting_is_there():
    page = written("settings.md")
    names = [name for settings in SETTINGS.values() for name in public_names(settings)]
    assert [name for name in names if f"`{name}`" not in page] == []


def test_every_command_is_there():
    page = written("commands.md")
    assert [command.name for command in COMMANDS if f"moldau {command.name}" not in page] == []
