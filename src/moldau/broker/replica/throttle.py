"""How fast bytes may move between copies: to followers, and from directory to directory (KIP-73).

A rate is what was recorded in the last eleven windows of a second, over the time since the oldest
of them began, at least one window. A transfer that finds it above the bound moves nothing; what is
already on its way is not stopped. So a throttle lets one piece through, then nothing until the time
has gone by that the piece may take.

    leader.replication.throttled.rate                  bytes to followers that are not in sync, of
                                                       leader.replication.throttled.replicas
    follower.replication.throttled.rate                bytes from leaders to replicas that are
                                                       behind, of
                                                       follower.replication.throttled.replicas
    replica.alter.log.dirs.io.max.bytes.per.second     bytes from one directory to another
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from math import ceil
from typing import Protocol

from moldau.platform.ports.clock import Clock

__all__ = ["FOREVER", "Throttle", "ThrottleSettings", "Throttles", "is_listed"]

FOREVER = (1 << 63) - 1
"""A bound that is never reached: Kafka's default."""
MS_PER_SECOND = 1000
NS_PER_MS = 1_000_000
EVERY = "*"


class ThrottleSettings(Protocol):
    """The broker's settings that are read here, by Kafka's names."""

    @property
    def leader_replication_throttled_rate(self) -> int: ...
    @property
    def follower_replication_throttled_rate(self) -> int: ...
    @property
    def replica_alter_log_dirs_io_max_bytes_per_second(self) -> int: ...
    @property
    def replication_quota_window_num(self) -> int: ...
    @property
    def replication_quota_window_size_seconds(self) -> int: ...
    @property
    def alter_log_dirs_replication_quota_window_num(self) -> int: ...
    @property
    def alter_log_dirs_replication_quota_window_size_seconds(self) -> int: ...


class Throttle:
    """One bound, and what has moved lately."""

    def __init__(self, clock: Clock, windows: int = 11, window_seconds: int = 1) -> None:
        self.bound = FOREVER
        """Bytes a second."""
        self._clock = clock
        self._windows = windows
        self._window_ms = window_seconds * MS_PER_SECOND
        self._samples: deque[tuple[int, list[int]]] = deque()
        """When each window began, and what was recorded in it."""

    def __repr__(self) -> str:
        bound = "no bound" if not self.is_set else f"{self.bound} bytes a second"
        return f"Throttle({bound})"

    @property
    def is_set(self) -> bool:
        return self.bound < FOREVER

    def record(self, size: int) -> None:
        """So many bytes have moved; counts for a bound that comes later, too."""
        now_ms = self._now_ms()
        self._expire(now_ms)
        if not self._samples or now_ms - self._samples[-1][0] >= self._window_ms:
            self._samples.append((now_ms, [0]))
        self._samples[-1][1][0] += size

    @property
    def is_exceeded(self) -> bool:
        """Whether nothing may move just now."""
        return self.wait_ms() > 0

    def wait_ms(self) -> int:
        """How long nothing may move."""
        if not self.is_set:
            return 0
        now_ms = self._now_ms()
        self._expire(now_ms)
        if not self._samples:
            return 0
        elapsed_ms = max(now_ms - self._samples[0][0], self._window_ms)
        total = sum(sample[0] for _, sample in self._samples)
        if total * MS_PER_SECOND <= self.bound * elapsed_ms:
            return 0
        full_ms = self._windows * self._window_ms
        takes_ms = ceil(total * MS_PER_SECOND / self.bound) if self.bound else full_ms
        return max(min(takes_ms, full_ms) - (now_ms - self._samples[0][0]), 1)

    def _expire(self, now_ms: int) -> None:
        horizon_ms = now_ms - self._windows * self._window_ms
        while self._samples and self._samples[0][0] <= horizon_ms:
            self._samples.popleft()

    def _now_ms(self) -> int:
        return self._clock.monotonic_ns() // NS_PER_MS


class Throttles:
    """The throttles of one broker."""

    def __init__(self, clock: Clock, settings: ThrottleSettings | None = None) -> None:
        self.to_followers = Throttle(clock)
        self.from_leaders = Throttle(clock)
        self.between_directories = Throttle(clock)
        if settings is not None:
            windows = (
                settings.replication_quota_window_num,
                settings.replication_quota_window_size_seconds,
            )
            self.to_followers = Throttle(clock, *windows)
            self.from_leaders = Throttle(clock, *windows)
            self.between_directories = Throttle(
                clock,
                settings.alter_log_dirs_replication_quota_window_num,
                settings.alter_log_dirs_replication_quota_window_size_seconds,
            )
            self.take(settings)

    def take(self, settings: ThrottleSettings) -> None:
        """These bounds from now on; windows stay as they were at the start."""
        self.to_followers.bound = settings.leader_replication_throttled_rate
        self.from_leaders.bound = settings.follower_replication_throttled_rate
        bound = settings.replica_alter_log_dirs_io_max_bytes_per_second
        self.between_directories.bound = bound


def is_listed(throttled: Collection[str], partition: int, broker_id: int) -> bool:
    """Whether a topic's list of throttled replicas names this one: `partition:broker`, or all."""
    return EVERY in throttled or f"{partition}:{broker_id}" in throttled
