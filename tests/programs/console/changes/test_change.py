"""What is no failure has a code of its own."""

from moldau.programs.console.changes.change import NothingToDoError


def test_that_nothing_is_to_be_done_is_a_conflict_with_a_code_of_its_own():
    error = NothingToDoError("It is so already")
    assert (error.status, error.code, str(error)) == (409, 40901, "It is so already")


def test_a_page_sees_that_nothing_is_to_be_done(console, topic):
    body = {"topic": topic}
    for kind in ("elect-leaders", "cancel-reassignment"):
        status, _, data = console.raw("POST", f"/api/changes/{kind}/plan", body)
        assert (status, b'"error_code":40901' in data) == (409, True)
