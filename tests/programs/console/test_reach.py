"""What operations share."""

from moldau.errors import MoldauError
from moldau.programs.console.reach import sentence_of


def test_a_part_that_is_missing_has_a_sentence():
    assert sentence_of(MoldauError("the broker is away")) == "The broker is away"
    assert sentence_of(None) is None
