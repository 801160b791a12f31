"""Every message on the page of troubles is printed as it stands there."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.docs.pages import Page
from tests.examples.troubles import TROUBLES
from tests.tidy.source import ROOT

PAGE = Page("docs/troubleshooting.md", (ROOT / "docs/troubleshooting.md").read_text())
MESSAGE = re.compile(r"^\| `([^`]+)`", re.MULTILINE)
"""What a row of a table begins with, if it is a message."""
MESSAGES = MESSAGE.findall(PAGE.text)
AT_ONCE = 4


def appears(message: str, output: str) -> bool:
    """`…` stands for anything within a line."""
    return re.search("[^\n]*".join(map(re.escape, message.split("…"))), output) is not None


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """Of all troubles, several at a time: most of them wait for something that does not come."""
    folders = [tmp_path_factory.mktemp("trouble") for _ in TROUBLES]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = pool.map(lambda trouble, folder: trouble(folder), TROUBLES, folders)
        return "\n".join(found)


@pytest.mark.timeout(300)
def test_every_message_is_what_one_sees(outputs):
    assert [message for message in MESSAGES if not appears(message, outputs)] == []


def test_there_are_messages_to_look_for():
    assert len(MESSAGES) > 25
    assert not appears("this is printed … nowhere", "this is printed\nby two lines, nowhere")
