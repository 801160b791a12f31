"""Runs pods as processes of this machine: what the kubelet and a container runtime are for.

A container gets the variables of its image and of its pod and no others, the pod's arguments behind
the image's entrypoint, and an address, which is loopback's. Volumes are folders under the
stand-in's: since a process has no root of its own, a path that begins with a mount is written anew.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import Thread
from typing import Any

from tests.judges.kubernetes_objects import Object, Objects, Refused, now

ADDRESS = "127.0.0.1"
ENTRYPOINT = (sys.executable, "-m", "moldau.spark.executor")
GRACE_S = 30
NOT_PULLED = {"reason": "ImagePullBackOff", "message": "it does not exist, or not for you"}


class Pods:
    """One thread waits for new pods, one for each process."""

    def __init__(
        self, folder: Path, images: Mapping[str, Mapping[str, str]], objects: Objects
    ) -> None:
        self._folder = folder
        self._images = images
        self._objects = objects
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._deleted: set[str] = set()
        self._threads: list[Thread] = []
        self._in_thread(self._await_pods)

    def _in_thread(self, task: Any, *given: Any) -> None:
        thread = Thread(target=task, args=given, daemon=True)
        self._threads.append(thread)
        thread.start()

    @property
    def started(self) -> list[str]:
        """The names of all pods that have had a process."""
        return list(self._processes)

    @property
    def running(self) -> list[str]:
        return [name for name, process in self._processes.items() if process.poll() is None]

    def log(self, name: str) -> str:
        """What `kubectl logs` would show."""
        return self._log_path(name).read_text(errors="replace")

    def process_id(self, name: str) -> int:
        return self._processes[name].pid

    def kill(self, name: str) -> None:
        """As a node does that runs out of memory."""
        self._processes[name].kill()

    def delete(self, pod: Object) -> None:
        """Ask it to end; it is gone when it has."""
        name = pod["metadata"]["name"]
        self._deleted.add(name)
        process = self._processes.get(name)
        if process is None or process.poll() is not None:
            self._objects.remove("pods", pod)
            return
        pod["metadata"]["deletionTimestamp"] = now()
        self._replace(pod)
        process.send_signal(signal.SIGTERM)

    def close(self) -> None:
        for process in self._processes.values():
            process.terminate()
        for process in self._processes.values():
            try:
                process.wait(GRACE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _await_pods(self) -> None:
        for event in self._objects.changes("pods", "default", {}):
            if event["type"] == "ADDED":
                self._start(event["object"])

    def _start(self, pod: Object) -> None:
        container = pod["spec"]["containers"][0]
        image = self._images.get(container["image"])
        if image is None:
            self._report(pod, "Pending", {"waiting": NOT_PULLED})
            return
        name = pod["metadata"]["name"]
        mounts = self._mounted(pod, container)
        environment = {
            **image,
            **{key: moved(text, mounts) for key, text in variables(pod, container)},
        }
        command = container.get("command") or ENTRYPOINT
        with self._log_path(name).open("wb") as log:
            self._processes[name] = subprocess.Popen(
                [*command, *container.get("args", [])],
                cwd=self._folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self._report(pod, "Running", {"running": {"startedAt": now()}})
        self._in_thread(self._await_end, pod)

    def _mounted(self, pod: Object, container: Object) -> dict[str, str]:
        """Where each mount of the container is on this machine, with what has to be in it."""
        places = {}
        volumes = {volume["name"]: volume for volume in pod["spec"].get("volumes") or []}
        for mount in container.get("volumeMounts") or []:
            volume = volumes[mount["name"]]
            place = self._folder / "volumes" / pod["metadata"]["name"] / mount["name"]
            place.mkdir(parents=True)
            if "configMap" in volume:
                self._write_map(pod, volume["configMap"], place)
            places[mount["mountPath"]] = str(place)
        return places

    def _write_map(self, pod: Object, wanted: Object, place: Path) -> None:
        namespace = pod["metadata"]["namespace"]
        kept = self._objects.get("configmaps", namespace, wanted["name"]).get("data") or {}
        items = wanted.get("items") or [{"key": key, "path": key} for key in kept]
        for item in items:
            (place / item["path"]).write_text(kept[item["key"]])

    def _await_end(self, pod: Object) -> None:
        name = pod["metadata"]["name"]
        code = self._processes[name].wait()
        ended = {"exitCode": code if code >= 0 else 128 - code, "finishedAt": now()}
        self._report(pod, "Failed" if code else "Succeeded", {"terminated": ended})
        if name in self._deleted:
            self._objects.remove("pods", pod)

    def _report(self, pod: Object, phase: str, state: Object) -> None:
        meta, container = pod["metadata"], pod["spec"]["containers"][0]
        try:
            kept = self._objects.get("pods", meta["namespace"], meta["name"])
        except Refused:
            return  # it was deleted before it came to anything
        shown = {"name": container["name"], "image": container["image"], "state": state}
        one = {**shown, "ready": "running" in state, "restartCount": 0}
        kept["status"] = {"phase": phase, "podIP": ADDRESS, "containerStatuses": [one]}
        self._replace(kept)

    def _replace(self, pod: Object) -> None:
        try:
            self._objects.replace("pods", pod)
        except Refused:
            return  # gone in the meantime

    def _log_path(self, name: str) -> Path:
        return self._folder / f"{name}.log"


def variables(pod: Object, container: Object) -> list[tuple[str, str]]:
    """As they stand, or from the fields of the pod that they name."""
    fields = {"status.podIP": ADDRESS, "metadata.name": pod["metadata"]["name"]}
    found = []
    for variable in container.get("env") or []:
        source = variable.get("valueFrom")
        text = fields[source["fieldRef"]["fieldPath"]] if source else variable.get("value", "")
        found.append((variable["name"], text))
    return found


def moved(text: str, mounts: Mapping[str, str]) -> str:
    """The same value, where it names paths under a mount."""
    for path, place in mounts.items():
        text = text.replace(path, place)
    return text
