"""A broker's life, in conversations with a controller that answers from a list."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moldau.broker.metadata.cluster import BrokerState, Endpoint
from moldau.broker.metadata.features import (
    METADATA_VERSION,
    METADATA_VERSION_UNSTABLE,
    TRANSACTION_VERSION,
)
from moldau.broker.metadata.image import EMPTY_IMAGE
from moldau.broker.metadata.settings import Features
from moldau.broker.server.lifecycle import Incarnation, Lifecycle, RegistrationFailedError
from moldau.errors import KafkaError
from moldau.platform.ports.tasks import Tasks
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.protocol.messages.broker.broker_heartbeat import (
    BrokerHeartbeatRequest,
    BrokerHeartbeatResponse,
)
from moldau.protocol.messages.broker.broker_registration import BrokerRegistrationResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import KnownMetadata

ME = Incarnation(
    broker_id=1,
    cluster_id="c",
    incarnation_id=b"i" * 16,
    endpoints=[Endpoint("PLAINTEXT", "host", 9092, 0)],
    log_dirs=[b"d" * 16],
    previous_epoch=7,
)
SILENCE = "no answer comes"


class Controller(KnownMetadata):
    """Answers from the list, the last answer for ever."""

    tasks: Tasks

    async def ask(self, request, call):
        self.asked.append(request)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return await self.tasks.promise().wait() if answer is SILENCE else answer


def registered(epoch, error=0):
    return BrokerRegistrationResponse(throttle_time_ms=0, error_code=error, broker_epoch=epoch)


def heartbeat(fenced=False, may_go=False, error=0):
    return BrokerHeartbeatResponse(
        throttle_time_ms=0, error_code=error, is_fenced=fenced, should_shut_down=may_go
    )


def live(main, *answers, when_registered=lambda epoch: None):
    """Run `main(lifecycle)` against these answers; its result and what was asked."""

    async def begin(tasks):
        controller = Controller(answers=answers)
        controller.tasks = tasks
        lifecycle = Lifecycle(
            ME,
            controller,
            tasks,
            heartbeat_ms=2000,
            registration_timeout_ms=1000,
            when_registered=when_registered,
        )
        return await main(lifecycle, tasks), controller.asked

    return simulated_tasks.run(begin)


def test_a_broker_introduces_itself_and_gets_its_epoch():
    async def main(lifecycle, tasks):
        return await lifecycle.register()

    epoch, (request,) = live(main, registered(42))
    assert epoch == 42
    assert [(one.name, one.host, one.port) for one in request.listeners] == [
        ("PLAINTEXT", "host", 9092)
    ]
    assert (request.log_dirs, request.previous_broker_epoch) == ([b"d" * 16], 7)
    assert "metadata.version" in {feature.name for feature in request.features}


@pytest.mark.parametrize(
    "reason",
    [
        KafkaError(ErrorCode.NOT_CONTROLLER, "not yet"),
        KafkaError(ErrorCode.DUPLICATE_BROKER_REGISTRATION, "another"),
        registered(-1, ErrorCode.DUPLICATE_BROKER_REGISTRATION),
    ],
)
def test_a_broker_that_is_refused_tries_again(reason):
    async def main(lifecycle, tasks):
        return await lifecycle.register()

    epoch, asked = live(main, reason, registered(42))
    assert (epoch, len(asked)) == (42, 2)


def test_a_refusal_that_comes_again_and_again_is_logged_once(caplog):
    async def main(lifecycle, tasks):
        with pytest.raises(RegistrationFailedError):
            await lifecycle.register()

    _, asked = live(main, KafkaError(ErrorCode.DUPLICATE_BROKER_REGISTRATION, "of this id"))
    assert len(asked) > 5
    assert caplog.messages == ["Another broker 1 is alive: of this id"]


def test_a_broker_with_fewer_features_than_the_cluster_says_what_it_lacks_and_gives_up(caplog):
    levels = {METADATA_VERSION: METADATA_VERSION_UNSTABLE, TRANSACTION_VERSION: 2}
    used = replace(EMPTY_IMAGE, features=Features(levels))

    async def main(lifecycle, tasks):
        lifecycle._metadata.image = used
        with pytest.raises(RegistrationFailedError, match="1000 ms; metadata"):
            await lifecycle.register()

    live(main, KafkaError(ErrorCode.UNSUPPORTED_VERSION, "not that"))
    assert len(caplog.messages) == 1
    assert "metadata.version is 31 there, and 7 to 30 are supported here; start" in caplog.text


def test_a_broker_that_is_not_taken_gives_up_with_a_sentence():
    async def main(lifecycle, tasks):
        with pytest.raises(RegistrationFailedError, match="1000 ms"):
            await lifecycle.register()

    live(main, KafkaError(ErrorCode.NOT_CONTROLLER, "never"))


def test_a_heartbeat_that_is_never_answered_is_sent_anew_after_a_session():
    async def main(lifecycle, tasks):
        await lifecycle.register()
        await lifecycle.unfence()
        return lifecycle.is_fenced

    is_fenced, asked = live(main, registered(42), SILENCE, SILENCE, heartbeat())
    assert (is_fenced, len(asked)) == (False, 4)


def test_a_broker_asks_until_it_is_unfenced_and_then_says_that_it_lives():
    async def main(lifecycle, tasks):
        await lifecycle.register()
        await lifecycle.unfence()
        first = repr(lifecycle)
        await tasks.sleep(5000)
        await lifecycle.leave(1000)
        return first

    state, asked = live(
        main,
        registered(42),
        heartbeat(fenced=True),
        heartbeat(),
        heartbeat(),
        heartbeat(),
        heartbeat(may_go=True),
    )
    assert state == "Lifecycle(broker 1, epoch 42, serving)"
    assert [request.want_shut_down for request in asked[1:]] == [False] * 4 + [True]


@pytest.mark.parametrize(
    ("broker_id", "change", "heartbeats"),
    [
        (1, {"fenced": True}, 2),
        (2, {"in_controlled_shutdown": True}, 2),
        (2, {"fenced": True}, 1),
        (1, {}, 1),
    ],
)
def test_a_heartbeat_that_others_wait_for_is_sent_at_once(broker_id, change, heartbeats):
    async def main(lifecycle, tasks):
        await lifecycle.register()
        await lifecycle.unfence()
        changed = BrokerState(broker_id, 42, bytes(16), {}, **{"fenced": False, **change})
        lifecycle.brokers_changed({broker_id: changed, 3: None})
        await tasks.sleep(1000)

    _, asked = live(main, registered(42), heartbeat())
    assert sum(isinstance(one, BrokerHeartbeatRequest) for one in asked) == heartbeats


def test_a_broker_leaves_when_it_is_let_go():
    async def main(lifecycle, tasks):
        await lifecycle.register()
        return await lifecycle.leave(1000)

    left, asked = live(main, registered(42), heartbeat(), heartbeat(may_go=True))
    assert (left, len(asked)) == (True, 3)


def test_a_broker_that_is_not_released_goes_in_the_end():
    async def main(lifecycle, tasks):
        await lifecycle.register()
        return await lifecycle.leave(1000)

    assert live(main, registered(42), heartbeat())[0] is False


def test_a_broker_waits_five_seconds_for_an_answer_and_then_goes():
    async def begin(tasks):
        class Silent(Controller):
            async def ask(self, request, call):
                if isinstance(request, BrokerHeartbeatRequest):
                    await tasks.sleep(60_000)
                return await super().ask(request, call)

        lifecycle = Lifecycle(ME, Silent(answers=[registered(42)]), tasks)
        await lifecycle.register()
        await tasks.sleep(1)
        ticking: list[None] = []
        tasks.spawn("clock", _tick(tasks, ticking))
        await tasks.sleep(500)
        begun = len(ticking)
        return await lifecycle.leave(30_000), len(ticking) - begun

    left, seconds = simulated_tasks.run(begin)
    assert (left, seconds) == (False, 5)


def test_a_broker_goes_as_soon_as_a_majority_of_the_voters_has_ended():
    async def begin(tasks):
        silent = Controller(answers=[registered(42), SILENCE])
        silent.tasks = tasks
        looks: list[bool] = []

        async def majority_has_ended():
            looks.append(len(looks) == 3)
            return looks[-1]

        lifecycle = Lifecycle(ME, silent, tasks, majority_has_ended=majority_has_ended)
        await lifecycle.register()
        await tasks.sleep(1)
        ticking: list[None] = []
        tasks.spawn("clock", _tick(tasks, ticking))
        return await lifecycle.leave(30_000), len(ticking), len(looks)

    assert simulated_tasks.run(begin) == (False, 1, 4)


async def _tick(tasks, ticking):
    for _ in range(20):
        ticking.append(None)
        await tasks.sleep(1000)


def test_a_broker_that_never_registered_has_no_controller_to_ask():
    async def main(lifecycle, tasks):
        return await lifecycle.leave(1000)

    assert live(main, heartbeat()) == (False, [])


def test_a_broker_whose_epoch_is_stale_twice_registers_again():
    async def main(lifecycle, tasks):
        await lifecycle.register()
        await lifecycle.unfence()
        await lifecycle.leave(1000)
        return lifecycle.epoch

    stale = KafkaError(ErrorCode.STALE_BROKER_EPOCH, "stale")
    answers = registered(42), stale, stale, registered(43), heartbeat(), heartbeat(may_go=True)
    seen: list[int] = []
    epoch, _ = live(main, *answers, when_registered=seen.append)
    assert epoch == 43
    assert seen == [42, 43]


def test_a_broker_that_was_unregistered_stays_out_and_its_log_has_the_remedy_once(caplog):
    async def main(lifecycle, tasks):
        await lifecycle.register()
        await lifecycle.unfence()
        lifecycle._metadata.image = replace(EMPTY_IMAGE, offset=50)
        await tasks.sleep(10_000)
        async with tasks.deadline(1):
            await lifecycle.leave(30_000)
        return lifecycle.epoch

    stale = KafkaError(ErrorCode.STALE_BROKER_EPOCH, "stale")
    epoch, asked = live(main, registered(42), heartbeat(), stale)
    assert epoch == 42
    assert sum(isinstance(one, BrokerHeartbeatRequest) for one in asked) == 5
    assert len(asked) == 6, "it registered again"
    (message,) = [one.message for one in caplog.records if "unregistered" in one.message]
    assert "start it anew" in message
