"""Samples that are taken while a page looks."""

from tests.cluster.asking import until


def test_a_topic_has_samples_once_a_page_has_looked(console, topic):
    console.send(topic, "one")

    def records():
        return console.get(f"/samples?topic={topic}")["records"]

    until(lambda: 1 in records())
