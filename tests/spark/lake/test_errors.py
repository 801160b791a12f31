"""Covers moldau.spark.lake.errors."""

from __future__ import annotations

import pytest

from moldau.spark.lake.errors import cause_of

TREE = """Kernel error -> Generic S3 error
          \x1b[31m↳\x1b[0m Error performing GET http://h:1/b/x in 2.6s, after 9 retries - HTTP error
           \x1b[31m↳\x1b[0m tcp connect error
            \x1b[31m↳\x1b[0m Connection refused
              (os error 111)
"""


def test_of_a_tree_in_colours_the_request_and_the_innermost_cause_are_left():
    assert cause_of(OSError(TREE)).startswith("GET http://h:1/b/x failed: Connection refused (os")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Generic error:\n no such column.", "Generic error: no such column"),
        (
            "Generic error\n \x1b[31m↳\x1b[0m Account must be specified\n",
            "Account must be specified",
        ),
        ("x" * 1_000, "x" * 300),
    ],
)
def test_any_other_error_is_one_line(text, cause):
    assert cause_of(OSError(text)) == cause


def test_missing_credentials_come_with_the_remedy():
    text = "Kernel error\n ↳ an error occurred while loading credentials\n ↳ forbidden"
    assert "AWS_SECRET_ACCESS_KEY" in cause_of(OSError(text))
