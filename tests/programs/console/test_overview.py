"""The cluster at a glance."""


def test_a_cluster_shows_brokers_quorum_features_and_directories(console):
    found = console.get("/cluster")
    (broker,) = found["brokers"]
    assert f"{broker['host']}:{broker['port']}" == console.bootstrap
    assert (found["quorum"]["leader"], found["quorum"]["voters"][0]["lag"]) == (broker["id"], 0)
    assert broker["log_dirs"][0]["total_bytes"] > 0
    assert {"metadata.version"} <= {one["name"] for one in found["features"]}


def test_the_map_has_the_partitions_of_one_topic(console, topic):
    found = console.get(f"/map?topic={topic}")
    (part,) = found["partitions"]
    assert part["isr"] == part["replicas"] == [found["brokers"][0]["id"]]
    assert console.get("/map")["partitions"] == []


def test_a_broker_shows_its_settings(console):
    names = {one["name"] for one in console.get("/brokers/1/configs")}
    assert "num.partitions" in names


def test_what_is_no_broker_is_not_found(console):
    assert console.refusal("GET", "/brokers/x/configs") == (404, "Broker x cannot be found.")
