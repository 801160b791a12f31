"""A consumer is in one proxy, and all answer for it."""

from __future__ import annotations

import asyncio

import pytest

from moldau.errors import NetworkError
from moldau.network.outgoing.web import WebAnswer, WebError
from moldau.programs.http.messages import HttpError, Request
from moldau.programs.registry.records import read_json
from moldau.programs.rest.v2.homes import FORWARDED, Homes, HomeState, Place
from tests.programs.rest.running_rest import RunningRest
from tests.programs.rest.v2.test_consumers import JSON, Instance

PLACE = Place("anna", "g", "a")
HERE, THERE = "http://here:1", "http://there:2"


class ListStore:
    """A topic that is a list."""

    def __init__(self):
        self.state = HomeState()

    async def known(self, *, again=False):
        return self.state

    async def write(self, decide):
        answer, records = decide(self.state)
        for record in records:
            key, value = record.encoded()
            self.state.apply(read_json(key) or {}, read_json(value))
        return answer

    async def close(self):
        self.state.clear()


class KnownWeb:
    def __init__(self, outcome):
        self.outcome = outcome
        self.asked = []

    async def ask(self, method, url, headers, body):
        self.asked.append((method, url, headers, body))
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


def homes_of(store, own, outcome=None):
    found = Homes(store, KnownWeb(outcome))
    found.own = own
    return found


def code_of(work):
    with pytest.raises(HttpError) as raised:
        asyncio.run(work)
    return raised.value.code


GONE = NetworkError("there:2", "refused")


def test_a_name_is_one_proxys_until_it_is_released():
    store = ListStore()
    asyncio.run(homes_of(store, THERE).claim(PLACE))
    here = homes_of(store, HERE, WebAnswer(200, b"{}"))
    assert code_of(here.claim(PLACE)) == 40902
    asyncio.run(here.release([PLACE]))  # it is none of its own
    assert asyncio.run(here.home_of(PLACE)) == THERE
    asyncio.run(homes_of(store, THERE).release([PLACE]))
    assert asyncio.run(here.home_of(PLACE)) is None
    asyncio.run(here.claim(PLACE))
    assert asyncio.run(here.home_of(PLACE._replace(user="berta"))) is None


@pytest.mark.parametrize("outcome", [GONE, WebError(THERE, "slow"), WebAnswer(404, b"")])
def test_a_name_is_free_where_its_home_does_not_have_it_any_more(outcome):
    store = ListStore()
    asyncio.run(homes_of(store, THERE).claim(PLACE))
    asyncio.run(homes_of(store, HERE, outcome).claim(PLACE))
    assert store.state.homes == {PLACE: HERE}


def asked(**headers):
    return Request("GET", "/consumers/g/instances/a%2Fb/records", {"timeout": ["5"]}, headers)


def test_a_request_goes_on_with_its_login_and_comes_back():
    homes = homes_of(ListStore(), HERE, WebAnswer(200, b"[]", JSON))
    found = asyncio.run(homes.forward(asked(authorization="Basic x", cookie="c"), PLACE, THERE))
    assert (found.status, found.body, found.media_type) == (200, b"[]", JSON)
    url = f"{THERE}/consumers/g/instances/a%2Fb/records?timeout=5"
    headers = {"Authorization": "Basic x", FORWARDED: "1"}
    assert homes._web.asked == [("GET", url, headers, b"")]


def test_a_home_that_is_gone_has_no_consumers_and_a_slow_one_keeps_them():
    store = ListStore()
    asyncio.run(homes_of(store, THERE).claim(PLACE))
    slow = homes_of(store, HERE, WebError(THERE, "slow"))
    assert code_of(slow.forward(asked(), PLACE, THERE)) == 50003
    assert store.state.homes
    assert code_of(homes_of(store, HERE, GONE).forward(asked(), PLACE, THERE)) == 40403
    assert not store.state.homes


def test_a_certificate_cannot_be_passed_on():
    homes = homes_of(ListStore(), HERE)
    request = asked()
    request.certificate = b"x"
    assert code_of(homes.forward(request, PLACE, THERE)) == 40403


@pytest.fixture(scope="module")
def pair(place, tmp_path_factory):
    """Two proxies that know each other; what one that dies leaves in a group is soon gone."""
    folder = tmp_path_factory.mktemp("pair")
    settings = folder / "client.properties"
    settings.write_text("session.timeout.ms=6000\nheartbeat.interval.ms=1500\n")
    flags = ("--command-config", str(settings), "--advertise", "http://127.0.0.1")
    made = [RunningRest(folder, place, *flags, name=name) for name in "ab"]
    yield made
    for one in made:
        if one.process.poll() is None:
            one.stop()


def test_a_consumer_is_read_by_turns_and_outlived_by_its_group(pair, made):
    first, second = pair
    first.reports(made, b'{"partition_id":0,"value":{"type":"JSON","data":7}}' * 4)
    consumer = Instance(first, made, name="c", **{"auto.commit.enable": "false"})
    for proxy, body in ((second, {"topics": [made]}), (first, {"topics": [made]})):
        consumer.rest = proxy
        assert consumer.ask("POST", "/subscription", body) == (204, None)
    consumer.rest = second
    assert [one["value"] for one in consumer.records(4)] == [7] * 4
    assert consumer.ask("POST", "/offsets", None)[0] == 200
    assert second.ask("POST", f"/consumers/{made}", {"name": "c"})[1]["error_code"] == 40902
    consumer.rest = first
    assert consumer.ask("GET", "/assignments")[1]["partitions"]
    first.kill()
    consumer.rest = second
    assert consumer.code("GET", "/subscription") == 40403
    again = Instance(second, made, name="c")
    assert again.ask("POST", "/subscription", {"topics": [made]}) == (204, None)
    second.reports(made, b'{"partition_id":0,"value":{"type":"JSON","data":8}}')
    assert [one["value"] for one in again.records(1)] == [8]
