"""The page says whether it adds up, and escapes what it shows."""

from __future__ import annotations

from moldau.programs.pipelines.reconciliation import Reconciled
from moldau.programs.pipelines.report import Chart, Report, Setting, Table, page

BATCH = {"query": "q", "batch": 0, "read": 3, "known": 0, "good": 2, "rejected": 1, "took_ms": 5}


def page_of(**rows: int) -> str:
    found = Reconciled([BATCH], read=3, known=0, good=2, rejected=1, rows=rows)
    chart = Chart("Reasons", "records", [("<script>", 1.0)])
    report = Report(
        title="Pipeline x",
        description="Large orders.",
        facts={"seed": "<1>"},
        settings=[Setting("measure", "<a>", "description", is_default=False)],
        reconciled=found,
        tables=[Table("silver", 2, "/t", "import x; x.open('<t>')")],
        charts=[chart],
    )
    return page(report)


def test_a_page_says_that_it_adds_up():
    text = page_of(silver=2)
    assert "It adds up: 3 in = 2 out + 1 rejected." in text
    assert (text.count("<svg"), text.count('<div class="bars">')) == (1, 1)
    assert '<meta name="viewport"' in text
    assert "known already" not in text
    assert "<th>records/s</th></tr>" in text
    assert "<td>5</td><td>600</td></tr>" in text


def test_a_page_says_what_does_not_add_up():
    text = page_of(silver=1)
    assert "It does not add up" in text
    assert "silver has 1 rows, and the batches gave it 2" in text


def test_what_is_shown_is_escaped():
    text = page_of(silver=2)
    assert not any(raw in text for raw in ("<script>", "<1>", "<a>", "<t>"))
    assert "<code>import x; x.open(&#x27;&lt;t&gt;&#x27;)</code>" in text
