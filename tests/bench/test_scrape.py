"""The longest waits of windows of time."""

from bench.scrape import Phase, Sent, row, table


def test_of_each_window_the_longest_wait_counts_with_the_request_that_was_under_way():
    sent = [Sent(0.0, 900), Sent(1.0, 20), Sent(2.0, 3), Sent(3.0, 40)]
    phase = Phase(sent, [(0.5, 0.6), (1.5, 2.5), (2.9, 3.1)])
    assert phase.longest() == [900, 20, 40]


def test_the_table_has_what_scrapes_add():
    quiet = Phase([Sent(at, 1.0) for at in range(100)], [(at, at + 0.5) for at in range(100)])
    slow = Phase([Sent(at, 3.5) for at in range(100)], quiet.windows)
    lines = table([row("without", [quiet]), row("beside", [slow])], 29)
    assert "| added | +2.50 | +2.50 | +2.50 | +2.50 | +2.50 | +2.50 |" in lines
    assert "of the windows +2.50 in the middle" in lines[-1]
