"""Which pages may ask, and how often."""

from __future__ import annotations

from argparse import ArgumentParser

import pytest

from moldau.programs.tools.front_flags import declare_front


def parsed(*flags):
    parser = ArgumentParser()
    declare_front(parser)
    return parser.parse_args(flags)


def test_they_are_a_list_and_a_number():
    given = parsed("--allow-origin", "https://a,https://b", "--requests-per-second", "2.5")
    assert (given.allow_origin, given.requests_per_second) == (["https://a", "https://b"], 2.5)
    assert (parsed().allow_origin, parsed().requests_per_second) == ([], None)


@pytest.mark.parametrize("rate", ["0", "-1", "inf", "nan", "many"])
def test_what_is_no_rate_is_refused(rate, capsys):
    with pytest.raises(SystemExit):
        parsed("--requests-per-second", rate)
    assert "requests-per-second" in capsys.readouterr().err
