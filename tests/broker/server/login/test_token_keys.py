"""The keys of a provider: fetched, fetched again, and kept while they cannot be had."""

from __future__ import annotations

import pytest

from moldau.broker.server.login.token_keys import (
    FILE_SIZE_MAX,
    WAITING_MAX,
    KeysFile,
    KeysPace,
    TokenKeys,
)
from moldau.errors import MoldauError, NetworkError
from moldau.network.outgoing.backoff import Backoff
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import run

HOUR_MS = 3_600_000


class Names:
    """Keys by the letters of a text."""

    def __init__(self, text):
        self.text = text.decode()

    def has(self, key_id):
        return key_id is None or key_id in self.text


class Place:
    """Gives what it is set to, after a second."""

    def __init__(self, tasks, text):
        self.tasks, self.text, self.reads, self.is_old = tasks, text, 0, False

    def has_changed(self):
        return self.is_old

    async def read(self):
        self.reads += 1
        await self.tasks.sleep(1000)
        if self.text is None:
            raise NetworkError("provider", "gone")
        return self.text


def result_of(scenario, text=b"ab"):
    clock = SimulatedClock()

    async def main(tasks):
        place = Place(tasks, text)
        pace = KeysPace(HOUR_MS, Backoff(SeededRandom(1), 100, 10_000))
        keys = TokenKeys(place, Names, clock, tasks, pace)  # type: ignore[arg-type]
        try:
            return await scenario(tasks, place, keys)
        finally:
            keys.close()

    return run(main, clock)


def test_keys_are_fetched_at_once_and_every_hour():
    async def scenario(tasks, place, keys):
        keys.begin()
        await tasks.sleep(2000)
        assert keys.keys.text == "ab"
        place.text = b"c"
        await tasks.sleep(HOUR_MS + 2000)
        return keys.keys.text, place.reads

    assert result_of(scenario) == ("c", 2)


def test_a_login_waits_for_the_first_fetch():
    async def scenario(tasks, place, keys):
        seen = []
        keys.begin()
        keys.when_known("a", lambda: seen.append(keys.keys.text))
        assert not seen
        await tasks.sleep(2000)
        return seen, place.reads

    assert result_of(scenario) == (["ab"], 1)


def test_an_unknown_key_is_fetched_and_strangers_cannot_have_it_fetched_often():
    async def scenario(tasks, place, keys):
        keys.begin()
        await tasks.sleep(10_000)
        place.text, seen = b"abc", []
        keys.when_known("c", lambda: seen.append(keys.keys.text))
        await tasks.sleep(2000)
        for _ in range(100):
            keys.when_known("z", lambda: seen.append("z"))
            await tasks.sleep(10)
        keys.when_known(None, lambda: seen.append("none"))
        return seen[0], len(seen), place.reads

    assert result_of(scenario) == ("abc", 102, 2)


def test_while_keys_cannot_be_had_those_known_stay():
    async def scenario(tasks, place, keys):
        keys.begin()
        await tasks.sleep(2000)
        place.text = None
        await tasks.sleep(HOUR_MS + 60_000)
        assert keys.keys.text == "ab"
        place.text = b"new"
        await tasks.sleep(30_000)
        return keys.keys.text

    assert result_of(scenario) == "new"


def test_without_any_keys_logins_go_on_to_be_refused_and_the_log_has_the_cause_once(caplog):
    async def scenario(tasks, place, keys):
        seen = []
        keys.begin()
        keys.when_known("a", lambda: seen.append(keys.keys))
        await tasks.sleep(60_000)
        keys.when_known("a", lambda: seen.append(keys.keys))
        await tasks.sleep(2_000)
        return seen, place.reads > 5

    assert result_of(scenario, None) == ([None, None], True)
    (line,) = [record.getMessage() for record in caplog.records]
    assert "tokens are refused, and it is tried again: provider: gone" in line


def test_only_so_many_logins_wait():
    async def scenario(tasks, place, keys):
        seen = []
        for number in range(WAITING_MAX + 1):
            keys.when_known("a", lambda number=number: seen.append(number))
        before = list(seen)
        await tasks.sleep(2000)
        return before, len(seen)

    assert result_of(scenario) == ([WAITING_MAX], WAITING_MAX + 1)


def test_a_file_is_read_again_when_it_has_changed():
    async def scenario(tasks, place, keys):
        files = SimulatedFiles()
        found = KeysFile(files, tasks, "keys")
        assert not found.has_changed()
        with pytest.raises(MoldauError, match="keys"):
            await found.read()
        file = files.open("keys", create=True)
        file.append(b"one")
        assert found.has_changed()
        assert await found.read() == b"one"
        assert not found.has_changed()
        file.append(bytes(FILE_SIZE_MAX))
        assert found.has_changed()
        with pytest.raises(MoldauError, match="are accepted"):
            await found.read()

    result_of(scenario)
