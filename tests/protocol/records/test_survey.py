"""The survey of many records, from its source and compiled."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given

from moldau.protocol.records.scan import scan_records
from moldau.protocol.records.survey import Survey, join_surveys
from tests.protocol.records.drawn_records import PLAIN_RECORDS
from tests.protocol.records.hot_both_ways import load_compiled, load_plain
from tests.protocol.records.plain_block import PlainRecord, write_plain_block


def obvious_survey(records: list[PlainRecord], first_index: int = 0) -> Survey:
    deltas = [record.timestamp_delta for record in records]
    placed = enumerate(records, first_index)
    return Survey(
        len(records),
        min(deltas),
        max(deltas),
        sum(record.key is None for record in records),
        sum(record.offset_delta != index for index, record in placed),
    )


def rows_of(records: list[PlainRecord]) -> bytes:
    return scan_records(write_plain_block(records), len(records))


def test_a_survey_counts_what_is_out_of_order(survey: Any) -> None:
    records = [PlainRecord(5, 3, b"key"), PlainRecord(-2, 9), PlainRecord(9, 5, b"")]
    assert survey.survey_rows(rows_of(records), 3) == (3, -2, 9, 1, 1)


@given(PLAIN_RECORDS)
def test_both_ways_agree_with_the_obvious_survey(records: list[PlainRecord]) -> None:
    assume(records)
    for survey in (load_plain("survey"), load_compiled("survey")):
        assert survey.survey_rows(rows_of(records)) == obvious_survey(records)


@given(PLAIN_RECORDS)
def test_two_surveys_join_to_that_of_the_whole(records: list[PlainRecord]) -> None:
    assume(len(records) > 1)
    joined = None
    for index, record in enumerate(records):
        joined = join_surveys(joined, obvious_survey([record], index))
    assert joined == obvious_survey(records)
