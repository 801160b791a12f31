"""Tokens for logins, and how long they are kept."""

from __future__ import annotations

import json

import pytest

from moldau.errors import MoldauError, NetworkError
from moldau.network.outgoing.tokens import (
    CalledForToken,
    ClientCredentials,
    KeptToken,
    LastingError,
    RetriedSource,
    TokenFile,
)
from moldau.network.outgoing.web import Web
from moldau.network.sasl.oauth.unsecured import make_unsecured
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import run
from tests.network.outgoing.scripted_web import URL, ScriptedWeb, answer


def granted(**given):
    return answer(json.dumps(given).encode())


def grant(*script, scope="kafka write"):
    server = ScriptedWeb(*script)

    async def main(tasks):
        world = SimulatedWorld(tasks, SeededRandom(1))
        await server.open(world)
        web = Web(network=world.host("node"), tasks=tasks)
        source = ClientCredentials(web, f"{URL}/token", "alice", "wonder", scope)
        return await source.fetch(), repr(source)

    return run(main, SimulatedClock()), server.asked


def test_client_credentials_are_granted_a_token():
    (token, shown), asked = grant(granted(access_token=" abc ", expires_in=5))
    assert token == "abc"
    assert "Authorization: Basic YWxpY2U6d29uZGVy\r\n" in asked[0]
    assert asked[0].endswith("\r\n\r\ngrant_type=client_credentials&scope=kafka+write")
    assert "wonder" not in shown
    assert grant(granted(id_token="xyz"), scope=None)[0][0] == "xyz"


@pytest.mark.parametrize(
    ("response", "clause"),
    [
        (answer(b"{}", "401 Unauthorized"), "refuses this client: status 401"),
        (answer(b"{}", "503 Busy"), "gives no token: status 503"),
        (answer(b"<html>"), "not an object of JSON"),
        (granted(access_token=5), 'has no "access_token"'),
    ],
)
def test_what_is_no_grant_is_an_error_that_shows_no_secret(response, clause):
    with pytest.raises(NetworkError, match=clause) as refused:
        grant(response)
    assert "wonder" not in str(refused.value)


def in_world(scenario):
    clock = SimulatedClock()

    async def main(tasks):
        return await scenario(tasks, clock)

    return run(main, clock)


def test_a_file_is_read_again_for_each_fetch():
    async def scenario(tasks, clock):
        files = SimulatedFiles()
        file = files.open("token", create=True)
        file.append(b"one\n")
        source = TokenFile(files, tasks, "token")
        found = [await source.fetch()]
        file.truncate(0)
        file.append(b"two")
        return [*found, await source.fetch()]

    assert in_world(scenario) == ["one", "two"]


def test_what_a_function_raises_is_named_without_its_text():
    def failing():
        raise ValueError("a secret")

    async def scenario(tasks, clock):
        assert await CalledForToken(lambda: " abc\n", tasks).fetch() == "abc"
        await CalledForToken(failing, tasks).fetch()

    with pytest.raises(MoldauError, match=r"^failing raised ValueError$"):
        in_world(scenario)


class Counting:
    """A source of tokens that last ten seconds, after a second of thought."""

    def __init__(self, tasks, clock, error=None):
        self.tasks, self.clock, self.error, self.count = tasks, clock, error, 0

    async def fetch(self):
        self.count += 1
        await self.tasks.sleep(1000)
        if self.error is not None:
            raise self.error
        login = {"unsecuredLoginStringClaim_sub": "a", "unsecuredLoginLifetimeSeconds": "10"}
        return make_unsecured(login, self.clock.now_ms())


def kept(source, tasks, clock):
    return KeptToken(source, clock, SeededRandom(1), tasks, window_factor=0.8, window_jitter=0.05)


def test_a_token_is_kept_for_most_of_its_life():
    async def scenario(tasks, clock):
        source = Counting(tasks, clock)
        token = kept(source, tasks, clock)
        first = await token.get()
        await tasks.sleep(7_900)
        assert await token.get() == first
        await tasks.sleep(700)
        assert await token.get() != first
        return source.count

    assert in_world(scenario) == 2


def retried(errors, backoff_ms=100, max_ms=10_000):
    """When it was asked, and what came of it."""

    async def scenario(tasks, clock):
        begun_ms, asked, left = clock.now_ms(), [], list(errors)

        class Failing:
            async def fetch(self):
                asked.append(clock.now_ms() - begun_ms)
                if left:
                    raise left.pop(0)
                return "token"

        source = RetriedSource(Failing(), clock, tasks, backoff_ms, max_ms)
        try:
            return asked, await source.fetch()
        except NetworkError as error:
            return asked, error

    return in_world(scenario)


def test_a_provider_that_is_gone_is_asked_again_after_pauses_that_double():
    gone = NetworkError("provider", "gone")
    assert retried([gone] * 3) == ([0, 100, 300, 700], "token")
    assert retried([gone] * 9, max_ms=1000) == ([0, 100, 300, 700, 1000], gone)


def test_one_that_refuses_is_asked_once():
    refused = LastingError("provider", "refused")
    assert retried([refused]) == ([0], refused)
    assert retried([NetworkError("provider", "gone"), refused])[0] == [0, 100]


@pytest.mark.parametrize(("status", "lasts"), [(401, 1), (404, 1), (429, 0), (503, 0), (501, 1)])
def test_which_answers_would_be_the_same_again(status, lasts):
    with pytest.raises(NetworkError) as refused:
        grant(answer(b"{}", f"{status} Words"))
    assert isinstance(refused.value, LastingError) is bool(lasts)


@pytest.mark.parametrize("error", [None, NetworkError("provider", "gone")])
def test_one_fetch_serves_all_who_want_a_token_meanwhile(error):
    async def scenario(tasks, clock):
        source, found = Counting(tasks, clock, error), []
        token = kept(source, tasks, clock)

        async def want():
            try:
                found.append(await token.get())
            except MoldauError as failure:
                found.append(failure)

        for number in range(5):
            tasks.spawn(f"want {number}", want())
        await tasks.sleep(5000)
        return source.count, len(found), len(set(found))

    assert in_world(scenario) == (1, 5, 1)


def test_a_fetch_that_is_given_up_does_not_block_the_next():
    async def scenario(tasks, clock):
        source = Counting(tasks, clock)
        token = kept(source, tasks, clock)
        with pytest.raises(TimeoutError):
            async with tasks.deadline(500):
                await token.get()
        return bool(await token.get()), source.count

    assert in_world(scenario) == (True, 2)


def test_a_token_without_an_end_is_not_kept():
    async def scenario(tasks, clock):
        tokens = iter(["opaque", "other"])
        token = kept(CalledForToken(lambda: next(tokens), tasks), tasks, clock)
        return [await token.get(), await token.get()]

    assert in_world(scenario) == ["opaque", "other"]


@pytest.mark.parametrize(
    ("life_s", "given", "fresh_s"),
    [
        (1000, {"window_factor": 0.8}, 800),
        (1000, {"window_factor": 0.8, "buffer_s": 300}, 700),
        (1000, {"window_factor": 0.01, "least_s": 60}, 60),
        (300, {"window_factor": 0.8, "buffer_s": 300, "least_s": 60}, 240),
    ],
)
def test_a_token_is_renewed_neither_too_late_nor_too_early(life_s, given, fresh_s):
    clock, login = SimulatedClock(), {"unsecuredLoginStringClaim_sub": "a"}
    token = make_unsecured({**login, "unsecuredLoginLifetimeSeconds": str(life_s)}, clock.now_ms())
    fetched = []

    class Source:
        async def fetch(self):
            fetched.append(clock.now_ms())
            return token

    async def main(tasks):
        source = KeptToken(Source(), clock, SeededRandom(1), tasks, window_jitter=0, **given)
        await source.get()
        await tasks.sleep(fresh_s * 1000 - 1500)
        await source.get()
        assert len(fetched) == 1
        await tasks.sleep(3000)
        await source.get()

    run(main, clock)
    assert len(fetched) == 2
