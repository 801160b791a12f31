"""One connection to a broker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from moldau.errors import NetworkError
from moldau.network.outgoing.peer import Peer
from moldau.platform.ports.network import Address, Link
from moldau.protocol.messages.headers import RequestHeader
from moldau.protocol.messages.topic.metadata import MetadataRequest, MetadataResponse
from moldau.protocol.wire.compile import decode, encode
from moldau.protocol.wire.frame import request_header_version
from tests.client.aio.scripted_broker import PORT, ScriptedCluster, in_cluster
from tests.client.answers import metadata

WHERE = Address("b1", PORT)
METADATA = metadata({"t": {0: (1, 3)}})
QUESTION = MetadataRequest(topics=None)
BROKER = Address("", PORT)


async def reach(cluster: ScriptedCluster) -> Peer:
    made = []

    def take_over(link):
        made.append(Peer(link, WHERE, "me", cluster.tasks))
        return made[0]

    await cluster.world.network.connect(WHERE, take_over)
    return made[0]


def ask(peer: Peer):
    return peer.ask(QUESTION, 12, MetadataResponse).wait()


class Says:
    """The other end: sends these bytes for whatever comes."""

    def __init__(self, link: Link, answer: Callable[[bytes], bytes]) -> None:
        self._link = link
        self._answer = answer

    def readable(self) -> None:
        room = bytearray(1000)
        size = self._link.receive_into(room)
        if size:
            self._link.send(self._answer(bytes(room[:size])))

    def all_sent(self) -> None: ...

    def lost(self, reason: str) -> None: ...


def reason_for(answer: Callable[[bytes], bytes]) -> str:
    """How a question ends that is answered like this."""

    async def main(cluster: ScriptedCluster) -> str:
        host = cluster.around.host("b1")
        await host.listen(BROKER, lambda link: Says(link, answer))
        peer = await reach(cluster)
        with pytest.raises(NetworkError) as caught:
            await ask(peer)
        assert peer.is_over
        return str(caught.value)

    reason: str = in_cluster(main)
    return reason


def frame(body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + body


def test_answers_come_to_their_questions_in_order():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1")
        counts = iter(range(1, 4))
        broker.script[MetadataRequest] = lambda _: metadata({}, brokers=next(counts))
        peer = await reach(cluster)
        promises = [ask(peer) for _ in range(3)]
        bodies = [await promise for promise in promises]
        return [len(decode(MetadataResponse, 12, body).brokers) for body in bodies]

    assert in_cluster(main) == [1, 2, 3]


def test_an_answer_larger_than_a_window_arrives_whole():
    async def main(cluster: ScriptedCluster):
        many = metadata({f"topic-{number}": {0: (1, 3)} for number in range(5000)})
        await cluster.broker("b1", {MetadataRequest: lambda _: many})
        return bytes(await ask(await reach(cluster))) == encode(many, 12)

    assert in_cluster(main)


def large(number: int):
    """An answer that is worth its memory, and another for each number."""
    return metadata({f"topic-{number}-{index}": {0: (1, 3)} for index in range(10_000)})


def small(number: int):
    return metadata({f"topic-{number}": {0: (1, 3)}})


@pytest.mark.parametrize(
    ("sizes", "holds", "is_same"),
    [
        ([large, large], False, True),
        ([large, large], True, False),
        ([large, small, large], False, False),
    ],
)
def test_memory_of_a_large_answer_is_taken_for_the_next_unless_it_is_still_read(
    sizes, holds, is_same
):
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1")
        answers = [size(number) for number, size in enumerate(sizes)]
        coming = iter(answers)
        broker.script[MetadataRequest] = lambda _: next(coming)
        peer = await reach(cluster)
        first = await ask(peer)
        memory = first.obj
        contents = bytes(first)
        if not holds:
            del first
        for _ in sizes[1:-1]:
            await ask(peer)
        last = await ask(peer)
        if holds:
            assert bytes(first) == contents == encode(answers[0], 12)
        assert bytes(last) == encode(answers[-1], 12)
        return last.obj is memory

    assert in_cluster(main) == is_same


def test_a_connection_that_ends_is_reported_to_all_that_wait():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1")
        peer = await reach(cluster)
        promises = [ask(peer), ask(peer)]
        await cluster.tasks.sleep(10)
        broker.links[0].abort()
        for promise in promises:
            with pytest.raises(NetworkError, match="b1:9092: the connection ended"):
                await promise
        with pytest.raises(NetworkError, match="is over"):
            await ask(peer)

    in_cluster(main)


def test_a_broker_that_ends_a_connection_at_its_beginning_may_want_tls_or_sasl():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1", {MetadataRequest: lambda _: METADATA})
        hinted = []
        for answers in range(3):
            peer = await reach(cluster)
            for _ in range(answers):
                await ask(peer)
            promise = ask(peer)
            broker.links[-1].abort()
            with pytest.raises(NetworkError) as caught:
                await promise
            hinted.append("want TLS or SASL?" in str(caught.value))
        return hinted

    assert in_cluster(main) == [True, True, False]


def test_who_gives_up_says_why():
    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1")
        peer = await reach(cluster)
        promise = ask(peer)
        assert str(peer) == "<Peer b1:9092: 1 unanswered>"
        peer.abort("enough")
        with pytest.raises(NetworkError, match="enough"):
            await promise

    in_cluster(main)


def test_what_claims_to_be_huge_is_no_broker():
    assert "plain listener" in reason_for(lambda _: b"HTTP/1.1 400 Bad Request")


def test_an_answer_to_another_question_ends_the_connection():
    assert "mixed up" in reason_for(lambda _: frame((77).to_bytes(4, "big") + b"\x00"))


def test_an_answer_without_a_header_ends_the_connection():
    assert "ResponseHeader" in reason_for(lambda _: frame(b"\x00\x00\x00\x01"))


def test_an_answer_without_a_question_ends_the_connection():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1")
        peer = await reach(cluster)
        await cluster.tasks.sleep(10)
        broker.links[0].send(frame(bytes(9)))
        await cluster.tasks.sleep(10)
        return peer.is_over

    assert in_cluster(main)


def test_answers_are_cut_apart_wherever_a_piece_of_them_ends():
    """Small and large ones, two in a piece, and pieces that end within a size."""

    async def main(cluster: ScriptedCluster, piece_size: int):
        numbers = (1, 60, 200, 2, 3)
        bodies = [encode(metadata({f"t-{i}": {0: (1, 3)} for i in range(n)}), 12) for n in numbers]
        assert min(map(len, bodies)) < piece_size < max(map(len, bodies))
        frames = [
            frame(number.to_bytes(4, "big") + b"\0" + body)
            for number, body in enumerate(bodies, start=1)
        ]
        flow = b"".join(frames)
        links: list[Link] = []

        class Waits(Says):
            def readable(self) -> None:
                while self._link.receive_into(bytearray(1000)):
                    pass

        def take_over(link):
            links.append(link)
            return Waits(link, lambda _: b"")

        await cluster.around.host("b1").listen(BROKER, take_over)
        peer = await reach(cluster)
        promises = [ask(peer) for _ in bodies]
        for start in range(0, len(flow), piece_size):
            links[0].send(flow[start : start + piece_size])
            await cluster.tasks.sleep(1)
        return [bytes(await promise) for promise in promises] == bodies

    for piece_size in (997, 4096, 4099, 6000):
        assert in_cluster(lambda cluster, size=piece_size: main(cluster, size))


class Reads:
    """A reader of bodies that notes how much had come each time."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.body = b""

    def begin(self, version: int) -> None: ...

    def read_on(self, body: memoryview) -> None:
        self.sizes.append(len(body))
        self.body = bytes(body)

    def finish(self, body: memoryview) -> None: ...


def test_a_large_answer_is_read_while_it_comes():
    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1", {MetadataRequest: lambda _: large(1)})
        reads = Reads()
        peer = await reach(cluster)
        body = bytes(await peer.ask(QUESTION, 12, MetadataResponse, reads).wait())
        return reads, body

    reads, body = in_cluster(main)
    assert body == encode(large(1), 12)
    assert len(reads.sizes) > 1
    assert reads.sizes == sorted(set(reads.sizes))
    assert reads.sizes[-1] < len(body)
    assert body.startswith(reads.body)


def test_a_small_answer_is_there_at_once_and_its_reader_is_not_called():
    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1", {MetadataRequest: lambda _: small(1)})
        reads = Reads()
        await (await reach(cluster)).ask(QUESTION, 12, MetadataResponse, reads).wait()
        return reads.sizes

    assert in_cluster(main) == []


def test_nothing_is_read_of_an_answer_to_another_question():
    async def main(cluster: ScriptedCluster):
        reads = Reads()
        mixed_up = (77).to_bytes(4, "big") + bytes(100_000)
        host = cluster.around.host("b1")
        await host.listen(BROKER, lambda link: Says(link, lambda _: frame(mixed_up)))
        peer = await reach(cluster)
        with pytest.raises(NetworkError, match="its answers are mixed up"):
            await peer.ask(QUESTION, 12, MetadataResponse, reads).wait()
        return reads.sizes

    assert in_cluster(main) == []


class SentLink:
    """A link that keeps what is sent."""

    peer = WHERE
    unsent = 0

    def __init__(self) -> None:
        self.sent = b""

    def send(self, *buffers: bytes) -> None:
        self.sent += b"".join(buffers)


@pytest.mark.parametrize("client_id", [None, "", "me", "名" * 40])
@pytest.mark.parametrize("version", [4, 12])
def test_a_request_has_the_header_that_the_codec_makes(client_id, version):
    async def main(cluster: ScriptedCluster):
        link: Any = SentLink()
        peer = Peer(link, WHERE, client_id, cluster.tasks)
        for _ in range(2):
            peer.send_one_way(QUESTION, version)
        return link.sent

    wanted = b""
    for number in (1, 2):
        header = RequestHeader(
            request_api_key=MetadataRequest.KEY,
            request_api_version=version,
            correlation_id=number,
            client_id=client_id,
        )
        flexible = request_header_version(MetadataRequest, version)
        wanted += frame(encode(header, flexible) + encode(QUESTION, version))
    assert in_cluster(main) == wanted


@pytest.mark.parametrize("tags", [b"\0", b"\1\x07\2ab", b"\2\0\0\5\1x"])
def test_tags_in_the_header_of_an_answer_are_no_part_of_it(tags):
    def answer(asked: bytes) -> bytes:
        return frame(asked[8:12] + tags + encode(METADATA, 12))

    async def main(cluster: ScriptedCluster):
        await cluster.around.host("b1").listen(BROKER, lambda link: Says(link, answer))
        return bytes(await ask(await reach(cluster)))

    assert in_cluster(main) == encode(METADATA, 12)


def test_a_header_whose_tags_are_missing_ends_the_connection():
    assert "no sense in its answer" in reason_for(lambda asked: frame(asked[8:12]))
