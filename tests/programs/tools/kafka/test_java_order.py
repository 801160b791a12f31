"""Names come in the order in which a HashMap of Java has them."""

from moldau.programs.tools.kafka.java_order import in_java_order


def test_short_names_come_by_the_low_bits_of_their_hashes():
    assert in_java_order(["q", "g_2", "g1"]) == ["q", "g1", "g_2"]


def test_names_of_one_bucket_stay_as_they_came():
    assert in_java_order(["Aa", "BB"]) == ["Aa", "BB"]
    assert in_java_order(["BB", "Aa"]) == ["BB", "Aa"]


def test_the_buckets_double_when_they_are_three_quarters_full():
    """16 is the bucket of `p` among 32, and 0 among 16."""
    names = ["a", *"pbcdefghijkl"]
    assert in_java_order(names[:12])[0] == "p"
    assert in_java_order(names)[-1] == "p"
