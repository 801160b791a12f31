"""A network that can be lost: what is open ends, and nothing new comes through."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class Relay:
    """Hands on bytes both ways, each connection in two threads; use it as a context."""

    def __init__(self, place: str) -> None:
        host, _, port = place.rpartition(":")
        self._target = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._is_lost = False
        self.drops_answers = False
        """Requests arrive, and nothing comes back."""
        self.place = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._threads: list[threading.Thread] = []
        self._accepting = threading.Thread(target=self._accept)
        self._accepting.start()

    def __enter__(self) -> Relay:
        return self

    def __exit__(self, *_: object) -> None:
        self._is_lost = True
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
        self.lose()
        for one in self._threads:
            one.join()

    def lose(self) -> None:
        self._is_lost = True
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def come_back(self) -> None:
        self._is_lost = self.drops_answers = False

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if self._is_lost:
                    near.close()
                    continue
                far = socket.create_connection(self._target)
                self._open += (near, far)
                for ends in ((near, far, False), (far, near, True)):
                    self._threads.append(threading.Thread(target=self._hand_on, args=ends))
                    self._threads[-1].start()

    def _hand_on(self, source: socket.socket, target: socket.socket, is_answer: bool) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                if not (is_answer and self.drops_answers):
                    target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        source.close()  # the other one is closed by the thread that reads from it
