"""The pages: the files of the folder `static`, as they are, with nothing built of them.

Every address below `/ui` is the same document, which finds its page by the address: so a link to a
message, a search or a group can be sent to a colleague. That document is checked by its `ETag` each
time; what it loads has the version of all files in its address, and is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
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
KEPT: Final = "max-age=31536000, immutable"
VERSION_LETTERS: Final = 16
HEAD_END: Final = "</head>"


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
    sources = static_files()
    version = _version_of(sources)
    sources[INDEX] = _index(sources, version)
    found = {name: _Static(name, data) for name, data in sources.items()}

    def static(request: Request) -> Response:
        name = request.parameters["file"]
        if name not in found:
            raise HttpError(404, f"There is no file {name}")
        is_asked_by_version = request.parameters["version"] == version
        return found[name].answer(request, KEPT if is_asked_by_version else CHECKED)

    index = found[INDEX].answer
    routes = [Route("GET", "/", _to_pages), Route("GET", "/static/{version}/{file}", static)]
    path = "/ui"
    for depth in range(DEPTH_MAX + 1):
        routes.append(Route("GET", path, index))
        path += f"/{{name{depth}}}"
    return routes


def _version_of(sources: Mapping[str, bytes]) -> str:
    """It is in the address of each file, so that a browser need not ask whether it has changed."""
    digest = sha256()
    for name in sorted(sources):
        digest.update(name.encode() + b"\0" + sources[name])
    return digest.hexdigest()[:VERSION_LETTERS]


def _index(sources: Mapping[str, bytes], version: str) -> bytes:
    """With all scripts at once: a browser would find them one import after the other."""
    scripts = sorted(name for name in sources if name.endswith(".js"))
    links = "".join(f'<link rel="modulepreload" href="/static/{name}">\n' for name in scripts)
    text = sources[INDEX].decode().replace(HEAD_END, f"{links}{HEAD_END}")
    return text.replace("/static/", f"/static/{version}/").encode()


class _Static:
    """One file."""

    def __init__(self, name: str, data: bytes) -> None:
        self._data = data
        self._media_type = MEDIA_TYPES[name.rpartition(".")[2]]
        self._tag = f'"{sha256(data).hexdigest()[:32]}"'

    def answer(self, request: Request, kept: str = CHECKED) -> Response:
        headers = {"ETag": self._tag, "Cache-Control": kept}
        if self._tag in request.headers.get("if-none-match", ""):
            return Response(status=304, headers=headers)
        return Response(self._data, media_type=self._media_type, headers=headers)


def _to_pages(request: Request) -> Response:
    return Response(status=302, headers={"Location": "/ui"})
