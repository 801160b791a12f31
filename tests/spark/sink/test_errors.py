"""What can go wrong is one sentence that says what to do."""

from __future__ import annotations

from moldau.spark.sink.errors import HalfCommittedError


def test_a_batch_of_which_a_part_is_missing_says_how_much():
    text = str(HalfCommittedError(7, 1, 3))
    assert text.startswith("batch 7 was decided, and then the broker aborted 1 of its 3 trans")
    assert "go on with a new checkpoint" in text
