"""Settings of a listener may change while it is open."""

from tests.broker.server.login.dialogue import MODULE, PREFIX, log_in
from tests.broker.server.login.test_login import with_node


def test_a_user_that_the_settings_get_later_can_log_in():
    async def scenario(machine, served, client):
        broker = served.broker
        name = f"{PREFIX}plain.sasl.jaas.config"
        broker.settings = broker.settings.changed({name: f"{MODULE} required user_eve=x;"})
        return (await log_in(machine, client, "eve", "x")).error_code

    assert with_node(scenario) == 0
