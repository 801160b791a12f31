"""What waits is sent in its order, soon, and once."""

from __future__ import annotations

from moldau.platform.system.outbox import HELD_LINKS_MAX, Outbox


class Holder:
    """Notes in a list all that it was asked to send."""

    def __init__(self, sent, name):
        self._sent = sent
        self._name = name

    def send_held(self):
        self._sent.append(self._name)


def test_what_waits_is_sent_in_its_order_when_the_outbox_closes():
    outbox = Outbox()
    sent: list[object] = []
    for name in "abc":
        outbox.add(Holder(sent, name))
    assert sent == []
    outbox.close()
    outbox.close()
    assert sent == ["a", "b", "c"]


def test_a_full_outbox_is_emptied_at_once():
    outbox = Outbox()
    sent: list[object] = []
    for index in range(HELD_LINKS_MAX + 1):
        outbox.add(Holder(sent, index))
    assert sent == list(range(HELD_LINKS_MAX))


def test_an_outbox_shows_how_many_wait():
    outbox = Outbox()
    outbox.is_open = True
    outbox.add(Holder([], "a"))
    assert repr(outbox) == "Outbox(open, 1 wait)"
