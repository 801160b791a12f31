"""Where the value of a setting comes from."""


def test_what_is_set_comes_first_with_all_that_it_hides(console, topic):
    console.run("alter-configs", of="topic", name=topic, set={"cleanup.policy": "compact"})
    first = console.get(f"/topics/{topic}/configs")[0]
    assert (first["name"], first["value"], first["source"]) == (
        "cleanup.policy",
        "compact",
        "topic",
    )
    assert first["chain"][-1]["source"] == "default"
    assert not first["is_default"]
