"""Files of one segment on a simulated disk, and their dumps as text."""

from __future__ import annotations

from moldau.broker.log.dump.any_file import DumpOptions, dump_file
from moldau.broker.log.dump.report import Report
from moldau.platform.simulated.files import SimulatedFiles

DIRECTORY = "data/orders-0"


class Dumped:
    """Put files in, take lines out."""

    def __init__(self) -> None:
        self.files = SimulatedFiles()
        self.files.make_directory(DIRECTORY)
        self.report = Report()

    def put(self, name: str, contents: bytes | bytearray) -> None:
        file = self.files.open(f"{DIRECTORY}/{name}", create=True)
        file.truncate(0)
        file.append(contents)
        file.close()

    def lines(self, name: str, options: DumpOptions | None = None) -> list[str]:
        path = f"{DIRECTORY}/{name}"
        shown = dump_file(self.files, path, options or DumpOptions(), self.report)
        assert shown is not None
        return [line.text for line in shown]

    def findings(self) -> list[str]:
        return [line.replace(f"{DIRECTORY}/", "") for line in self.report.lines()]
