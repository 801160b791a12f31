"""Metrics as Prometheus reads them."""

from functools import partial

from moldau.broker.metrics.column import Column, LastingPlaces
from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.prometheus import (
    PLACES_MAX,
    SAMPLES_PER_PIECE,
    Spelling,
    exposition,
    pieces,
)
from moldau.broker.metrics.registry import Registry


def spelt(work):
    """What it returns, without its pauses."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def test_each_kind_has_its_form():
    registry = Registry()
    registry.meter("kafka.server", "BrokerTopicMetrics", "BytesInPerSec", topic='a"b').mark(7)
    registry.gauge(lambda: 0.5, "kafka.server", "ReplicaManager", "PartitionCount")
    registry.histogram("kafka.network", "RequestMetrics", "TotalTimeMs", request="Fetch").record(9)
    lines = exposition(registry).splitlines()
    assert lines[0] == "# TYPE kafka_network_requestmetrics_totaltimems summary"
    assert 'kafka_network_requestmetrics_totaltimems{request="Fetch",quantile="0.99"} 9' in lines
    assert 'kafka_network_requestmetrics_totaltimems_sum{request="Fetch"} 9' in lines
    assert 'kafka_network_requestmetrics_totaltimems_count{request="Fetch"} 1' in lines
    assert r'kafka_server_brokertopicmetrics_bytesin_total{topic="a\"b"} 7' in lines
    assert "kafka_server_replicamanager_partitioncount 0.5" in lines


def test_a_family_is_named_once_for_all_its_members():
    registry = Registry()
    registry.meter("kafka.server", "T", "N", topic="b")
    registry.meter("kafka.server", "T", "N", topic="a")
    assert exposition(registry).splitlines() == [
        "# TYPE kafka_server_t_n counter",
        'kafka_server_t_n{topic="a"} 0',
        'kafka_server_t_n{topic="b"} 0',
    ]


def test_what_is_known_of_a_family_is_reported_before_it():
    registry = Registry()
    registry.meter("kafka.server", "T", "N")
    says = {"kafka_server_t_n": 'Two\nlines, \\ and "quotes".', "other": "is not there"}
    assert exposition(registry, says).splitlines() == [
        r'# HELP kafka_server_t_n Two\nlines, \\ and "quotes".',
        "# TYPE kafka_server_t_n counter",
        "kafka_server_t_n 0",
    ]


def test_nothing_is_nothing():
    assert exposition(Registry()) == ""


def test_many_metrics_are_reported_in_bounded_pieces_while_others_come_and_go():
    registry = Registry()
    for number in range(3 * SAMPLES_PER_PIECE):
        registry.meter("kafka.server", "T", "N", topic=f"{number:04}")
    whole = exposition(registry)
    parts: list[str] = []
    for piece in pieces(registry, Spelling()):
        registry.meter("kafka.server", "U", f"N{len(parts)}")
        parts.append(piece)
    assert max(piece.count("\n") for piece in parts) <= SAMPLES_PER_PIECE
    assert "".join(parts) == whole


def test_what_is_no_number_is_spelled_as_the_format_has_it():
    registry = Registry()
    registry.gauge(lambda: float("nan"), "g", "t", "n")
    assert exposition(registry) == "# TYPE g_t_n gauge\ng_t_n NaN\n"


def test_labels_that_several_families_have_are_spelt_in_each():
    registry = Registry()
    for name in ("A", "B"):
        for topic in ("x", 'y"'):
            registry.meter("g", "t", name, topic=topic)
    lines = [line for line in exposition(registry).splitlines() if not line.startswith("#")]
    assert lines == [
        'g_t_a{topic="x"} 0',
        'g_t_a{topic="y\\""} 0',
        'g_t_b{topic="x"} 0',
        'g_t_b{topic="y\\""} 0',
    ]


def test_a_column_is_reported_as_its_metrics_would_be():
    places = tuple((f"{number:04}", 'say "x"') for number in range(2 * SAMPLES_PER_PIECE + 1))
    numbers = [True, 2**60, 0.5, float("nan"), *range(len(places) - 4)]
    column = Column(MetricName("g", "t", "Size"), ("topic", "client-id"), places, numbers)
    whole = Column(MetricName("g", "t", "Whole"), column.tags, places, [*range(len(places))])
    single, together = Registry(), Registry()
    together.add_source(lambda: (column, whole))
    single.add_source(lambda: (*column.metrics(), *whole.metrics()))
    page = exposition(together)
    assert page == exposition(single)
    assert 'g_t_size{topic="0003",client_id="say \\"x\\""} NaN\n' in page
    assert 'g_t_whole{topic="0399",client_id="say \\"x\\""} 399\n' in page


def test_a_column_and_metrics_of_one_name_are_one_family():
    registry = Registry()
    registry.meter("g", "t", "n", topic="b")
    registry.add_source(
        lambda: [Column(MetricName("g", "t", "n"), ("topic",), (("a",),), [1], only_grows=True)]
    )
    assert exposition(registry).splitlines() == [
        "# TYPE g_t_n counter",
        'g_t_n{topic="a"} 1',
        'g_t_n{topic="b"} 0',
    ]


def test_a_column_of_nothing_is_not_named():
    registry = Registry()
    registry.add_source(lambda: [Column(MetricName("g", "t", "n"), ("topic",), (), [])])
    assert exposition(registry) == ""


def test_labels_are_remembered_from_page_to_page_within_bounds():
    spelling = Spelling()
    name = MetricName("g", "t", "n")
    first = spelt(spelling.of(Column(name, ("topic",), (("a",),), [1])))
    again = spelt(spelling.of(Column(name, ("topic",), (("b",), ("a",)), [1, 2])))
    assert again == ['{topic="b"} ', '{topic="a"} ']
    assert again[1] is first[0]
    other = spelt(spelling.of(Column(name, ("group",), (("a",),), [1])))
    assert other == ['{group="a"} ']
    for start in range(0, 4 * PLACES_MAX, PLACES_MAX):
        many = tuple((str(number),) for number in range(start, start + PLACES_MAX))
        spelt(spelling.of(Column(name, ("topic",), many, range(PLACES_MAX))))
    assert repr(spelling) in (
        f"Spelling({PLACES_MAX} places)",
        f"Spelling({PLACES_MAX + 4} places)",
    )


def test_the_same_places_under_other_tags_are_spelt_anew():
    spelling, places = Spelling(), (("a",),)
    columns = [Column(MetricName("g", "t", "n"), (tag,), places, [1]) for tag in ("topic", "group")]
    assert [spelt(spelling.of(one)) for one in columns] == [['{topic="a"} '], ['{group="a"} ']]


def test_many_places_are_spelt_with_pauses():
    places = tuple((str(number),) for number in range(10 * SAMPLES_PER_PIECE))
    column = Column(MetricName("g", "t", "n"), ("topic",), places, range(len(places)))
    assert len(list(Spelling().of(column))) == 10


def test_of_places_that_last_only_what_has_changed_is_written_anew():
    places = LastingPlaces((f"{number:04}",) for number in range(SAMPLES_PER_PIECE + 1))
    numbers = [0] * len(places)
    registry, spelling = Registry(), Spelling()
    registry.add_source(
        lambda: [
            Column(MetricName("g", "t", name), ("topic",), places, [*numbers]) for name in "ab"
        ]
    )

    def page():
        return [piece for piece in pieces(registry, spelling) if piece]

    first, again = page(), page()
    assert again == first
    assert all(one is two for one, two in zip(first, again, strict=True))
    numbers[-1] = 7
    third = page()
    assert 'g_t_a{topic="0200"} 7\n' in third[2]
    assert [one is two for one, two in zip(first, third, strict=True)] == [True, True, False] * 2


def test_places_that_last_are_forgotten_with_the_page_that_had_them_no_more():
    spelling, name = Spelling(), MetricName("g", "t", "n")
    for places in (LastingPlaces((("a",),)), LastingPlaces((("b",),)), LastingPlaces((("a",),))):
        registry = Registry()
        column = Column(name, ("topic",), places, [1])
        registry.add_source(partial(iter, [column]))
        (label,) = places[0]
        page = "".join(pieces(registry, spelling))
        assert page == f'# TYPE g_t_n gauge\ng_t_n{{topic="{label}"}} 1\n'
    assert len(spelling._labels) == len(spelling._lines) == 1
