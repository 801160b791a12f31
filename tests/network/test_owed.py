"""Answers that were set aside, without a connection around them."""

from struct import pack

from moldau.network.owed import OWED_MAX, OwedAnswers

API = 0


def with_places(count):
    owed = OwedAnswers(API)
    return owed, [owed.set_aside() for _ in range(count)]


def answer(owed, place, parts):
    owed.resume(place)
    return owed.put(parts, 0)


def test_answers_are_taken_in_the_order_of_their_places():
    owed, (first, second, third) = with_places(3)
    assert answer(owed, second, (b"2",))
    assert owed.take_known() == ()
    assert answer(owed, first, (b"1", b"more"))
    assert owed.take_known() == (b"1", b"more", b"2")
    assert not owed.is_empty
    assert answer(owed, third, (b"3",))
    assert owed.take_known() == (b"3",)
    assert owed.is_empty


def test_the_answer_to_the_frame_in_work_is_kept_behind_them():
    owed, (first,) = with_places(1)
    assert owed.is_frames_turn
    assert not owed.put((b"at once",), 7)
    assert (owed.behind, owed.behind_mute_ms) == ((b"at once",), 7)
    assert owed.take_known() == ()
    owed.resume(first)
    assert not owed.is_frames_turn
    assert owed.put((b"1",), 0)
    assert owed.is_frames_turn
    assert owed.take_known() == (b"1",)


def test_an_answer_of_nothing_is_known_too():
    owed, (first, second) = with_places(2)
    answer(owed, first, ())
    answer(owed, second, (b"2",))
    assert owed.take_known() == (b"2",)
    assert owed.is_empty


def test_so_many_places_and_no_more():
    owed, places = with_places(OWED_MAX + 1)
    assert places[-1] is None
    answer(owed, places[0], (b"1",))
    owed.take_known()
    assert owed.set_aside() is not None


def test_frames_of_the_same_api_alone_pass_by():
    owed, _ = with_places(1)
    assert owed.may_be_passed_by(memoryview(pack(">hh", API, 9)))
    assert not owed.may_be_passed_by(memoryview(pack(">hh", API + 1, 9)))
    assert not owed.may_be_passed_by(memoryview(pack(">hh", API + 0x0100, 9)))
    assert not owed.may_be_passed_by(memoryview(b"\0")), "a frame too short for an API"
