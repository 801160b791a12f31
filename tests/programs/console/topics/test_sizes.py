"""What topics store, and how many records they have at most."""

import time

PATIENCE_S = 30


def test_a_topic_has_its_bytes_and_its_records(console, topic):
    console.send(topic, "one", "two")
    assert console.get("/sizes")["columns"] == ["name", "bytes", "records"]
    ((_, size, records),) = row(console, topic)
    (part,) = console.get(f"/topics/{topic}")["partitions"]
    assert (size, records) == (part["bytes"], 2)
    assert size > 0


def test_what_has_been_found_is_kept_for_a_moment(console, topic):
    ((_, _, before),) = row(console, topic)
    console.send(topic, "one")
    assert [topic, 0, before] in console.get("/sizes")["rows"]
    ((_, _, after),) = row(console, topic)
    assert (before, after) == (0, 1)


def test_of_many_partitions_the_bytes_alone_are_looked_up(console, topic):
    large = console.make("zz-sized", 2_001)
    found = row(console, topic, lambda found: found[2] is None)
    console.run("delete-topic", topic=large)
    assert found == [[topic, 0, None]]


def row(console, topic, is_so=lambda found: found[1] is not None):
    """Of directories that may not have the partitions yet."""
    end = time.monotonic() + PATIENCE_S
    while True:
        found = [one for one in console.get("/sizes?fresh=true")["rows"] if one[0] == topic]
        if any(map(is_so, found)) or time.monotonic() > end:
            return found
        time.sleep(0.05)
