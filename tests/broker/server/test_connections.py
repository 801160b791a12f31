"""Who may come, who has to wait, and who is sent away, on a simulated network."""

from __future__ import annotations

from struct import pack

from moldau.broker.server.connections import LOGIN_MS_MAX, SWEEP_MS, Connections
from moldau.network.admission import Limits
from moldau.network.budget import FrameBudget
from moldau.network.receiving import Receiving
from moldau.platform.ports.network import Address
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from tests.network.conversation import Client, framed


class Rates:
    """One address is too quick, and so is one listener."""

    def address_delay_ms(self, host):
        return 300 if host == "hasty" else 0

    def listener_delay_ms(self, listener):
        return 200 if listener == "SLOW" else 0


def serve(main, limits=None, budget=1 << 28, is_serving=True, protect=None, **options):
    """Run `main(tasks, connections, connect)`; every frame is answered by itself."""
    clock = SimulatedClock()

    async def begin(tasks):
        world = SimulatedWorld(tasks, SeededRandom(1))
        receiving = Receiving(clock, tasks, budget=FrameBudget(budget), has_spare=False)
        connections = Connections(world.host("here"), receiving, limits or Limits(), **options)
        if is_serving:
            connections.begin()
        places = {}
        for listener in ("PLAINTEXT", "SLOW"):
            places[listener] = await connections.open(
                listener,
                Address("here", 0),
                lambda connection, frame: connection.reply(framed(bytes(frame))),
                protect=protect,
            )

        async def connect(host="client", listener="PLAINTEXT"):
            clients = []

            def own(link):
                clients.append(Client(link))
                return clients[0]

            await world.host(host).connect(places[listener], own)
            return clients[0]

        result = await main(tasks, connections, connect)
        connections.close()
        return result

    return simulated_tasks.run(begin, clock)


def test_connections_are_counted_while_they_last():
    async def main(tasks, connections, connect):
        first, _second = await connect(), await connect()
        await tasks.sleep(5)
        both = len(connections)
        first.link.close()
        await tasks.sleep(5)
        return both, len(connections), repr(connections), connections.opened

    assert serve(main) == (2, 1, "Connections(1 in, 0 wait)", 2)


def test_one_too_many_from_an_address_is_closed_at_once():
    async def main(tasks, connections, connect):
        first, second, other = await connect(), await connect(), await connect("another")
        await tasks.sleep(5)
        return first.is_over, second.is_over, other.is_over

    assert serve(main, Limits(per_address_max=1)) == (False, True, False)


def test_one_too_many_in_all_is_served_when_another_has_gone():
    async def main(tasks, connections, connect):
        first, second, third = await connect(), await connect(), await connect()
        second.say(b"hello")
        third.link.abort()
        await tasks.sleep(20)
        before = bytes(second.received)
        first.link.close()
        await tasks.sleep(20)
        return before, bytes(second.received), connections.admission.waiting

    assert serve(main, Limits(connections_max=1)) == (b"", framed(b"hello"), 0)


def test_a_limit_that_is_raised_lets_those_in_who_wait():
    async def main(tasks, connections, connect):
        _first, second = await connect(), await connect()
        second.say(b"hello")
        await tasks.sleep(20)
        connections.take_limits(Limits(connections_max=2))
        await tasks.sleep(20)
        return bytes(second.received), len(connections)

    assert serve(main, Limits(connections_max=1)) == (framed(b"hello"), 2)


def test_where_there_are_too_many_in_all_the_longest_silent_go_and_brokers_stay():
    async def main(tasks, connections, connect):
        broker = await connect(listener="SLOW")
        await tasks.sleep(10)
        silent, speaker = await connect(), await connect()
        await tasks.sleep(10)
        speaker.say(b"hello")
        await tasks.sleep(10)
        connections.take_limits(Limits(connections_max=2, protected_listener="SLOW"))
        await tasks.sleep(10)
        after_the_change = [one.is_over for one in (broker, silent, speaker)]
        another = await connect(listener="SLOW")
        await tasks.sleep(10)
        return after_the_change, [one.is_over for one in (broker, another, speaker)]

    assert serve(main) == ([False, True, False], [False, False, True])


def test_a_hasty_address_is_closed_after_a_pause_and_a_hasty_listener_served_after_one():
    async def main(tasks, connections, connect):
        hasty, slow = await connect("hasty"), await connect("client", "SLOW")
        hasty.say(b"me first")
        slow.say(b"and me")
        await tasks.sleep(150)
        early = hasty.is_over, bytes(slow.received)
        await tasks.sleep(300)
        return early, hasty.is_over, bytes(hasty.received), bytes(slow.received)

    assert serve(main, rates=Rates()) == ((False, b""), True, b"", framed(b"and me"))


def test_who_is_silent_too_long_is_sent_away_and_who_speaks_stays():
    async def main(tasks, connections, connect):
        silent, speaker = await connect(), await connect()
        for _ in range(10):
            speaker.say(b"still here")
            await tasks.sleep(2000)
        return silent.is_over, speaker.is_over, connections.expired

    assert serve(main, idle_ms=9000) == (True, False, 1)


def test_where_no_idle_time_is_set_the_silent_stay():
    async def main(tasks, connections, connect):
        silent = await connect()
        await tasks.sleep(10 * SWEEP_MS)
        return silent.is_over

    assert serve(main, idle_ms=-1) is False


def test_who_takes_nothing_of_its_answer_is_sent_away_and_who_takes_it_slowly_stays():
    async def main(tasks, connections, connect):
        stuck, slow = await connect(), await connect()
        stuck.link.pause()
        slow.link.pause()
        for client in (stuck, slow):
            client.say(bytes(2_000_000))
        for _ in range(10):
            await tasks.sleep(2_000)
            slow.link.resume()
            await tasks.sleep(1)
            slow.link.pause()
        return len(connections), stuck.is_over

    assert serve(main, idle_ms=9_000) == (1, True)


def test_a_stalled_frame_is_dropped_when_others_need_its_room():
    async def main(tasks, connections, connect):
        stalled, patient = await connect(), await connect()
        stalled.link.send(pack(">i", 900_000) + bytes(500_000))
        await tasks.sleep(100)
        patient.say(bytes(300_000))
        await tasks.sleep(100)
        before = len(patient.received)
        await tasks.sleep(3 * SWEEP_MS)
        return before, stalled.is_over, len(patient.received)

    assert serve(main, budget=400_000) == (0, True, 300_004)


def test_closing_lets_those_who_are_in_have_their_last_answers():
    async def main(tasks, connections, connect):
        client = await connect()
        client.say(b"one")
        await tasks.sleep(5)
        connections.close()
        await tasks.sleep(5)
        return bytes(client.received), client.is_over, len(connections)

    assert serve(main) == (framed(b"one"), True, 0)


def test_who_comes_before_the_node_serves_is_served_when_it_does():
    async def main(tasks, connections, connect):
        early = await connect()
        early.say(b"am I early")
        await tasks.sleep(20)
        before = bytes(early.received)
        connections.begin()
        await tasks.sleep(20)
        return before, bytes(early.received)

    assert serve(main, is_serving=False) == (b"", framed(b"am I early"))


class Protected:
    """A link whose handshake is over when the test has it so."""

    def __init__(self, link):
        self._link = link
        self.is_protected = False

    def __getattr__(self, name):
        return getattr(self._link, name)


def test_a_handshake_that_does_not_end_costs_its_place():
    links = []

    def protect(take_over):
        def protected(link):
            links.append(Protected(link))
            return take_over(links[-1])

        return protected

    async def main(tasks, connections, connect):
        half, whole = await connect(), await connect()
        await tasks.sleep(5)
        links[1].is_protected = True
        await tasks.sleep(LOGIN_MS_MAX - 5_000)
        early = half.is_over
        await tasks.sleep(5_000 + 2 * SWEEP_MS)
        return early, half.is_over, whole.is_over, len(connections)

    assert serve(main, protect=protect) == (False, True, False, 1)
