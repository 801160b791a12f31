"""Routes behind logins: the cluster is asked once whether it knows the user."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.client.errors import RefusedError
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.tasks import run
from moldau.programs.http.front import Rates
from moldau.programs.http.messages import HttpError, Request, Response, Upgrade
from moldau.programs.http.routes import Route, Router
from moldau.programs.registry.login_router import CHECKED_MS, LoginRouter
from moldau.programs.registry.logins import Kind, Login, authorization_of
from moldau.protocol.wire.error_codes import ErrorCode
from tests.judges.identity_provider import unsigned

ALICE = Login("alice", "secret")
DELEGATED = Login("token-1", "hmac", Kind.DELEGATED)
ACCEPTED = {ALICE}


class Tenant:
    """Of a cluster that knows alice alone."""

    def __init__(self, login):
        self.login = login
        self.users = 0
        self.router = Router([Route("GET", "/who", lambda _: Response(login.user.encode()))])
        self.logged_in = 0
        self.is_used = False
        self.is_closed = False

    async def log_in(self):
        self.logged_in += 1
        if self.login not in ACCEPTED:
            raise RefusedError("the login", ErrorCode.SASL_AUTHENTICATION_FAILED)

    async def close(self):
        self.is_closed = True


def test_a_user_is_looked_up_once_and_a_stranger_is_refused_each_time():
    made: list[Tenant] = []

    def tenant(login):
        made.append(Tenant(login))
        return made[-1]

    async def scenario(tasks):
        router = LoginRouter(tasks, SimulatedClock(), tenant)
        found = []
        for login in (ALICE, Login("alice", "wrong"), ALICE):
            headers = {"authorization": authorization_of(login)}
            handler, _ = router.find("GET", "/who")
            try:
                answer: Any = handler(Request("GET", "/who", headers=headers))
                found.append((await answer).body)
            except HttpError as error:
                found.append(error.code)
        await router.close()
        return found

    assert run(scenario, SimulatedClock()) == [b"alice", 40101, b"alice"]
    assert [(one.logged_in, one.is_closed) for one in made] == [(1, True), (1, True)]


def test_each_user_has_a_limit_wherever_the_requests_come_from():
    async def scenario(tasks):
        router = LoginRouter(tasks, SimulatedClock(), Tenant, Rates(SimulatedClock(), 1))
        headers = {"authorization": authorization_of(ALICE)}
        found = []
        for peer in ("one", "two"):
            request = Request("GET", "/who", headers=headers, peer=peer)
            answer: Any = router.find("GET", "/who")[0](request)
            try:
                found.append((await answer).status)
            except HttpError as error:
                found.append(error.status)
        await router.close()
        return found

    assert run(scenario, SimulatedClock()) == [200, 429]


def test_a_user_is_in_use_while_requests_are_answered_and_no_longer():
    counts = []

    def tenant(login):
        made = Tenant(login)

        def handler(request):
            counts.append(made.users)
            if request.peer == "one":
                raise HttpError(404, "it is not here")
            return Response()

        made.router = Router([Route("GET", "/who", handler)])
        return made

    async def scenario(tasks):
        router = LoginRouter(tasks, SimulatedClock(), tenant)
        for peer in ("one", "two"):
            await asked(router, headers=bearer(ALICE), peer=peer)
        async with router.known(ALICE) as known:
            assert known is not None
            counts.append(known.users)
        counts.append(known.users)
        async with router.known(Login("alice", "wrong")) as known:
            assert known is None
        await router.close()

    run(scenario, SimulatedClock())
    assert counts == [1, 1, 1, 0]


def asked(router, **shown):
    """The body, or the message of a refusal, when it is awaited."""

    async def ask():
        request = Request("GET", "/who", **shown)
        try:
            answer: Any = router.find("GET", "/who")[0](request)
            return (await answer).body
        except HttpError as error:
            return f"{error.status} {error}"

    return ask()


def bearer(login):
    return {"authorization": authorization_of(login)}


def test_a_token_holds_until_it_is_over_and_its_clients_with_it():
    made: list[Tenant] = []
    clock = SimulatedClock()
    token = unsigned({"sub": "alice", "exp": clock.now_ms() // 1000 + 60})
    login = Login("alice", token, Kind.BEARER)
    ACCEPTED.add(login)

    def tenant(login):
        made.append(Tenant(login))
        return made[-1]

    async def scenario(tasks):
        router = LoginRouter(tasks, clock, tenant)
        found = [await asked(router, headers=bearer(login))]
        await tasks.sleep(61_000)
        return [*found, await asked(router, headers=bearer(login)), made[0].is_closed]

    assert run(scenario, clock) == [b"alice", "401 the token is over: get another one", True]


class Delegations:
    """A token of the cluster, for alice."""

    closed = False
    forgotten: tuple[str, ...] = ()

    def forget(self, name):
        self.forgotten = (*self.forgotten, name)

    def shown(self, certificate):
        return Login(certificate.decode(), "", Kind.CERTIFICATE)

    async def delegated(self, name):
        return DELEGATED, None

    async def close(self):
        self.closed = True


def test_a_certificate_counts_where_no_login_is_shown():
    made: list[Tenant] = []

    def tenant(login):
        made.append(Tenant(login))
        if len(made) > 2:
            ACCEPTED.add(DELEGATED)  # the third broker has applied the token
        return made[-1]

    async def scenario(tasks):
        delegations: Any = Delegations()
        router = LoginRouter(tasks, SimulatedClock(), tenant, None, delegations)
        found = [await asked(router, certificate=b"CN=alice") for _ in range(2)]
        found.append(await asked(router, certificate=b"CN=a", headers=bearer(ALICE)))
        await router.close()
        return found, delegations.closed

    assert run(scenario, SimulatedClock()) == ([b"token-1", b"token-1", b"alice"], True)
    assert [one.logged_in for one in made] == [1, 1, 1, 1]
    assert [one.is_closed for one in made] == [True, True, True, True]


def test_a_changed_password_is_of_no_use_after_a_minute():
    made: list[Tenant] = []
    login = Login("bob", "former")
    ACCEPTED.add(login)

    def tenant(login):
        made.append(Tenant(login))
        return made[-1]

    clock = SimulatedClock()

    async def scenario(tasks):
        router = LoginRouter(tasks, clock, tenant)
        found = [await asked(router, headers=bearer(login))]
        await tasks.sleep(CHECKED_MS)
        found.append(await asked(router, headers=bearer(login)))
        checked = [(one.logged_in, one.is_closed) for one in made]
        ACCEPTED.discard(login)
        found.append(await asked(router, headers=bearer(login)))
        await tasks.sleep(CHECKED_MS)
        found.append(await asked(router, headers=bearer(login)))
        return found, checked, [one.is_closed for one in made]

    found, checked, are_closed = run(scenario, clock)
    refused = "401 the cluster does not know this user with this password"
    assert found == [b"bob", b"bob", b"bob", refused]
    assert checked == [(1, False), (1, True)]  # the clients stay, and one looks beside them
    assert are_closed == [True, True, True]


class SlowTenant(Tenant):
    """Of a cluster that takes a second to refuse."""

    def __init__(self, login, tasks):
        super().__init__(login)
        self.tasks = tasks

    async def log_in(self):
        if self.login not in ACCEPTED:
            await self.tasks.sleep(1_000)
        await super().log_in()


def test_who_guesses_passwords_holds_up_no_other_address():
    clock = SimulatedClock()

    async def scenario(tasks):
        router = LoginRouter(tasks, clock, lambda login: SlowTenant(login, tasks))
        refused_ms: list[int] = []
        began_ms = clock.now_ms()

        async def guess(number):
            guessed = Login("alice", f"guess-{number}")
            await asked(router, headers=bearer(guessed), peer="attacker")
            refused_ms.append(clock.now_ms() - began_ms)

        for number in range(3):
            tasks.spawn(f"guess {number}", guess(number))
        await tasks.sleep(1)
        honest = await asked(router, headers=bearer(ALICE), peer="office")
        waited_ms = clock.now_ms() - began_ms
        await tasks.sleep(10_000)
        return honest, waited_ms, refused_ms, router._lines

    assert run(scenario, clock) == (b"alice", 1, [1_000, 2_000, 3_000], {})


def test_the_same_login_from_two_addresses_has_one_set_of_clients():
    made: list[SlowTenant] = []
    login = Login("carol", "secret")

    clock = SimulatedClock()

    async def scenario(tasks):
        def tenant(login):
            made.append(SlowTenant(login, tasks))
            return made[-1]

        router = LoginRouter(tasks, clock, tenant)
        found = []

        async def come(peer):
            found.append(await asked(router, headers=bearer(login), peer=peer))

        for peer in ("one", "two"):
            tasks.spawn(peer, come(peer))
        await tasks.sleep(1)
        ACCEPTED.add(login)
        await tasks.sleep(5_000)
        return found

    assert run(scenario, clock) == [b"carol", b"carol"]
    assert sorted(one.is_closed for one in made) == [False, True]


def test_a_delegation_token_that_the_cluster_refuses_is_made_anew():
    refused = Login("token-2", "hmac", Kind.DELEGATED)

    class Refused(Delegations):
        async def delegated(self, name):
            return refused, None

    clock = SimulatedClock()

    async def scenario(tasks):
        delegations: Any = Refused()
        router = LoginRouter(tasks, clock, Tenant, None, delegations)
        found = await asked(router, certificate=b"alice")
        return found, delegations.forgotten

    found, forgotten = run(scenario, clock)
    assert found == "401 the cluster does not accept the delegation token that it has made"
    assert forgotten == ("alice",)


def streaming(login, clock, tasks, *, seconds):
    """What a stream of a beat every ten seconds brings, and how a socket beside it ends."""

    async def beats(_request):
        async def pieces():
            for _ in range(seconds // 10):
                await tasks.sleep(10_000)
                yield b"."

        return Response(pieces=pieces())

    def socket(_request):
        async def run(socket):
            await tasks.sleep(seconds * 1000)

        return Response(status=101, upgrade=Upgrade(run, takes_messages=False))

    def tenant(login):
        made = Tenant(login)
        made.router = Router([Route("GET", "/beats", beats), Route("GET", "/socket", socket)])
        return made

    router = LoginRouter(tasks, clock, tenant)

    async def opened(path):
        request = Request("GET", path, headers=bearer(login))
        answer: Any = router.find("GET", path)[0](request)
        return await answer

    return router, opened


class Socket:
    is_over = False
    closed: tuple[int, str] | None = None

    def close(self, code, reason):
        self.is_over, self.closed = True, (code, reason)


async def received(pieces):
    found = b""
    try:
        async for piece in pieces:
            found += piece
    except HttpError as error:
        return len(found), error.status
    return len(found), None


def ends(login, *, after=None, seconds=200):
    """Of a stream and of a socket; `after` so many milliseconds the cluster knows no user more."""
    clock = SimulatedClock()

    async def scenario(tasks):
        router, opened = streaming(login(clock), clock, tasks, seconds=seconds)
        stream, socket = await opened("/beats"), Socket()
        upgrade = (await opened("/socket")).upgrade
        tasks.spawn("socket", upgrade.run(socket))
        if after is not None:
            tasks.spawn("change", forgotten(tasks))
        found = await received(stream.pieces), socket.closed
        await router.close()
        return found

    async def forgotten(tasks):
        await tasks.sleep(after)
        ACCEPTED.clear()

    known = set(ACCEPTED)
    try:
        return run(scenario, clock)
    finally:
        ACCEPTED.update(known)


def expiring(clock):
    login = Login("a", unsigned({"sub": "a", "exp": clock.now_ms() // 1000 + 45}), Kind.BEARER)
    ACCEPTED.add(login)
    return login


def test_a_stream_and_a_socket_end_with_their_token():
    stream, socket = ends(expiring)
    assert stream == (4, 401)
    assert socket == (1008, "the token is over: get another one")


def test_a_stream_and_a_socket_end_a_minute_after_their_password_was_changed():
    stream, socket = ends(lambda _: ALICE, after=65_000)
    assert stream == (11, 401)
    assert socket == (1008, "the cluster does not know this user with this password")


def test_a_stream_and_a_socket_go_on_while_their_login_holds():
    assert ends(lambda _: ALICE) == ((20, None), None)


def test_a_body_that_is_streamed_is_taken_while_its_login_holds():
    clock = SimulatedClock()
    taken: list[bytes] = []
    note = taken.append

    async def take(request):
        async for line in request.stream:
            note(line)
        return Response()

    def tenant(login):
        made = Tenant(login)
        made.router = Router([Route("POST", "/", take)])
        return made

    async def scenario(tasks):
        async def lines():
            yield b"before"
            await tasks.sleep(61_000)
            yield b"behind"

        router = LoginRouter(tasks, clock, tenant)
        request = Request("POST", "/", headers=bearer(expiring(clock)), stream=lines())
        answer: Any = router.find("POST", "/")[0](request)
        with pytest.raises(HttpError, match="the token is over"):
            await answer

    run(scenario, clock)
    assert taken == [b"before"]
