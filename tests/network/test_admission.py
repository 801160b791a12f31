"""Who is let in."""

from moldau.network.admission import WAITING_MAX, Admission, Limits, Verdict


def test_without_limits_every_connection_is_welcome():
    admission = Admission(Limits())
    assert all(admission.enter("a", "PLAIN") is Verdict.WELCOME for _ in range(1000))
    assert admission.count == 1000


def test_too_many_from_one_address_are_refused_and_others_are_not():
    admission = Admission(Limits(per_address_max=1, per_address_overrides={"b": 2}))
    assert admission.enter("a", "PLAIN") is Verdict.WELCOME
    assert admission.enter("a", "PLAIN") is Verdict.REFUSED
    assert admission.enter("b", "PLAIN") is Verdict.WELCOME
    assert admission.enter("b", "PLAIN") is Verdict.WELCOME


def test_beyond_the_limit_of_all_one_waits_until_another_leaves():
    admission = Admission(Limits(connections_max=1))
    admission.enter("a", "PLAIN")
    assert admission.enter("b", "PLAIN") is Verdict.WAIT
    admission.leave("a", "PLAIN")
    assert admission.has_room("PLAIN")
    admission.let_in("b", "PLAIN")
    assert (admission.count, admission.waiting) == (1, 0)


def test_the_brokers_own_listener_is_never_kept_waiting_by_clients():
    admission = Admission(Limits(connections_max=1, protected_listener="INTERNAL"))
    admission.enter("a", "PLAIN")
    assert admission.enter("b", "INTERNAL") is Verdict.WELCOME


def test_a_listener_has_a_limit_of_its_own():
    admission = Admission(Limits(per_listener_max={"PLAIN": 1}))
    admission.enter("a", "PLAIN")
    assert admission.enter("b", "PLAIN") is Verdict.WAIT
    assert admission.enter("b", "OTHER") is Verdict.WELCOME


def test_those_who_wait_are_bounded_too():
    admission = Admission(Limits(connections_max=0))
    verdicts = [admission.enter("a", "PLAIN") for _ in range(WAITING_MAX + 1)]
    assert verdicts[-2:] == [Verdict.WAIT, Verdict.REFUSED]
    admission.give_up()
    assert admission.enter("a", "PLAIN") is Verdict.WAIT


def test_those_who_were_let_in_are_known_by_listener():
    admission = Admission(Limits())
    for listener in ("PLAIN", "PLAIN", "OTHER"):
        admission.enter("a", listener)
    admission.leave("a", "PLAIN")
    assert admission.by_listener == {"PLAIN": 1, "OTHER": 1}
