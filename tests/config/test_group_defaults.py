"""A group's own word counts first, then its broker's."""

from moldau.config.broker.settings import BrokerSettings
from moldau.config.group import GroupSettings
from moldau.config.group_defaults import GROUP_SYNONYMS, group_settings


def test_every_synonym_is_a_setting_of_the_broker():
    assert set(GROUP_SYNONYMS.values()) <= set(BrokerSettings.KEYS)
    assert group_settings(BrokerSettings(), {}) == GroupSettings()


def test_the_brokers_word_counts_where_the_group_says_nothing():
    broker = BrokerSettings({"group.share.delivery.count.limit": "7"})
    assert group_settings(broker, {}).share_delivery_count_limit == 7
    own = {"share.delivery.count.limit": "3"}
    assert group_settings(broker, own).share_delivery_count_limit == 3
