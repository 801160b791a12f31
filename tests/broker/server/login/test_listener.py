"""The mechanisms of a listener, from its settings."""

import pytest

from moldau.broker.node.defaults import alone
from moldau.broker.node.not_yet import refuse_what_is_not_there
from moldau.broker.node.server_properties import node_settings
from moldau.config.refusals import SettingError
from tests.broker.server.login.dialogue import MODULE, PREFIX, SETTINGS

JAAS = f"{PREFIX}plain.sasl.jaas.config"
SCRAM_JAAS = f"{PREFIX}scram-sha-256.sasl.jaas.config"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({JAAS: None}, f"offers PLAIN and has no users: set {JAAS}"),
        ({SCRAM_JAAS: None}, f"offers SCRAM-SHA-256 and has no login for it: set {SCRAM_JAAS};"),
        ({JAAS: f"{MODULE} required user_a=secret"}, "with the semicolon"),
        ({"sasl.enabled.mechanisms": ""}, "has no mechanism in sasl.enabled.mechanisms"),
        ({"sasl.enabled.mechanisms": "PLAIN,SOMETHING"}, "has SOMETHING; what is there is PLAIN"),
    ],
)
def test_a_listener_that_could_not_be_used_is_refused(changes, sentence):
    given = {name: text for name, text in {**SETTINGS, **changes}.items() if text is not None}
    with pytest.raises(SettingError) as refused:
        refuse_what_is_not_there(node_settings(alone(), given))
    assert sentence in str(refused.value)
    assert "secret" not in str(refused.value)


def test_a_mechanism_may_be_set_for_one_listener_alone():
    given = {**SETTINGS, "sasl.enabled.mechanisms": "SOMETHING"}
    given[f"{PREFIX}sasl.enabled.mechanisms"] = "PLAIN"
    refuse_what_is_not_there(node_settings(alone(), given))
