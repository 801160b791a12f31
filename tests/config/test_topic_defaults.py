"""A topic's own word counts first, then its broker's, then Kafka's."""

from moldau.config.broker.settings import BrokerSettings
from moldau.config.topic import TopicSettings
from moldau.config.topic_defaults import SYNONYMS, TopicDefaults, topic_settings


def test_by_itself_a_topic_is_as_a_broker_without_settings_would_have_it():
    assert topic_settings(BrokerSettings(), {}) == TopicSettings()


def test_what_is_worked_out_once_holds_for_all_topics_of_the_broker():
    broker = BrokerSettings({"log.retention.hours": "1", "min.insync.replicas": "2"})
    defaults = TopicDefaults(broker)
    for given in ({}, {"retention.ms": "5"}, {"min.insync.replicas": "1"}, {}):
        assert defaults.settings(given) == topic_settings(broker, given)
    assert defaults.settings({}).min_insync_replicas == 2
    assert defaults.settings({"min.insync.replicas": "1"}).min_insync_replicas == 1


def test_every_synonym_is_a_setting_on_both_sides():
    assert set(SYNONYMS) <= set(TopicSettings.KEYS)
    assert set(SYNONYMS.values()) <= set(BrokerSettings.KEYS)


def test_the_brokers_word_counts_where_the_topic_says_nothing():
    broker = BrokerSettings({"log.retention.hours": "1", "log.cleanup.policy": "compact"})
    settings = topic_settings(broker, {"cleanup.policy": "delete"})
    assert settings.retention_ms == 3_600_000
    assert settings.cleanup_policy == ("delete",)
