"""Subjects, contexts and versions."""

import pytest

from moldau.programs.registry.names import (
    bare_of,
    context_of,
    ensure_subject,
    in_context,
    version_of,
)
from tests.programs.registry.asked import error_of


@pytest.mark.parametrize(
    ("subject", "context", "bare"),
    [("a", ".", "a"), (":.x:a:b", ".x", "a:b"), (":.x:", ".x", ""), (":a", ".", ":a")],
)
def test_a_subject_has_a_context_and_a_name(subject, context, bare):
    assert (context_of(subject), bare_of(subject)) == (context, bare)


def test_a_context_is_put_before_a_name_that_has_none():
    assert in_context(":.x:", "a") == in_context(".x", "a") == in_context("x", "a") == ":.x:a"
    assert in_context(".", "a") == in_context("", "a") == "a"
    assert in_context(".x", ":.y:a") == ":.y:a"


@pytest.mark.parametrize("subject", ["", ":.x:", "__GLOBAL", "__EMPTY", "a\nb"])
def test_what_is_no_subject_is_refused(subject):
    assert error_of(lambda: ensure_subject(subject)) == 42208


def test_the_default_context_may_be_named():
    assert ensure_subject(":.:a") == "a"


def test_a_version_is_a_number_or_the_latest():
    assert [version_of(text) for text in ("1", "latest", "-1")] == [1, -1, -1]
    for text in ("0", "x", "-2", "2147483648", "١"):
        assert error_of(lambda text=text: version_of(text)) == 42202
