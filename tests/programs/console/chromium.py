"""A browser, driven through its own protocol over two pipes: no driver, no port, no package."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
PATIENCE_SECONDS = 60
KEYS = {"Tab": (9, ""), "Enter": (13, "\r"), "Escape": (27, "")}
"""Their code, and what they write."""


def chromium_path() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Chromium:
    """A browser, of which one tab at a time is driven; use it as a context."""

    def __init__(self, folder: Path) -> None:
        reads_commands, self._write = os.pipe()
        self._read, writes_answers = os.pipe()
        command = [str(chromium_path()), *FLAGS, f"--user-data-dir={folder}/profile", "about:blank"]

        self._log = (folder / "chromium.log").open("w")
        shell = f'exec 3<&{reads_commands} 4>&{writes_answers}; exec "$@"'
        self._process = subprocess.Popen(
            ["bash", "-c", shell, "chromium", *command],
            pass_fds=(reads_commands, writes_answers),
            stdout=self._log,
            stderr=self._log,
        )
        os.close(reads_commands)
        os.close(writes_answers)
        self._buffer = b""
        self._last = 0
        self._session: str | None = None
        self.problems: list[str] = []
        """What the page's console and its policy complained about."""
        self.tab()

    def __enter__(self) -> Chromium:
        return self

    def __exit__(self, *_: object) -> None:
        self._session = None
        try:
            self._ask("Browser.close")
            self._process.wait(PATIENCE_SECONDS)
        finally:
            self._process.kill()
            os.close(self._write)
            os.close(self._read)
            self._log.close()

    def tab(self) -> str:
        """Open one, and go to it; its name, by which `go_to` comes back."""
        self._session = None
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        found = self._ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = found["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")
        return str(self._session)

    def go_to(self, tab: str) -> None:
        self._session = tab
        self._ask("Page.bringToFront")

    def slow(self, latency_ms: int) -> None:
        """What this tab asks from now on is answered so much later."""
        self._ask(
            "Network.emulateNetworkConditions",
            offline=False,
            latency=latency_ms,
            downloadThroughput=-1,
            uploadThroughput=-1,
        )

    def size(self, width: int, height: int, *, dark: bool = False) -> None:
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )
        theme = "dark" if dark else "light"
        features = [{"name": "prefers-color-scheme", "value": theme}]
        self._ask("Emulation.setEmulatedMedia", features=features)

    def before_each_page(self, script: str) -> None:
        """Have it run in each page before those of the page."""
        self._ask("Page.addScriptToEvaluateOnNewDocument", source=script)

    def open(self, url: str) -> None:
        """Return when the page is shown, with what it has asked for."""
        self.run("window.isBefore = true")
        self._ask("Page.navigate", url=url)
        self.until(
            "!window.isBefore && document.readyState === 'complete' "
            "&& document.querySelector('main')?.hasAttribute('aria-busy') === false"
        )

    def run(self, script: str) -> object:
        found = self._ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, script: str) -> object:
        """What the expression is, as soon as it is something."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not (found := self.run(script)):
            assert time.monotonic() < end, f"never so: {script}; {self.text()[:2000]}"
            time.sleep(0.05)
        return found

    def press(self, key: str) -> None:
        """A key with a name, such as Tab, for whatever has the focus."""
        code, text = KEYS[key]
        for kind in ("keyDown", "keyUp"):
            self._ask(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
                **({"text": text} if text and kind == "keyDown" else {}),
            )

    def write(self, text: str) -> None:
        """By the keyboard."""
        self._ask("Input.insertText", text=text)

    def text(self) -> str:
        return str(self.run("document.body.innerText"))

    def picture(self, path: Path, *, whole: bool = False) -> None:
        found = self._ask(
            "Page.captureScreenshot", format="png", captureBeyondViewport=whole, fromSurface=True
        )
        path.write_bytes(base64.b64decode(found["data"]))

    def _ask(self, method: str, **parameters: object) -> dict[str, Any]:
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._last:
                assert "error" not in answer, (method, answer["error"])
                result: dict[str, Any] = answer["result"]
                return result
            self._note(answer)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            piece = os.read(self._read, 1 << 20)
            assert piece, Path(self._log.name).read_text()[-3000:]
            self._buffer += piece
        message, _, self._buffer = self._buffer.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found

    def _note(self, event: dict[str, Any]) -> None:
        parameters = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(parameters["exceptionDetails"])[:600])
        if event.get("method") == "Log.entryAdded":
            entry = parameters["entry"]
            if entry["level"] in ("error", "warning"):
                self.problems.append(f"{entry['text']} {entry.get('url', '')}")
