"""`moldau cat` at a real node: metadata and offsets, and what is piped through it."""


def test_metadata_is_listed_as_kcat_does(call, topic, node):
    code, lines = call(f"cat -L -t {topic}")
    assert code == 0
    assert lines == [
        f"Metadata for {topic} (from broker -1: {node}/bootstrap):",
        " 1 brokers:",
        f"  broker 1 at {node} (controller)",
        " 1 topics:",
        f'  topic "{topic}" with 2 partitions:',
        "    partition 0, leader 1, replicas: 1, isrs: 1",
        "    partition 1, leader 1, replicas: 1, isrs: 1",
    ]


def test_offsets_are_found_by_places_and_times(call, topic):
    words = " ".join(f"-t {topic}:0:{time}" for time in (-1, -2, 1500, 9999))
    assert call(f"cat -Q {words}")[1] == [
        f"{topic} [0] offset {offset}" for offset in (2, 0, 1, -1)
    ]


def test_what_is_meant_is_asked_for(call, topic, errors):
    assert call("cat -C")[0] == 1
    assert "-t names the topic" in errors.getvalue()
    assert call(f"cat -Q -t {topic}")[0] == 1
    assert "write topic:partition:timestamp" in errors.getvalue()
