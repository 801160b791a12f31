"""Whatever a request for a change holds, its names can be written, and its values are not."""

import pytest

from moldau.broker.server.audit.things import CHANGES
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.config.incremental_alter_configs import IncrementalAlterConfigsRequest
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.messages.security.alter_user_scram_credentials import (
    AlterUserScramCredentialsRequest,
)
from tests.interop.differential.aliases import resolved
from tests.interop.differential.requests import random_request
from tests.interop.differential.side import Side

ROUNDS = 30


@pytest.mark.parametrize("api_key", CHANGES, ids=lambda key: BY_KEY[key].name)
def test_any_request_of_that_kind_has_words(api_key, seed):
    random, kind = SeededRandom(seed), BY_KEY[api_key].request
    things: list[str] = []
    for _ in range(ROUNDS):
        version = random.choice(tuple(kind.VERSIONS.each()))
        request = resolved(random_request(random, kind, version, {}), Side("here", 0))
        things += CHANGES[api_key](request)
    assert things
    assert all(isinstance(thing, str) and thing for thing in things)


def test_of_settings_and_passwords_only_names_are_written():
    resource = IncrementalAlterConfigsRequest.AlterConfigsResource
    config = resource.AlterableConfig(name="ssl.key.password", config_operation=0, value="hidden")
    settings = IncrementalAlterConfigsRequest(
        resources=[resource(resource_type=4, resource_name="1", configs=[config])],
        validate_only=False,
    )
    user = AlterUserScramCredentialsRequest.ScramCredentialUpsertion(
        name="bob", mechanism=1, iterations=4096, salt=b"salt", salted_password=b"hidden"
    )
    logins = AlterUserScramCredentialsRequest(deletions=[], upsertions=[user])
    assert list(CHANGES[settings.KEY](settings)) == ["setting ssl.key.password of broker 1"]
    assert list(CHANGES[logins.KEY](logins)) == ["login of bob"]
