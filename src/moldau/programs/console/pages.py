"""The pages: files that lie beside this module, as they are, with nothing built of them.

Every address below `/ui` is the same document, which finds its page by the address: so a link to a
message, a search or a group can be sent to a colleague. A file is checked by its `ETag` each time.
"""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files
from typing import Final

from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route

__all__ = ["DEPTH_MAX", "page_routes", "static_files"]

FOLDER: Final = "static"
MEDIA_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
INDEX: Final = "index.html"
DEPTH_MAX: Final = 4
"""Names in an address below `/ui`."""
CHECKED: Final = "no-cache"


def static_files() -> dict[str, bytes]:
    """All of them by name."""
    folder = files("moldau.programs.console").joinpath(FOLDER)
    return {
        entry.name: entry.read_bytes()
        for entry in folder.iterdir()
        if entry.name.rpartition(".")[2] in MEDIA_TYPES
    }


def page_routes() -> list[Route]:
    """Of the document and of what it loads."""
    found = {name: _Static(name, data) for name, data in static_files().items()}

    def static(request: Request) -> Response:
        name = request.parameters["file"]
        if name not in found:
            raise HttpError(404, f"There is no file {name}")
        return found[name].answer(request)

    index = found[INDEX].answer
    routes = [Route("GET", "/", _to_pages), Route("GET", "/static/{file}", static)]
    path = "/ui"
    for depth in range(DEPTH_MAX + 1):
        routes.append(Route("GET", path, index))
        path += f"/{{name{depth}}}"
    return routes


class _Static:
    """One file."""

    def __init__(self, name: str, data: bytes) -> None:
        self._data = data
        self._media_type = MEDIA_TYPES[name.rpartition(".")[2]]
        self._headers = {
            "ETag": f'"{sha256(data).hexdigest()[:32]}"',
            "Cache-Control": CHECKED,
        }

    def answer(self, request: Request) -> Response:
        if self._headers["ETag"] in request.headers.get("if-none-match", ""):
            return Response(status=304, headers=self._headers)
        return Response(self._data, media_type=self._media_type, headers=self._headers)


def _to_pages(request: Request) -> Response:
    return Response(status=302, headers={"Location": "/ui"})
