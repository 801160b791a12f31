"""The share session with one broker."""

from __future__ import annotations

from moldau.client.core.sharing.held import TypedRange
from moldau.client.core.sharing.sessions import ShareSession
from moldau.client.settings.share import ShareSettings

ONE, TWO = (b"a" * 16, 0), (b"a" * 16, 1)
RANGES = {ONE: [TypedRange(0, 4, (1,))]}


def session(**more: str) -> ShareSession:
    given = {"bootstrap.servers": "b1:9092", "group.id": "g", **more}
    return ShareSession(ShareSettings.of(given), "m")


def test_it_opens_with_everything_and_then_names_what_changed():
    made = session()
    first = made.fetch([ONE, TWO], {}, 500)
    assert (first.share_session_epoch, len(first.topics[0].partitions)) == (0, 2)
    made.went_on()
    second = made.fetch([ONE], RANGES, 500)
    assert second.share_session_epoch == 1
    (part,) = second.topics[0].partitions
    assert part.acknowledgement_batches[0].acknowledge_types == [1]
    assert second.forgotten_topics_data[0].partitions == [1]


def test_a_lost_session_begins_anew():
    made = session()
    made.fetch([ONE], {}, 500)
    made.went_on()
    assert made.is_open
    made.lost()
    anew = made.fetch([ONE], {}, 500)
    assert (made.is_open, anew.share_session_epoch, len(anew.topics)) == (False, 0, 1)


def test_acknowledging_goes_on_in_the_session_or_closes_it():
    made = session()
    made.went_on()
    request = made.acknowledge(RANGES, renews=True)
    assert (request.share_session_epoch, request.is_renew_ack) == (1, True)
    assert made.acknowledge({}, closes=True).share_session_epoch == -1


def test_the_number_of_records_is_a_wish_or_a_limit():
    assert session().fetch([ONE], {}, 1).share_acquire_mode == 0
    strict = session(**{"share.acquire.mode": "record_limit", "max.poll.records": "7"})
    request = strict.fetch([ONE], {}, 1)
    assert (request.share_acquire_mode, request.max_records) == (1, 7)
