"""`moldau pipeline list|run|demo`: pipelines from topics to tables, on Spark."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from moldau.errors import MissingExtraError, MoldauError
from moldau.system.temporary import temporary_directory
from moldau.tools.command import World

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from moldau.pipelines.reconciliation import Reconciled

RECORDS = 50_000
SEED = 1
LOCAL = "local[*]"


def declare(parser: ArgumentParser) -> None:
    ways = parser.add_subparsers(dest="way", required=True, metavar="list|run|demo")
    ways.add_parser("list", help="say which pipelines there are, and what can be set")
    _declare_run(ways.add_parser("run", help="run a pipeline on a topic of yours"))
    _declare_demo(ways.add_parser("demo", help="show a pipeline on data of its own"))


def _declare_run(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="which pipeline")
    parser.add_argument("--bootstrap", required=True, metavar="HOST:PORT", help="a broker to ask")
    parser.add_argument("--topic", required=True, metavar="TOPIC", help="what to read")
    parser.add_argument("--lake", required=True, metavar="DIR", help="where its tables go")
    parser.add_argument(
        "--checkpoint", required=True, metavar="DIR", help="where it keeps how far it is"
    )
    parser.add_argument(
        "--available-now", action="store_true", help="end when all is read that is there now"
    )
    parser.add_argument("--report", metavar="FILE", help="write a page about the run at its end")
    _declare_spark(parser)
    _declare_pairs(parser, "--set", "a setting of the pipeline; `moldau pipeline list` has them")
    _declare_pairs(parser, "--source", "a further option of the format moldau")
    _declare_pairs(parser, "--storage", "a setting of the object store")


def _declare_demo(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="which pipeline")
    parser.add_argument(
        "--records", type=int, default=RECORDS, help="how many events (default: %(default)s)"
    )
    parser.add_argument(
        "--seed", type=int, default=SEED, help="the same seed, the same events (default: 1)"
    )
    parser.add_argument(
        "--directory", metavar="DIR", help="where all of it goes (default: a new temporary one)"
    )
    _declare_spark(parser)


def _declare_spark(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--master", default=LOCAL, metavar="URL", help="where Spark runs (default: %(default)s)"
    )
    _declare_pairs(parser, "--conf", "a setting of Spark, such as spark.driver.memory=2g")


def _declare_pairs(parser: ArgumentParser, flag: str, says: str) -> None:
    parser.add_argument(
        flag, action="append", default=[], metavar="NAME=VALUE", help=f"{says}; may be repeated"
    )


def run(options: Namespace, world: World) -> int:
    ways: dict[str, Callable[[Namespace, World], int]] = {
        "list": _list,
        "run": _run,
        "demo": _demo,
    }
    return ways[options.way](options, world)


def _list(options: Namespace, world: World) -> int:
    described = _part("settings").described
    for pipeline in _part("catalogue").PIPELINES:
        print(f"{pipeline.name}  {pipeline.says}", file=world.out)
        for name, default, says in described(pipeline.settings):
            print(f"    {name} = {default}", file=world.out)
            print(f"        {says}", file=world.out)
    return 0


def _run(options: Namespace, world: World) -> int:
    pipeline = _part("catalogue").pipeline_named(options.name)
    settings = _part("settings").read_settings(pipeline.settings, options.set)
    with _session(options) as spark:
        job = _part("job").Job(
            spark=spark,
            files=world.files,
            clock=world.clock,
            tell=_teller(world),
            bootstrap=options.bootstrap,
            topic=options.topic,
            lake=options.lake.rstrip("/"),
            checkpoint=options.checkpoint,
            available_now=options.available_now,
            source=_pairs("--source", options.source),
            storage=_pairs("--storage", options.storage),
        )
        pipeline.run(job, settings)
    shown = _part("demonstration").reconciled_tables(pipeline, job.lake, job.storage)
    if options.report:
        report = _part("demonstration").write_report
        report(pipeline, job.lake, options.report, world.files, job.storage)
    return _conclude(shown, world)


def _demo(options: Namespace, world: World) -> int:
    demonstration = _part("demonstration")
    if import_module("moldau.spark.kubernetes").is_kubernetes(options.master):
        raise MoldauError(
            "a demo keeps its node and its tables on this machine, where pods do not reach them:"
            " say moldau pipeline run, with a topic and a lake of yours"
        )
    demo = demonstration.Demo(
        pipeline=_part("catalogue").pipeline_named(options.name),
        directory=options.directory or temporary_directory("moldau-pipeline-"),
        records=options.records,
        seed=options.seed,
        files=world.files,
        clock=world.clock,
        tell=_teller(world),
    )
    world.files.make_directory(demo.directory)
    shown = demonstration.demonstrate(demo, lambda: _session(options))
    for name, path in shown.paths.items():
        print(f"{name:<15} {shown.reconciled.rows[name]:>9,} rows  {path}", file=world.out)
    print(f"report          {shown.report_path}", file=world.out)
    return _conclude(shown.reconciled, world)


def _conclude(reconciled: Reconciled, world: World) -> int:
    print(reconciled.sentence, file=world.out)
    for difference in reconciled.differences:
        print(difference, file=world.errors)
    return 1 if reconciled.differences else 0


def _teller(world: World) -> Callable[[str], None]:
    def tell(line: str) -> None:
        print(line, file=world.out, flush=True)

    return tell


@contextmanager
def _session(options: Namespace) -> Iterator[SparkSession]:
    """Spark's own log has a page for what we say in a sentence: who wants it, asks for it."""
    told = {"spark.log.level": "OFF", **_pairs("--conf", options.conf)}
    spark = import_module("moldau.spark").session(options.master, name="moldau pipeline", **told)
    try:
        yield spark
    finally:
        spark.stop()


def _pairs(flag: str, given: Sequence[str]) -> dict[str, str]:
    for text in given:
        if "=" not in text:
            raise MoldauError(f"{flag} takes NAME=VALUE, and not {text!r}")
    return dict(text.split("=", 1) for text in given)


def _part(name: str) -> ModuleType:
    """A part of the room of pipelines, which needs packages that the bare install leaves out."""
    try:
        return import_module(f"moldau.pipelines.{name}")
    except ModuleNotFoundError as missing:
        raise MissingExtraError(
            f"pipelines need the package {missing.name}: pip install 'moldau[spark]'"
        ) from missing
