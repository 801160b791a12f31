"""A web server in the simulated world: it answers as it is scripted, byte for byte."""

from __future__ import annotations

import re

from moldau.platform.ports.network import Address

HOST, PORT = "provider", 8080
URL = f"http://{HOST}:{PORT}"


def answer(body, status="200 OK", **headers):
    """With a length."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


class ScriptedWeb:
    """Takes the next piece of the script for each connection; None is silence."""

    def __init__(self, *script):
        self.script = list(script)
        self.asked = []

    async def open(self, world):
        await world.host(HOST).listen(Address("", PORT), self._take_over)

    def _take_over(self, link):
        return _Visit(self, link)


class _Visit:
    def __init__(self, web, link):
        self._web = web
        self._link = link
        self._arrived = b""

    def readable(self):
        room = bytearray(65536)
        self._arrived += bytes(room[: self._link.receive_into(room)])
        head, separator, body = self._arrived.partition(b"\r\n\r\n")
        match = re.search(rb"Content-Length: (\d+)", head)
        length = int(match[1]) if match else 0
        if not separator or len(body) < length:
            return
        self._web.asked.append(self._arrived.decode("utf-8", "surrogateescape"))
        answer = self._web.script.pop(0) if self._web.script else None
        if answer is not None:
            self._link.send(answer)
            if not answer.startswith(b"HTTP/1.1 200 keep"):
                self._link.close()

    def all_sent(self): ...

    def lost(self, reason): ...
