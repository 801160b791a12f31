"""Faults last until they are ended, one by one or all at once."""

from __future__ import annotations

from moldau.testing.lasting import LastingFault, LastingFaults


class Sample(LastingFault):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self._is_over = False

    def __repr__(self) -> str:
        return f"<{self.name}>"

    @property
    def is_over(self) -> bool:
        return self._is_over

    def end(self) -> None:
        self._is_over = True


class Samples(LastingFaults[Sample]):
    def add(self, name: str) -> Sample:
        return self._add(Sample(name))


def test_the_end_of_its_with_ends_a_fault():
    samples = Samples()
    with samples.add("first") as first:
        assert repr(samples) == "<Samples: <first>>"
    assert first.is_over
    assert repr(samples) == "<Samples: none>"


def test_those_that_last_are_shown_in_the_order_in_which_they_were_made():
    samples = Samples()
    samples.add("first")
    samples.add("second").end()
    samples.add("third")
    assert repr(samples) == "<Samples: <first>, <third>>"


def test_clearing_ends_all():
    samples = Samples()
    made = [samples.add("first"), samples.add("second")]
    samples.clear()
    assert all(one.is_over for one in made)
    assert repr(samples) == "<Samples: none>"
