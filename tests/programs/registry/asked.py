"""A registry whose topic is a list, asked as by HTTP."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any
from urllib.parse import quote

from moldau.platform.simulated.clock import SimulatedClock
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Router
from moldau.programs.http.server import HttpServer
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.api.table import registry_routes
from moldau.programs.registry.keys.state import KeyState
from moldau.programs.registry.records import read_json
from moldau.programs.registry.state import RegistryState
from moldau.schemas.levels import Level

NO_TASKS: Any = None
"""Nothing waits: the store is a list."""


class ListStore:
    """Keeps records as bytes, and reads them again as a topic is read."""

    def __init__(self):
        self.state = RegistryState()
        self.records = []
        self.looks = 0

    async def read_to_end(self):
        self.looks += 1

    async def write(self, decide):
        answer, records = decide(self.state)
        for record in records:
            key, value = record.encoded()
            self.records.append((key, value))
            self.state.apply(read_json(key) or {}, read_json(value))
        return answer


class ListKeys:
    """Keys in a list, each a second later than the one before."""

    def __init__(self):
        self.state = KeyState()
        self.records = []

    async def known(self, *, again=False):
        return self.state

    async def write(self, decide):
        answer, records = decide(self.state)
        for record in records:
            key, value = record.encoded()
            self.records.append((key, value))
            self.state.apply(read_json(key) or {}, read_json(value), len(self.records) * 1000)
        return answer


class Asked:
    def __init__(self):
        self.store = ListStore()
        self.scope = Scope(self.store, Level.BACKWARD, random.Random(7))
        self.keys = ListKeys()
        routes = registry_routes(self.scope, self.keys, "cluster", "group")
        self.router = Router(routes)
        self.server = HttpServer(self.router, NO_TASKS, SimulatedClock())

    @property
    def state(self):
        return self.store.state

    def __call__(self, method, path, body=None, media_type="application/json"):
        """The status and the JSON of the answer."""
        path, _, query = path.partition("?")
        pairs = [pair.partition("=")[::2] for pair in query.split("&") if pair]
        data = body if isinstance(body, bytes) else json.dumps(body or {}).encode()
        asked: dict[str, list[str]] = {}
        for name, value in pairs:
            asked.setdefault(name, []).append(value)
        request = Request(method, path, asked, {"content-type": media_type}, data)
        response = asyncio.run(self._answer(request))
        return response.status, json.loads(response.body) if response.body else None

    async def _answer(self, request):
        answer = self.server.answer(request)
        return (
            answer if isinstance(answer, Response) else await self.server.outcome(request, answer)
        )

    def register(self, subject, schema, **more):
        text = schema if isinstance(schema, str) else json.dumps(schema)
        return self(
            "POST", f"/subjects/{quote(subject, safe='')}/versions", {"schema": text, **more}
        )

    def code(self, *call):
        """The error of a call."""
        status, body = self(*call)
        assert status // 100 in (4, 5), body
        assert body.keys() == {"error_code", "message"}
        assert str(body["error_code"]).startswith(str(status)) or status == body["error_code"]
        return body["error_code"]


def record(*fields, name="R"):
    """A record of Avro with fields of int; `x=` has a default."""
    return json.dumps(
        {
            "type": "record",
            "name": name,
            "fields": [
                {
                    "name": field.rstrip("="),
                    "type": "int",
                    **({"default": 0} if "=" in field else {}),
                }
                for field in fields
            ],
        }
    )


def error_of(call):
    try:
        call()
    except HttpError as error:
        return error.code
    return None
