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


def test_settings_are_listed_and_shown_without_secrets(call, tmp_path):
    assert "security.protocol" in call("cat -X list")[1]
    _, lines = call("cat -X sasl.password=s3cret -X topic.acks=1 -X dump")
    assert lines[0] == "acks = 1"
    assert "sasl.password = [hidden]" in lines
    assert call("cat -V")[1][0].endswith("with the flags of kcat 1.7")


def test_a_topic_that_is_none_is_part_of_the_listing(call, node):
    _, lines = call("cat -L -t no-such")
    assert lines[-1] == '  topic "no-such" with 0 partitions: Broker: Unknown topic or partition'
