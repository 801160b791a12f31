"""A small writer of SVG: lines, bars, marks and words on a canvas that grows downwards.

Colours are named by what they mean and defined once in the style, for light and for dark screens;
the background stays the page's own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

STYLE = """
svg { --ink: #1f2328; --soft: #636c76; --line: #d8dee4; --ours: #1f6feb; --theirs: #9a8c7c;
      --better: #1a7f5a; --worse: #cf4a2e; --goal: #1f2328; }
@media (prefers-color-scheme: dark) {
  svg { --ink: #e6edf3; --soft: #9198a1; --line: #30363d; --ours: #58a6ff; --theirs: #b3a594;
        --better: #3fb683; --worse: #ff7b5f; --goal: #f0f6fc; }
}
text { fill: var(--ink); font: 12px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
.soft { fill: var(--soft); } .title { font-size: 17px; font-weight: 600; }
.head { font-size: 13px; font-weight: 600; } .small { font-size: 11px; }
.strong { font-weight: 600; }
"""


@dataclass(slots=True)
class Canvas:
    """What has been drawn so far."""

    width: int
    height: float = 0.0
    parts: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, words: str, look: str = "", anchor: str = "start") -> None:
        inside = escape(words)
        self._add("text", {"x": x, "y": y, "class": look, "text-anchor": anchor}, inside)

    def bar(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        size = {"width": max(width, 1.0), "height": height, "rx": min(2.0, height / 2)}
        self._add("rect", {"x": x, "y": y, **size, "fill": f"var(--{colour})"})

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str, width: float) -> None:
        ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
        self._add("line", {**ends, "stroke": f"var(--{colour})", "stroke-width": width})

    def dot(self, x: float, y: float, radius: float, colour: str) -> None:
        self._add("circle", {"cx": x, "cy": y, "r": radius, "fill": f"var(--{colour})"})

    def diamond(self, x: float, y: float, radius: float, colour: str) -> None:
        corners = ((x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y))
        points = " ".join(f"{short(left)},{short(top)}" for left, top in corners)
        self._add("polygon", {"points": points, "fill": f"var(--{colour})"})

    def document(self, title: str) -> str:
        size = f'viewBox="0 0 {self.width} {short(self.height)}" width="{self.width}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
        lines = [head, f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>", *self.parts]
        return "\n".join([*lines, "</svg>", ""])

    def _add(self, name: str, attributes: dict[str, float | str], inside: str = "") -> None:
        written = " ".join(
            f"{key}={quoteattr(value if isinstance(value, str) else short(value))}"
            for key, value in attributes.items()
            if value != ""
        )
        self.parts.append(
            f"<{name} {written}>{inside}</{name}>" if inside else f"<{name} {written}/>"
        )


def short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
