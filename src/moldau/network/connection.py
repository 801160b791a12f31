"""One connection: bytes in, frames to their handler, answers out, in order.

    reading ──frame──► busy: answer due ──► answered ──► unsent? ──► muted? ──► reading
                                                          wait        wait

One request of a connection is in work at a time, and one answer at a time is unsent, as in Kafka:
that keeps answers in the order of requests, and a slow reader costs us one answer. What a client
has sent ahead waits in the socket; what came along with the frame in work waits in `unfinished`, at
most a shared buffer full.

An answer that waits for other nodes can be set aside: then the frames that come next are taken, as
long as they are of the same API, and every answer leaves in its frame's turn. Kafka takes none of
them. So a producer with five requests under way has all five replicated together, where Kafka
replicates one after the other.

Answers to small requests that came together leave together, with one call to the system.

The link is paused only when bytes arrive while the connection is busy. Most clients send none
before they are answered, and two changes to the loop's selector for every request cost more than
anything else here.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct as Packer
from typing import Final, TypeAlias

from moldau.network.owed import OwedAnswer, OwedAnswers, Parts
from moldau.network.principal import ANONYMOUS, Principal
from moldau.network.receiving import Receiving
from moldau.network.software import Software
from moldau.network.unfinished import NOTHING, Unfinished
from moldau.platform.buffers import Buffer
from moldau.platform.ports.network import Address, FilePart, Link
from moldau.protocol.wire.frame import SIZE_BYTES

__all__ = ["Connection", "FrameHandler"]

SMALL_BYTES: Final = 4096
"""What is taken in at a time while room is short."""
TURN_FRAMES_MAX: Final = 32
"""In one turn (`Receiving.turn_ns`): the shortest take 20 us, and their answers are gathered."""
TOGETHER_BYTES_MAX: Final = 4096
"""An answer up to this size may wait for those to the frames that came along with its own."""

_SIZE: Final = Packer(">i")


class Connection:
    """The owner of one accepted link."""

    __slots__ = (
        "_answer_is_due", "_gathered", "_handle", "_is_gathering", "_is_muted", "_is_paused",
        "_is_taking", "_lost", "_mute_ms", "_owed", "_receiving", "_unfinished", "_unsent_before",
        "active_ns", "frame_bytes_max", "is_busy", "is_over", "link", "listener", "number", "peer",
        "principal", "software",
    )  # fmt: skip

    def __init__(
        self,
        link: Link,
        receiving: Receiving,
        handle: FrameHandler,
        lost: Callable[[Connection], None],
        *,
        number: int = 0,
        listener: str = "PLAINTEXT",
    ) -> None:
        self.link = link
        self.peer: Address = link.peer
        self.number = number
        """Unique in this process, never reused."""
        self.listener = listener
        self.principal: Principal = ANONYMOUS
        self.software = Software()
        self.active_ns = receiving.clock.monotonic_ns()
        """When bytes last came or an answer last went."""
        self.frame_bytes_max = receiving.frame_bytes_max
        """A larger claim closes the connection; less is taken before a login."""
        self.is_busy = False
        """Takes no frame: one is in work, its answer unsent, or the connection muted."""
        self.is_over = False
        """It is lost or given up: nothing is taken or answered any more."""
        self._receiving = receiving
        self._handle = handle
        self._lost = lost
        self._answer_is_due = False
        self._mute_ms = 0
        self._is_muted = False
        self._is_paused = False
        self._is_taking = False
        self._is_gathering = False
        self._gathered: list[Buffer] = []
        """Answers that leave when the frames that are here have been taken."""
        self._unfinished: Unfinished | None = None
        """None where every byte that came has been taken."""
        self._unsent_before = 0
        self._owed: OwedAnswers | None = None
        """None where no answer is set aside."""

    def __repr__(self) -> str:
        state = "over" if self.is_over else "busy" if self.is_busy else "reading"
        return f"<Connection {self.number} {self.link.peer} on {self.listener}: {state}>"

    @property
    def is_idle(self) -> bool:
        """Nothing is in work, and no answer owed."""
        return not self.is_busy and self._owed is None

    @property
    def is_unfinished(self) -> bool:
        """A frame has begun to come, there is room for more of it, and it is its peer's turn."""
        unfinished = self._unfinished
        return unfinished is not None and unfinished.frame is not None and not unfinished.lacks_room

    def look(self, now_ns: int) -> bool:
        """Whether the peer takes nothing of its answer; one that has taken some counts as active.

        Asked from time to time, since a link does not report while there is more to send.
        """
        unsent, before = self.link.unsent, self._unsent_before
        self._unsent_before = unsent
        if unsent != before:
            self.active_ns = now_ns
        return bool(unsent) and unsent == before

    # what the link calls

    def readable(self) -> None:
        unfinished = self._unfinished
        if self.is_busy or (unfinished is not None and unfinished.lacks_room):
            self._pause()
            return
        # hot: 1.1 us from the link to the handler and back for a frame that came alone and whole.
        receiving = self._receiving
        self.active_ns = receiving.now_ns()
        view, shared, start = receiving.view, receiving.shared, 0
        if unfinished is not None:
            if unfinished.frame is not None:
                self._fill(unfinished, unfinished.frame)
                return
            early = unfinished.take_early()
            start = len(early)
            view[:start] = early
        if receiving.budget.is_short:
            view = view[:SMALL_BYTES]
        end = start + self.link.receive_into(view[start:] if start else view)
        if (
            end > SIZE_BYTES
            and self._owed is None
            and (shared[0] << 24 | shared[1] << 16 | shared[2] << 8 | shared[3]) == end - SIZE_BYTES
            and end - SIZE_BYTES <= self.frame_bytes_max
        ):
            self._is_taking = True
            self._begin(view[SIZE_BYTES:end])
            self._is_taking = False
        elif end:
            self._take(view[:end])

    def all_sent(self) -> None:
        if not self._answer_is_due:
            self._settle()

    def lost(self, reason: str) -> None:
        self.is_over = self.is_busy = True
        self._owed = None
        unfinished, self._unfinished = self._unfinished, None
        if unfinished is not None:
            unfinished.drop()
        self._lost(self)

    # what the handler calls

    def reply(self, *parts: Buffer | FilePart, mute_ms: int = 0) -> None:
        """Send the answer to the frame in work; whole, with its size before it."""
        only = parts[0] if len(parts) == 1 else None
        if isinstance(only, bytes):
            self.reply_bytes(only, mute_ms)
        elif self._owed is not None:
            self._reply_in_turn(self._owed, parts, mute_ms)
        elif not self.is_over:
            self._send(parts)
            self.done(mute_ms)

    def reply_bytes(self, answer: bytes, mute_ms: int) -> None:
        """The same for an answer that is one."""
        # hot: nearly every answer.
        if self.is_over:
            return
        if self._owed is not None:
            self._reply_in_turn(self._owed, (answer,), mute_ms)
            return
        if self._is_gathering and len(answer) <= TOGETHER_BYTES_MAX:
            self._gathered.append(answer)
        else:
            if self._gathered:
                self._send_gathered()
            self.link.send(answer)
        self.done(mute_ms)

    def _send_gathered(self) -> None:
        if self._gathered:
            answers, self._gathered = self._gathered, []
            self.link.send(b"".join(answers))

    def _send(self, parts: Parts) -> None:
        """Buffers that follow each other go in one call."""
        self._send_gathered()
        link = self.link
        run: list[Buffer] = []
        for part in parts:
            if isinstance(part, (bytes, bytearray, memoryview)):  # `|` is made each time
                run.append(part)
            else:
                link.send_file(part.file, part.position, part.size, run)
                run = []
        link.send(*run)

    def done(self, mute_ms: int = 0) -> None:
        """The frame in work needs no answer, or none any more; go on after `mute_ms`."""
        self._answer_is_due = False
        self._mute_ms = mute_ms
        if self._unfinished is not None:
            self._release(self._unfinished)
        self._settle()

    # answers that are set aside

    def set_aside(self, api_key: int) -> OwedAnswer | None:
        """The answer to the frame in work, of this API, waits for others: go on with the next.

        It is one that is sent. When it is known, this place goes to `resume` before `reply` is
        called. None where as many wait as may.
        """
        if self.is_over:
            return None
        owed = self._owed
        if owed is None:
            owed = self._owed = OwedAnswers(api_key)
        place = owed.set_aside()
        if place is not None:
            self.done()
        return place

    def resume(self, place: OwedAnswer) -> None:
        """The next call of `reply` is for this one."""
        if self._owed is not None:
            self._owed.resume(place)

    def _reply_in_turn(self, owed: OwedAnswers, parts: Parts, mute_ms: int) -> None:
        if owed.put(parts, mute_ms) and not self.is_over:
            self._send_owed(owed)

    def _send_owed(self, owed: OwedAnswers) -> None:
        """What is known and has its turn; then what has waited for the last of them."""
        known = owed.take_known()
        if known:
            self._send(known)
        if self.is_over or not owed.is_empty:
            return
        self._owed = None
        if owed.ends:
            self.end()
        elif owed.behind is not None:
            self._send(owed.behind)
            self.done(owed.behind_mute_ms)
        elif owed.frame_waits:
            self._settle()

    def _may_take(self, frame: memoryview) -> bool:
        """Whether it may be in work while answers before its own are not known; else it waits."""
        owed = self._owed
        if owed is None:
            return True
        if self.link.unsent:
            self.is_busy = True
            return False
        if owed.may_be_passed_by(frame):
            return True
        self.is_busy = owed.frame_waits = True
        return False

    def hand_over(self, handle: FrameHandler) -> None:
        """From now on that one takes the frames: a step of a login, or what follows it."""
        self._handle = handle

    def end_in_turn(self, *, is_abrupt: bool = False) -> None:
        """End the connection in the place of the answer to the frame in work.

        Answers before it leave first; without them, what is unsent is dropped if `is_abrupt`.
        """
        owed = self._owed
        if owed is not None and owed.is_frames_turn:
            owed.ends = True
        elif is_abrupt:
            self.abort()
        else:
            self.end()

    # what its owner calls, too

    def end(self) -> None:
        """Send what is unsent, then end the connection; what is owed is never sent."""
        self.is_over = self.is_busy = True
        self._send_gathered()
        self.link.close()

    def abort(self) -> None:
        self.is_over = self.is_busy = True
        self._send_gathered()
        self.link.abort()

    # what its owner decides when it comes

    def hold_back(self) -> None:
        """Read nothing before `welcome`."""
        self.is_busy = True

    def welcome(self) -> None:
        """Reading from a connection that was held back goes on."""
        self._go_on()

    # frames

    def _take(self, view: memoryview) -> None:
        """Hand on every whole frame, until one has to be waited for."""
        self._is_taking = self._is_gathering = True
        position, end, taken, is_tired = 0, len(view), 0, False
        clock = self._receiving.clock
        tired_ns = clock.monotonic_ns() + self._receiving.turn_ns
        while not (self.is_busy or is_tired) and end - position >= SIZE_BYTES:
            (size,) = _SIZE.unpack_from(view, position)
            stop = position + SIZE_BYTES + size
            if not 0 <= size <= self.frame_bytes_max:
                if self._may_take(NOTHING):
                    self._receiving.refusals.refuse(self, view[position:])
            elif stop > end or not self._may_take(view[position + SIZE_BYTES : stop]):
                break
            else:
                self._begin(view[position + SIZE_BYTES : stop])
                position = stop
                taken += 1
                is_tired = taken == TURN_FRAMES_MAX or clock.monotonic_ns() >= tired_ns
        self._is_taking = self._is_gathering = False
        self._send_gathered()
        self._rest(is_tired=is_tired and position < end)
        if position < end and not self.is_over:
            self._keep(view[position:], is_first=not position)

    def _rest(self, *, is_tired: bool) -> None:
        """Take no more before the answers are sent, or before others have had their turn."""
        if self.is_busy or self.is_over:
            return
        if self.link.unsent:
            self.is_busy = True
        elif is_tired:
            self.is_busy = True
            self._receiving.in_turn(self._go_on)

    def _begin(self, frame: memoryview) -> None:
        self.is_busy = self._answer_is_due = True
        self._handle(self, frame)

    def _keep(self, rest: memoryview, *, is_first: bool) -> None:
        """Bytes that came too early, or the beginning of a frame."""
        unfinished = self._unfinished
        if unfinished is None:
            unfinished = self._unfinished = Unfinished(self._receiving, self._resume)
        if self.is_busy or len(rest) < SIZE_BYTES:
            unfinished.put_off(rest)
        else:
            unfinished.begin(rest, is_first=is_first)

    def _fill(self, unfinished: Unfinished, memory: bytearray) -> None:
        """More of a frame has come; it is taken once it is whole."""
        if not unfinished.receive(self.link):
            return
        unfinished.frame = None
        end = unfinished.wanted  # no view of the frame has a name here: it would not be free below
        if not self._may_take(memoryview(memory)[SIZE_BYTES:end]):
            self._release(unfinished)
            self._keep(memoryview(memory)[:end], is_first=False)
        else:
            self._is_taking = True
            self._begin(memoryview(memory)[SIZE_BYTES:end])
            self._is_taking = False
        self._receiving.keep(memory)

    # going on

    def _settle(self) -> None:
        """Once the answer is sent and the time of muting is over, read again."""
        if self.is_over or self.link.unsent:
            return
        if self._is_taking and not self._mute_ms:
            self.is_busy = False  # hot: nearly always; what took this frame looks what is next
            return
        if self._mute_ms:
            mute_ms, self._mute_ms = self._mute_ms, 0
            self._is_muted = True
            self._receiving.tasks.after(mute_ms, self._unmute)
        else:
            self._go_on()

    def _unmute(self) -> None:
        self._is_muted = False
        self._go_on()

    def _go_on(self) -> None:
        """Unless a frame is in work since, or the connection muted: an owed answer may have left
        while it was."""
        if self.is_over or self._answer_is_due or self._is_muted:
            return
        self.is_busy = False
        if self._owed is not None:
            self._owed.frame_waits = False
        unfinished = self._unfinished
        if unfinished is not None and unfinished.early:
            early = unfinished.take_early()
            self._release(unfinished)
            self._take(early)
        if not self.is_busy:
            self._resume()

    def _pause(self) -> None:
        if not self._is_paused:
            self._is_paused = True
            self.link.pause()

    def _resume(self) -> None:
        if self._is_paused and not self.is_over:
            self._is_paused = False
            self.link.resume()

    def _release(self, unfinished: Unfinished) -> None:
        """The frame is done with; what came behind it is still here."""
        if not unfinished.release():
            self._unfinished = None


FrameHandler: TypeAlias = Callable[[Connection, memoryview], None]
"""Takes each frame, without its size; answers by `reply`, `done` or `end_in_turn`.

The frame is gone when the call returns, unless it is copied.
"""
