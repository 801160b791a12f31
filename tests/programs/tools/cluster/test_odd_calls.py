"""Calls of Kafka's tools at a cluster that are odd, and whose answer must not be silence."""

from __future__ import annotations


def test_a_partition_that_is_not_there_cannot_be_searched_for_hanging_transactions(
    call, errors, topic
):
    code, lines = call(f"transactions find-hanging --topic {topic} --partition 9")
    assert (code, lines) == (1, [])
    assert errors.getvalue().startswith("Failed to describe producers for 1 partitions: ")


def test_subscriptions_to_metrics_may_be_given_one_by_one(call, topic):
    alter = f"client-metrics --alter --name {topic} --metrics a --metrics b,c"
    assert call(alter) == (0, [f"Altered client metrics config for {topic}."])
    assert "  metrics=a,b,c" in call(f"client-metrics --describe --name {topic}")[1]


def test_a_subscription_without_a_name_is_refused_and_gets_none(call):
    code, lines = call("client-metrics --alter --name ''")
    assert code == 1
    assert lines[0].startswith("Error while executing client metrics command : ")


def test_a_release_that_lacks_a_feature_takes_it_away(call, errors):
    code, lines = call("features downgrade --release-version 4.0 --dry-run")
    assert code == 1
    assert any(line.startswith("Can not downgrade share.version to 0.") for line in lines)
    code, lines = call("features upgrade --release-version 4.0 --dry-run")
    assert not any("share.version" in line for line in lines)


def test_an_old_spelling_of_the_file_with_settings_is_warned_of(call, tmp_path):
    (tmp_path / "settings").write_text("client.id=old\n")
    code, lines = call(
        f"leader-election --election-type preferred --all-topic-partitions "
        f"--admin.config {tmp_path}/settings"
    )
    assert (code, lines[0]) == (
        0,
        "Option --admin.config has been deprecated and will be removed in a future version. Use "
        "--command-config instead.",
    )
