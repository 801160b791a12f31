"""The blocking face is the asynchronous one without its awaits."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
from types import ModuleType

import pytest

from moldau.client.aio.admin import cluster, configs, groups, security, topics, transactions
from moldau.client.aio.admin.client import AsyncAdmin
from moldau.client.sync.admin import cluster as sync_cluster
from moldau.client.sync.admin import configs as sync_configs
from moldau.client.sync.admin import groups as sync_groups
from moldau.client.sync.admin import security as sync_security
from moldau.client.sync.admin import topics as sync_topics
from moldau.client.sync.admin import transactions as sync_transactions
from moldau.client.sync.admin.client import Admin

TWINS = [
    (topics, sync_topics),
    (configs, sync_configs),
    (groups, sync_groups),
    (cluster, sync_cluster),
    (security, sync_security),
    (transactions, sync_transactions),
]


def subject_of(module: ModuleType) -> type:
    (name,) = module.__all__
    subject: type = getattr(module, name)
    return subject


def plain(text: str) -> str:
    """Without what makes it asynchronous, and without its layout."""
    text = re.sub(r"\basync |\bawait |\bAsync(?=[A-Z])", "", text).replace(".aio.", ".sync.")
    return re.sub(r"[\s(),]", "", text)


@pytest.mark.parametrize("twins", TWINS, ids=lambda twins: twins[0].__name__)
def test_each_subject_is_its_twin(twins):
    ours, theirs = (inspect.getsource(subject_of(module)) for module in twins)
    assert plain(ours) == plain(theirs)


JAVAS = {
    "listConsumerGroups": "list_groups",
    "deleteConsumerGroups": "delete_groups",
    "deleteShareGroups": "delete_groups",
    "deleteStreamsGroups": "delete_groups",
    "listStreamsGroupOffsets": "list_consumer_group_offsets",
    "alterStreamsGroupOffsets": "alter_consumer_group_offsets",
    "deleteStreamsGroupOffsets": "delete_consumer_group_offsets",
}
"""Calls of Java's that are one here."""
ABOUT_ITSELF = {"metrics", "registerMetricForSubscription", "unregisterMetricFromSubscription"}
METHOD = re.compile(r"abstract [\w.<>?, $]+ (\w+)\(")


@pytest.mark.judge
def test_it_has_every_call_of_javas(kafka_libs):
    jars = os.pathsep.join(map(str, kafka_libs.glob("kafka-clients-*.jar")))
    command = ["javap", "-cp", jars, "org.apache.kafka.clients.admin.Admin"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    names = set(METHOD.findall(shown)) - ABOUT_ITSELF
    assert len(names) > 50
    ours = {JAVAS.get(name, re.sub(r"(?=[A-Z])", "_", name).lower()) for name in names}
    assert ours - set(dir(Admin)) == set()


def test_both_have_the_same_calls_and_each_says_what_it_does():
    def calls(kind: type) -> set[str]:
        return {name for name, _ in inspect.getmembers(kind, inspect.isfunction) if name[0] != "_"}

    assert calls(AsyncAdmin) - {"start", "begin_in"} == calls(Admin)
    assert [name for name in calls(Admin) if not getattr(Admin, name).__doc__] == []
