"""Token buckets: how fast a service and a host may be asked. One of each a process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Bucket:
    """A token bucket: `rate` requests a second on average, at most `burst` at once."""

    def __init__(
        self,
        rate: float,
        burst: int = 1,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ):
        if rate <= 0 or burst < 1:
            raise ValueError("a bucket needs a rate above 0 and a burst of at least 1")
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self.sleep = sleep
        self._tokens = float(burst)
        self._seen = clock()
        self._lock = threading.Lock()

    def take(self) -> float:
        """Wait for one token and take it. Returns the seconds waited."""
        waited = 0.0
        while (wait := self.try_take()) > 0:
            self.sleep(wait)
            waited += wait
        return waited

    def try_take(self) -> float:
        """Take a token if there is one (0), else say how many seconds until there is."""
        with self._lock:
            now = self.clock()
            self._tokens = min(float(self.burst), self._tokens + (now - self._seen) * self.rate)
            self._seen = max(self._seen, now)
            if self._tokens >= 1 - 1e-9:
                self._tokens -= 1
                return 0.0
            return (1 - self._tokens) / self.rate

    def pause(self, seconds: float) -> None:
        """No token for so many seconds (the service said so)."""
        with self._lock:
            self._tokens = min(self._tokens, 1 - seconds * self.rate)
            self._seen = self.clock()


class Pacer:
    """The buckets of one process, by name of service or host."""

    def __init__(self) -> None:
        self._buckets: dict[str, Bucket] = {}
        self._lock = threading.Lock()

    def bucket(self, name: str, make: Callable[[], Bucket]) -> Bucket:
        """The bucket of this name, made when first asked for."""
        with self._lock:
            if name not in self._buckets:
                self._buckets[name] = make()
            return self._buckets[name]

    def forget(self) -> None:
        """Begin anew (tests)."""
        with self._lock:
            self._buckets.clear()


PACER = Pacer()
