"""A place that passes connections on to another one, and can cut them all."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class CutConnections:
    """Use it as a context; what comes to `place` goes to `target`, until it is cut."""

    def __init__(self, target: tuple[str, int]) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self.count = 0
        """Connections that there have been."""
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> CutConnections:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        self.cut()

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self._listener.getsockname()[1]}"

    def cut(self) -> None:
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._open.clear()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._target)
                self.count += 1
                self._open += (near, far)
                for source, sink in ((near, far), (far, near)):
                    threading.Thread(target=_pass_on, args=(source, sink), daemon=True).start()


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
