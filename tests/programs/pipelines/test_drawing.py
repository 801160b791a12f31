"""Declared pipelines as people see them."""

from moldau.programs.pipelines.declared import Declared, Mode, Sink, Step
from moldau.programs.pipelines.drawing import mermaid_lines, tree_lines

DECLARED = Declared(
    path="p.yaml",
    name="p",
    topic="orders",
    steps=(
        Step(name="large", sql="select *\n  from records", inputs=("records",)),
        Step(name="scored", file="s.py", function="f", inputs=("large",)),
        Step(name="both", sql="select 1 from large, scored", inputs=("large", "scored")),
    ),
    sinks=(
        Sink(rows="large", table="large"),
        Sink(rows="both", table="sums", mode=Mode.ADD, keys=("a", "b")),
        Sink(rows="both", topic="out", key="a"),
    ),
)


def test_lines_go_down_from_the_topic_and_name_rows_once():
    assert (
        "\n".join(tree_lines(DECLARED))
        == """\
topic orders
├─ table bronze
├─ table dead_letters
├─ table silver
└─ records
   └─ large  select * from records
      ├─ table large
      ├─ scored  s.py:f
      │  └─ both  select 1 from large, scored
      │     ├─ table sums, added up by a, b
      │     └─ topic out by a
      └─ both  (above)"""
    )


def test_a_graph_has_an_edge_for_each_input_and_sink():
    assert mermaid_lines(DECLARED) == [
        "graph LR",
        '  source[("topic orders")] --> records',
        "  records --> large",
        "  large --> scored",
        "  large --> both",
        "  scored --> both",
        '  large --> sink0[("table large")]',
        '  both --> sink1[("table sums, added up by a, b")]',
        '  both --> sink2[("topic out by a")]',
    ]
