"""Names stand as in Java's tables. (That a store's do, in many draws: test_stores_against_java.)"""

from moldau.platform.system.tls.alias_order import as_a_hash_map, as_a_hashtable


def test_a_hash_map_goes_by_its_buckets_and_keeps_the_order_in_each():
    assert as_a_hash_map(["b", "a", "q"]) == ["a", "q", "b"]
    assert as_a_hash_map(["q", "b", "a"]) == ["q", "a", "b"]


def test_a_hash_map_of_more_than_twelve_has_more_buckets():
    assert "".join(as_a_hash_map("aqbcdefghijk")) == "aqbcdefghijk"
    assert "".join(as_a_hash_map("aqbcdefghijkl")) == "abcdefghijklq"


def test_a_hashtable_goes_from_its_end_and_has_the_youngest_first_until_it_grows():
    assert as_a_hashtable("alb") == ["b", "l", "a"]
    assert "".join(as_a_hashtable("abcdefgh")) == "bahgfedc"
    assert "".join(as_a_hashtable("abcdefghi")) == "ihgfedcba"
