"""The formats of a console: which of them its pages get, and what becomes of records."""

from __future__ import annotations

import logging

import pytest

from moldau.client import ConsumerRecord
from moldau.config.refusals import SettingError
from moldau.platform.system.tasks import run
from moldau.programs.console.formats.called import FormatError
from moldau.programs.console.formats.offered import Chosen, Formats
from tests.programs.console.formats.test_called import BY_FUNCTIONS, BY_MODULE

USUAL = BY_FUNCTIONS._replace(name="usual", topics="t*", parts=("value",), encode="")
BROKEN = BY_MODULE._replace(name="broken", leads_to="no_such_module")


def on_formats(declared, work, *, must_load=True):
    async def main(tasks):
        formats = Formats(declared, must_load=must_load)
        try:
            await formats.start(tasks)
            return await work(formats)
        finally:
            await formats.close()

    return run(main)


def record(value, key=b"k"):
    return ConsumerRecord("t", 0, 3, timestamp=0, timestamp_type=0, key=key, value=value)


def made(value, chosen, key=b"k"):
    async def work(formats):
        one = record(value, key)
        found = await formats.made("t", [one], chosen)
        return found.of(one, "key"), found.of(one, "value")

    return on_formats([BY_FUNCTIONS, USUAL], work)


def test_what_is_usual_for_a_topic_decodes_its_parts_alone():
    key, (name, value) = made(b"text", Chosen())
    assert (key, name, value.data) == (None, "usual", b"as it is")


def test_what_is_chosen_decodes_instead():
    (key_name, key), value = made(b"text", Chosen("x", "text"), b"text")
    assert (key_name, key.data, value) == ("x", b"as it is", None)


def test_what_is_null_is_no_bytes():
    assert made(None, Chosen(), None) == (None, None)


def test_names_that_are_not_there_are_refused_with_those_that_are():
    async def work(formats):
        formats.ensure_known("key", "x")
        formats.ensure_known("value", None)
        with pytest.raises(
            FormatError, match=r"key_format is one of text, hex, .*, x, and not usual"
        ):
            formats.ensure_known("key", "usual")

    on_formats([BY_FUNCTIONS, USUAL], work)


def test_only_what_encodes_is_there_to_send():
    async def work(formats):
        with pytest.raises(FormatError, match="has to return bytes"):
            await formats.encoded("x", "t", "none")
        listed = [(one["name"], one["encodes"]) for one in formats.listed()]
        return listed, [formats.encodes(name, "value") for name in ("x", "usual", "moon")]

    listed, encodes = on_formats([BY_FUNCTIONS, USUAL], work)
    assert listed == [("x", True), ("usual", False)]
    assert encodes == [True, False, False]


def test_one_that_cannot_be_loaded_is_refused_or_left_out_with_a_line_in_the_log(caplog):
    async def work(formats):
        return [one.name for one in formats.offers]

    with pytest.raises(SettingError, match="no_such_module cannot be imported"):
        on_formats([USUAL, BROKEN], work)
    with caplog.at_level(logging.WARNING):
        assert on_formats([BROKEN, USUAL], work, must_load=False) == ["usual"]
    assert "without a format: the entry point x: no_such_module" in caplog.text
