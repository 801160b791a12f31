"""Lines in a file, and full files put aside."""

from moldau.broker.server.audit.file_sink import FileSink
from moldau.platform.ports.files import read_whole
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.files import SimulatedFiles


def written(*batches, max_bytes=10**6, kept=2, files=None):
    files = files or SimulatedFiles()

    async def main(tasks):
        sink = FileSink(files, tasks, "audit.log", max_bytes, kept)
        for lines in batches:
            await sink.write(list(lines))
        await sink.close()

    simulated_tasks.run(main)
    names = [name for name in files.list(".") if name.startswith("audit")]
    return files, {name: read_whole(files, name) for name in names}


def test_each_event_is_a_line():
    _, found = written([b"a", b"b"], [b"c"])
    assert found == {"audit.log": b"a\nb\nc\n"}


def test_a_file_goes_on_where_it_ended():
    files, _ = written([b"a"])
    assert written([b"b"], files=files)[1] == {"audit.log": b"a\nb\n"}


def test_a_full_file_is_put_aside_and_the_oldest_goes():
    _, found = written(*[[b"%d" % index * 9] for index in range(5)], max_bytes=12)
    assert found == {
        "audit.log": b"4" * 9 + b"\n",
        "audit.log.1": b"3" * 9 + b"\n",
        "audit.log.2": b"2" * 9 + b"\n",
    }


def test_none_need_be_kept():
    _, found = written([b"1" * 9], [b"2" * 9], max_bytes=12, kept=0)
    assert found == {"audit.log": b"2" * 9 + b"\n"}
