"""Several topics with one look: shown one by one, and changed together."""

import uuid

import pytest


@pytest.fixture
def two(console):
    word = uuid.uuid4().hex[:8]
    return [
        console.make(f"many-{word}-{name}", partitions) for name, partitions in (("a", 1), ("b", 3))
    ]


def test_topics_are_deleted_together(console, two):
    plan = console.plan("delete-topics", topics=two[::-1])
    assert plan["differences"] == [
        [f"topic {two[0]}", "1 partition", None],
        [f"topic {two[1]}", "3 partitions", None],
    ]
    assert [line.split()[-3:] for line in plan["command"].splitlines()] == [
        ["--delete", "--topic", name] for name in two
    ]
    console.run("delete-topics", topics=two)
    assert [console.refusal("GET", f"/topics/{name}")[0] for name in two] == [404, 404]


def test_topics_are_emptied_together_and_stay(console, two):
    for name in two:
        console.send(name, *"abc", partition=0)
    plan = console.plan("empty-topics", topics=two)
    assert [one[0] for one in plan["differences"]] == [f"records of {name}" for name in two]
    assert plan["command"].count('"offset":-1') == 4
    console.run("empty-topics", topics=two)
    for name in two:
        part = console.get(f"/topics/{name}")["partitions"][0]
        assert (part["start"], part["end"]) == (3, 3)


def test_one_that_is_not_there_is_named_and_nothing_is_done(console, two):
    body = {"topics": [*two, "no-such"]}
    assert console.refusal("POST", "/changes/delete-topics", body) == (
        404,
        "There is no topic no-such; the page Topics has those that there are",
    )
    assert console.get(f"/topics/{two[0]}")["name"] == two[0]


@pytest.mark.parametrize("topics", [[], [1], [["a"]], [str(one) for one in range(501)]])
def test_what_is_no_list_of_names_is_refused(console, topics):
    status, sentence = console.refusal("POST", "/changes/delete-topics/plan", {"topics": topics})
    assert (status, "topics are 1 to 500 names" in sentence) == (400, True)
