"""Later layers win, and every place where a value was set is reported."""

from moldau.config.sources import BrokerLayers, Source, Synonym

LAYERS = BrokerLayers(
    file={"log.retention.ms": "1", "log.retention.hours": "2", "ssl.key.password": "x"},
    all_brokers={"log.retention.ms": "3"},
    broker={"num.io.threads": "9"},
)


def test_what_was_set_last_is_in_force():
    assert LAYERS.settings.retention_ms == 3
    assert LAYERS.settings.num_io_threads == 9


def test_all_places_are_reported_the_strongest_first():
    assert LAYERS.synonyms("log.retention.ms") == [
        Synonym("log.retention.ms", "3", Source.ALL_BROKERS),
        Synonym("log.retention.ms", "1", Source.FILE),
        Synonym("log.retention.hours", "2", Source.FILE),
        Synonym("log.retention.hours", "168", Source.DEFAULT),
    ]


def test_a_setting_under_another_name_only_counts_as_not_set():
    layers = BrokerLayers(file={"log.retention.hours": "2"})
    assert layers.synonyms("log.retention.ms") == []


def test_a_listeners_setting_falls_back_to_everybodys():
    layers = BrokerLayers(file={"listener.name.a.max.connections": "5", "max.connections": "9"})
    assert layers.synonyms("listener.name.a.max.connections") == [
        Synonym("listener.name.a.max.connections", "5", Source.FILE),
        Synonym("max.connections", "9", Source.FILE),
        Synonym("max.connections", str(2**31 - 1), Source.DEFAULT),
    ]


def test_secrets_and_unknown_settings_are_not_shown():
    assert LAYERS.synonyms("ssl.key.password") == [Synonym("ssl.key.password", None, Source.FILE)]
    assert LAYERS.is_secret("my.own.setting")
    assert LAYERS.is_secret("listener.name.a.plain.sasl.jaas.config")
    assert not LAYERS.is_secret("listener.name.a.max.connections")


def test_what_only_tools_set_has_no_default_to_show():
    name = "leader.replication.throttled.rate"
    layers = BrokerLayers(file={}, broker={name: "5"})
    assert layers.synonyms(name) == [Synonym(name, "5", Source.BROKER)]


def test_what_cannot_change_while_a_broker_runs_is_not_in_force_wherever_it_was_set():
    unsecured = {"sasl.server.callback.handler.class": "x", "super.users": "User:a"}
    of_mechanism = {"listener.name.a.oauthbearer.sasl.server.callback.handler.class": "x"}
    layers = BrokerLayers(
        file={"sasl.oauthbearer.jwks.endpoint.url": "file:///a"},
        all_brokers={"ssl.keystore.location": "b", "log.retention.ms": "3"},
        broker={
            **unsecured,
            **of_mechanism,
            "sasl.oauthbearer.jwks.endpoint.url": "file:///b",
            "ssl.truststore.location": "c",
        },
    )
    found = layers.settings
    assert found.sasl_server_callback_handler_class is None
    assert not of_mechanism.keys() & found.all_given.keys()
    assert found.sasl_oauthbearer_jwks_endpoint_url == "file:///a"
    assert (found.ssl_keystore_location, found.ssl_truststore_location) == (None, "c")
    assert found.retention_ms == 3
    assert found.super_users == ()
