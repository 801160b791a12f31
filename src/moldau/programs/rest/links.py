"""Resources of v3: what a thing and a list of things look like, and the links between them.

A link is absolute and begins as the client asked: with its scheme and its host.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import quote

from moldau.programs.http.messages import Request

__all__ = ["DEFAULT_SITE", "Json", "Links", "collection", "related"]

Json: TypeAlias = dict[str, Any]
DEFAULT_SITE: Final = "http://localhost:8082"


class Links(NamedTuple):
    """The addresses of a cluster's resources, as one request has them."""

    base: str
    cluster_id: str

    @classmethod
    def of(cls, request: Request, cluster_id: str) -> Links:
        return cls(f"{request.site or DEFAULT_SITE}/v3/clusters", cluster_id)

    def to(self, *segments: object) -> str:
        """The address of something below the cluster."""
        words = (quote(str(segment), safe="-:") for segment in (self.cluster_id, *segments))
        return "/".join((self.base, *words))

    def resource(
        self, kind: str, segments: Iterable[object], names: Mapping[str, object], **fields: object
    ) -> Json:
        """One thing, where it is, and its name (`crn:///kafka=…/topic=…`)."""
        name = "/".join(
            f"{key}={quote(str(value), safe='')}"
            for key, value in {"kafka": self.cluster_id, **names}.items()
        )
        return {
            "kind": kind,
            "metadata": {"self": self.to(*segments), "resource_name": f"crn:///{name}"},
            "cluster_id": self.cluster_id,
            **fields,
        }


def related(url: str) -> Json:
    return {"related": url}


def collection(kind: str, url: str, items: Iterable[Json]) -> Json:
    """All there are: `next` would lead to the rest."""
    return {"kind": kind, "metadata": {"self": url, "next": None}, "data": list(items)}
