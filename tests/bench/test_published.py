"""Where a benchmark's figures stand."""

import pytest

from bench._published import PAGE, replaced

BEGIN, END = "<!-- scrape: written by ./dev bench scrape --publish -->", "<!-- scrape: end -->"


def test_what_stood_between_the_markers_is_replaced_and_nothing_else():
    text = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    assert replaced(text, "scrape", ["new"]) == f"before\n{BEGIN}\n\nnew\n\n{END}\nafter\n"
    assert replaced(replaced(text, "scrape", ["one"]), "scrape", ["new"]).count("new") == 1


def test_a_page_without_a_place_for_them_is_left():
    with pytest.raises(ValueError, match="no markers for scrape"):
        replaced(f"{BEGIN}\n", "scrape", ["new"])


@pytest.mark.parametrize("name", ["scrape", "console_size"])
def test_the_page_has_a_place_for_each(name):
    assert "new figures" in replaced(PAGE.read_text(), name, ["new figures"])
