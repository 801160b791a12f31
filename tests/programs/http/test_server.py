"""What all responses have in common; connections are in test_connection."""

import json

from moldau.errors import MoldauError
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.clock import SimulatedClock
from moldau.programs.http.front import Front, Rates
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route, Router
from moldau.programs.http.server import HttpServer


def fails(_request):
    raise MoldauError("the broker is gone")


def test_errors_of_the_project_become_refusals_as_the_program_has_it():
    async def main(tasks):
        server = HttpServer(
            Router([Route("GET", "/", fails)]),
            tasks,
            SimulatedClock(),
            error_media_type="text/x",
            refused=lambda error: HttpError(503, f"{error}!", 50301),
        )
        return server.answer(Request("GET", "/"))

    response = simulated_tasks.run(main)
    assert (response.status, response.media_type) == (503, "text/x")
    assert json.loads(response.body) == {"error_code": 50301, "message": "the broker is gone!"}


def test_who_asks_too_often_is_refused_before_any_route():
    asked: list[Request] = []

    def found(request):
        asked.append(request)
        return Response()

    async def main(tasks):
        clock = SimulatedClock()
        server = HttpServer(
            Router([Route("GET", "/", found)]), tasks, clock, front=Front(Rates(clock, 1))
        )
        return [server.answer(Request("GET", "/", peer="here")) for _ in range(2)]

    _, response = simulated_tasks.run(main)
    assert (response.status, json.loads(response.body)["error_code"]) == (429, 429)
    assert len(asked) == 1
