"""Whatever a user's function does is bytes or one sentence with a remedy."""

from __future__ import annotations

import pytest

from moldau.config.refusals import SettingError
from moldau.platform.system.time_limit import CallTimes
from moldau.programs.console.formats.called import FormatError, loaded
from moldau.programs.console.formats.declared import PARTS, Declared

FOREIGN = "tests.programs.console.formats.foreign"
BY_FUNCTIONS = Declared(
    "x", decode=f"{FOREIGN}:decode", encode=f"{FOREIGN}:encode", origin="formats.x"
)
BY_MODULE = Declared("x", leads_to=FOREIGN, origin="the entry point x")


def called(declared=BY_FUNCTIONS, call_ms=60_000):
    return loaded(declared, CallTimes(call_ms, 2 * call_ms))


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"a", b'{"topic": "t", "data": "61"}'),
        (b"text", b"as it is"),
        (b"bytes", b'{"a":1}'),
        (b"print", b"null"),
    ],
)
def test_text_and_bytes_are_shown_as_they_are_and_anything_else_as_json(data, shown):
    assert called().decoded("t", data) == shown


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (b"fail", r"raised ValueError: bad magic \(foreign.py line \d+\)"),
        (b"silent", "raised SilentError"),
        (b"leave", "raised SystemExit: 3"),
        (b"set", "returned a set that has no form in JSON"),
        (b"nan", "returned a float that has no form in JSON"),
        (b"itself", "returned a list that has no form in JSON"),
        (b"half", "half of a surrogate pair"),
        (b"large", "made 2097152 bytes, more than 1048576"),
    ],
)
def test_what_goes_wrong_is_a_sentence_with_a_remedy(data, cause):
    with pytest.raises(FormatError, match=cause) as found:
        called().decoded("t", data)
    assert str(found.value).endswith(": choose another format, or mend formats.x")


def test_once_the_time_of_all_calls_is_over_the_rest_is_not_called():
    found = called(call_ms=20)
    with pytest.raises(FormatError, match=r"took longer than 0\.02 s: choose another format"):
        found.decoded("t", b"hang")
    for _ in range(2):
        with pytest.raises(FormatError):
            found.decoded("t", b"hang")
    with pytest.raises(FormatError, match=r"took 0\.04 s for records before this one"):
        found.decoded("t", b"a")


def test_text_is_encoded_to_bytes_and_nothing_else():
    assert called().encoded("t", "é") == "t:é".encode()
    with pytest.raises(FormatError, match="returned a NoneType: it has to return bytes"):
        called().encoded("t", "none")
    only = BY_FUNCTIONS._replace(encode="")
    with pytest.raises(FormatError, match="decodes only: choose another format"):
        called(only).encoded("t", "a")


def test_a_module_has_its_functions_topics_and_parts_and_a_file_has_the_last_word():
    offer = called(BY_MODULE).offer
    assert (offer.topics, offer.parts, offer.encodes) == ("pay.*", ("value",), True)
    offer = called(BY_MODULE._replace(topics="a", parts=("key",))).offer
    assert (offer.topics, offer.parts) == ("a", ("key",))
    offer = called(BY_MODULE._replace(leads_to=f"{FOREIGN}:decode")).offer
    assert (offer.topics, offer.parts, offer.encodes) == (None, PARTS, False)


@pytest.mark.parametrize(
    ("declared", "sentence"),
    [
        (BY_FUNCTIONS._replace(decode="no_such_module:f"), "cannot be imported.*install it"),
        (BY_FUNCTIONS._replace(decode=f"{FOREIGN}:moon"), "has no moon: look how it is written"),
        (BY_FUNCTIONS._replace(encode=f"{FOREIGN}:NO_FUNCTION"), "is no function"),
        (BY_MODULE._replace(leads_to="json"), "which is no format: it has to be"),
        (BY_MODULE._replace(leads_to=f"{FOREIGN}:NO_FUNCTION"), "which is no format: it has to be"),
        (
            BY_MODULE._replace(leads_to="tests.programs.console.formats.broken"),
            r"cannot be imported: RuntimeError: not today \(broken.py line \d+\)",
        ),
    ],
)
def test_code_that_cannot_be_had_is_refused_with_who_declares_it(declared, sentence):
    with pytest.raises(SettingError, match=sentence) as found:
        called(declared)
    assert str(found.value).startswith(declared.origin)
