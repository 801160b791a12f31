"""Files that declare pipelines: what they say, and where they are wrong."""

import pytest

from moldau.programs.located_yaml import BadYamlError
from moldau.programs.pipelines.declared import Mode, Sink, Step, read_declared

ORDERS = """
pipeline: orders
description: large orders, and sums by country
source:
  bootstrap: localhost:9092
  topic: orders
  options: {startingOffsets: latest}
lake: lake/orders
checkpoint: checkpoints/orders
settings:
  schema: id bigint, country string, amount double
  size_max: 1000
steps:
  - name: large
    sql: select id, country, amount from records where amount >= 100;
  - {name: scored, python: steps/scoring.py:score, of: large}
  - {name: sums, sql: "select country, sum(amount) as amount from scored group by 1"}
sinks:
  - {table: large, rows: scored, partition_by: country}
  - {table: sums, rows: sums, mode: add, keys: country}
  - {topic: large-orders, rows: scored, key: id}
"""
HEAD = "pipeline: p\nsource: {topic: t}\n"

TWICE = f"{HEAD}sinks:\n  - {{table: a, rows: records}}\n  - {{table: a, rows: records}}"


def read(text):
    return read_declared(text.encode(), "p.yaml")


def test_a_file_says_where_from_how_and_where_to():
    declared = read(ORDERS)
    assert (declared.name, declared.bootstrap, declared.topic) == (
        "orders",
        "localhost:9092",
        "orders",
    )
    assert declared.source == {"startingOffsets": "latest"}
    assert declared.settings == (
        "schema=id bigint, country string, amount double",
        "size_max=1000",
    )
    assert declared.steps[0].sql == "select id, country, amount from records where amount >= 100"
    assert declared.steps[1] == Step(
        name="scored", file="steps/scoring.py", function="score", inputs=("large",)
    )
    assert [step.inputs for step in declared.steps] == [("records",), ("large",), ("scored",)]
    assert declared.sinks == (
        Sink(rows="scored", table="large", partition_by="country"),
        Sink(rows="sums", table="sums", mode=Mode.ADD, keys=("country",)),
        Sink(rows="scored", topic="large-orders", key="id"),
    )
    assert declared.tables[-2:] == ("large", "sums")


def test_the_shortest_file_only_lands_what_comes():
    declared = read(HEAD)
    assert (declared.steps, declared.sinks, declared.lake) == ((), (), "")


def test_python_reads_the_step_before_it_unless_it_names_another():
    declared = read(HEAD + "steps: [{name: a, python: 's.py:f'}, {name: b, python: 's.py:g'}]")
    assert [step.inputs for step in declared.steps] == [("records",), ("a",)]


def test_texts_and_comments_of_sql_name_no_rows():
    steps = "steps:\n - {name: a, sql: select 1 from records}\n"
    sql = "select 'a' as x /* a */ from RECORDS -- a"
    declared = read(f'{HEAD}{steps} - {{name: b, sql: "{sql}"}}')
    assert declared.steps[1].inputs == ("records",)


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("source: {}", "1:1", "pipeline is missing here"),
        ("pipeline: 'a b'\nsource: {}", "1:11", "no name"),
        (f"{HEAD}sinks: [{{table: silver, rows: records}}]", "3:17", "written already"),
        (TWICE, "5:13", "written already"),
        (f"{HEAD}sinks: [{{table: a, rows: b}}]", "3:26", "there are records"),
        (f"{HEAD}sinks: [{{table: a, rows: records, mode: add}}]", "3:9", "keys are for"),
        (f"{HEAD}sinks: [{{table: a, rows: records, keys: b}}]", "3:9", "keys are for"),
        (f"{HEAD}sinks: [{{table: a, rows: records, mode: some}}]", "3:41", "append, add, replace"),
        (f"{HEAD}sinks: [{{topic: a}}]", "3:9", "rows is missing"),
        (f"{HEAD}sinks: [{{topic: a b, rows: records}}]", "3:17", "no name of a topic"),
        (f"{HEAD}steps: [{{name: records, sql: x}}]", "3:16", "already"),
        (f"{HEAD}steps: [{{name: a}}]", "3:9", "either sql or python"),
        (f"{HEAD}steps: [{{name: a, sql: select 1 from b}}]", "3:24", "reads none of records"),
        (f"{HEAD}steps: [{{name: a, python: 'a.py'}}]", "3:27", "steps.py:score"),
        (f"{HEAD}steps: [{{name: a, python: 'a.py:f', of: b}}]", "3:41", "b is not known here"),
        (f"{HEAD}steps: [{{name: a, sql: from records, of: records}}]", "3:42", "names what"),
        (f"{HEAD}settings: {{sizemax: 1}}", "3:21", "did you mean size_max"),
        (f"{HEAD}settings: {{size_max: -1}}", "3:22", "a whole number"),
        (f"{HEAD}step: []", "3:1", "step is unknown"),
    ],
)
def test_what_is_wrong_is_named_by_its_place(text, place, reason):
    with pytest.raises(BadYamlError) as wrong:
        read(text)
    assert str(wrong.value).startswith(f"p.yaml:{place}: ")
    assert reason in str(wrong.value)
