"""Room for frames that are not finished: who gets it, who waits, and that one always goes on."""

from moldau.network.budget import FrameBudget


class Peer:
    """Counts how often it is to ask again."""

    def __init__(self):
        self.calls = 0

    def room_is_free(self):
        self.calls += 1


def test_room_is_granted_up_to_the_limit_and_comes_back():
    budget, peer = FrameBudget(100), Peer()
    assert budget.grant(peer, 60)
    assert budget.grant(peer, 40)
    budget.release(peer)
    assert (budget.used, budget.is_short) == (0, False)


def test_one_holder_may_exceed_the_limit_so_that_one_goes_on():
    budget, first, second = FrameBudget(100), Peer(), Peer()
    assert budget.grant(first, 90)
    assert budget.grant(second, 90)
    assert not budget.grant(first, 90)
    assert budget.grant(second, 90)


def test_who_was_refused_learns_when_room_is_free():
    budget, favoured, waiting = FrameBudget(100), Peer(), Peer()
    budget.grant(favoured, 200)
    assert not budget.grant(waiting, 10)
    assert budget.is_short
    budget.release(favoured)
    assert (waiting.calls, budget.is_short) == (1, False)


def test_who_leaves_while_waiting_is_not_called():
    budget, favoured, waiting = FrameBudget(100), Peer(), Peer()
    budget.grant(favoured, 200)
    budget.grant(waiting, 10)
    budget.release(waiting)
    budget.release(favoured)
    assert waiting.calls == 0


def test_bytes_that_are_there_count_without_asking():
    budget, peer = FrameBudget(100), Peer()
    budget.hold(peer, 300)
    assert budget.used == 300
    assert repr(budget) == "FrameBudget(300 of 100 bytes, 1 holders, 0 wait)"
