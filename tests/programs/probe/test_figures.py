"""What a probe has measured, as Prometheus reads it."""

from __future__ import annotations

from moldau.programs.probe.figures import Figures, Latencies


def lines_of(figures):
    return dict(
        line.rsplit(" ", 1) for line in figures.text().decode().splitlines() if line[0] != "#"
    )


def test_counts_and_histograms_have_the_names_of_kminion():
    figures = Figures()
    figures.produced, figures.received, figures.lost = 3, 2, 1
    figures.roundtrip[0] = latencies = Latencies()
    for seconds in (0.0005, 0.001, 0.0011, 99.0):
        latencies.record(seconds)
    found, name = lines_of(figures), "kminion_end_to_end_roundtrip_latency_seconds"
    assert found["kminion_end_to_end_messages_produced_total"] == "3"
    assert found["kminion_end_to_end_messages_lost_total"] == "1"
    assert found[f'{name}_bucket{{partition_id="0",le="0.001"}}'] == "2"
    assert found[f'{name}_bucket{{partition_id="0",le="0.0025"}}'] == "3"
    assert found[f'{name}_bucket{{partition_id="0",le="10.0"}}'] == "3"
    assert found[f'{name}_bucket{{partition_id="0",le="+Inf"}}'] == "4"
    assert found[f'{name}_count{{partition_id="0"}}'] == "4"
    assert float(found[f'{name}_sum{{partition_id="0"}}']) == 0.0005 + 0.001 + 0.0011 + 99.0
    assert latencies.last_s == 99.0


def test_every_family_has_its_help_and_its_type():
    text = Figures().text().decode()
    assert text.count("# HELP ") == text.count("# TYPE ") == 7
    assert text.endswith("\n")
