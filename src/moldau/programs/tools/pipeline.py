"""`moldau pipeline list|run|show|demo|prepare`: pipelines from topics to tables, on Spark."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from moldau.errors import MissingExtraError, MoldauError
from moldau.platform.ports.files import read_whole
from moldau.platform.system.foreground import EndedBySignalError, Foreground
from moldau.platform.system.process import exit_at_once
from moldau.platform.system.temporary import temporary_directory
from moldau.programs.tools.command import World, declare_output
from moldau.programs.tools.numbers import whole_number
from moldau.programs.tools.spark_session import (
    declare_pairs,
    declare_spark,
    muted,
    pairs,
    spark_session,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from moldau.programs.pipelines.declared import Declared
    from moldau.programs.pipelines.pipeline import Pipeline
    from moldau.programs.pipelines.reconciliation import Reconciled
    from moldau.programs.pipelines.route import Route

RECORDS = 50_000
RECORDS_MAX = 10_000_000
"""They are drawn in the memory of one process."""
SEED = 1
SEED_MAX = 2**63 - 1
STOP_S = 15
"""How long the queries may take to stop: a batch that is cut off is run again by the next start."""
FILE = "file://"
CLIENT = "moldau.client"


def declare(parser: ArgumentParser) -> None:
    ways = parser.add_subparsers(dest="way", required=True, metavar="list|run|show|demo|prepare")
    declare_output(ways.add_parser("list", help="say which pipelines there are"))
    _declare_run(ways.add_parser("run", help="run a pipeline on a topic of yours"))
    _declare_show(ways.add_parser("show", help="say what one makes and what can be set"))
    _declare_demo(ways.add_parser("demo", help="show a pipeline on data of its own"))
    ways.add_parser("prepare", help="have Spark start sooner on this machine from now on")


def _declare_run(parser: ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "name", nargs="?", metavar="NAME", help="which pipeline, or a file of yours: x.py"
    )
    which.add_argument("--file", metavar="FILE", help="a file of YAML that declares the pipeline")
    parser.add_argument("--bootstrap", metavar="HOST:PORT", help="a broker to ask")
    parser.add_argument("--topic", metavar="TOPIC", help="what to read")
    parser.add_argument("--lake", metavar="DIR", help="where its tables go")
    parser.add_argument("--checkpoint", metavar="DIR", help="where it keeps how far it is")
    parser.add_argument(
        "--available-now", action="store_true", help="end when all is read that is there now"
    )
    parser.add_argument("--report", metavar="FILE", help="write a page about the run at its end")
    declare_spark(parser)
    declare_pairs(parser, "--set", "a setting of the pipeline; `moldau pipeline show` has them")
    declare_pairs(parser, "--source", "a further option of the format moldau")
    declare_pairs(parser, "--storage", "a setting of the object store")


def _declare_show(parser: ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "name", nargs="?", metavar="NAME", help="which pipeline, or a file of yours: x.py"
    )
    which.add_argument("--file", metavar="FILE", help="a file of YAML, which is drawn")
    parser.add_argument(
        "--mermaid", action="store_true", help="a file as a graph for Markdown, instead of lines"
    )


def _declare_demo(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="which pipeline, or a file of yours: x.py")
    parser.add_argument(
        "--records",
        type=whole_number(1, RECORDS_MAX),
        default=RECORDS,
        help="how many events (default: %(default)s)",
    )
    parser.add_argument(
        "--seed",
        type=whole_number(0, SEED_MAX),
        default=SEED,
        help="the same seed, the same events (default: 1)",
    )
    parser.add_argument(
        "--directory", metavar="DIR", help="where all of it goes (default: a new temporary one)"
    )
    declare_spark(parser)


def run(options: Namespace, world: World) -> int:
    ways: dict[str, Callable[[Namespace, World], int]] = {
        "list": _list,
        "run": _run,
        "show": _show,
        "demo": _demo,
        "prepare": _prepare,
    }
    return ways[options.way](options, world)


def _list(options: Namespace, world: World) -> int:
    there = list(_part("catalogue").offered())
    known = [(each.name, each.pipeline.description) for each in there if each.pipeline]
    if not world.takes(("name", "description"), known):
        width = max(len(name) for name, _ in known)
        for name, description in known:
            print(f"{name:<{width}}  {description}", file=world.out)
    for each in there:
        if each.problem:
            print(each.problem, file=world.errors)
    return 0


def _show(options: Namespace, world: World) -> int:
    if options.file is None:
        lines = _described(_part("catalogue").pipeline_named(options.name))
    else:
        drawing = _part("drawing")
        draw = drawing.mermaid_lines if options.mermaid else drawing.tree_lines
        lines = draw(_declared(options.file, world))
    print("\n".join(lines), file=world.out)
    return 0


def _described(pipeline: Pipeline) -> Iterator[str]:
    yield f"{pipeline.name}  {pipeline.description}"
    yield f"tables  {', '.join(pipeline.tables)}"
    yield "settings  what --set changes"
    for name, default, description in _part("settings").described(pipeline.settings):
        yield f"    {name} = {default}"
        yield f"        {description}"


def _declared(path: str, world: World) -> Declared:
    if world.files.status(path) is None:
        raise MoldauError(f"there is no file {path} that declares a pipeline")
    contents = bytes(read_whole(world.files, path))
    declared: Declared = _part("declared").read_declared(contents, path)
    return declared


def _run(options: Namespace, world: World) -> int:
    advice = "the same command goes on behind the last whole batch"
    return _until_signal(
        lambda foreground: _run_pipeline(options, world, foreground), advice, world
    )


def _demo(options: Namespace, world: World) -> int:
    advice = "a demonstration begins anew, in another directory"
    return _until_signal(lambda foreground: _run_demo(options, world, foreground), advice, world)


def _prepare(options: Namespace, world: World) -> int:
    show = _line_printer(world)
    show("Spark runs once, and Java keeps the classes that it has loaded")
    archive = import_module("moldau.spark.session").prepare_sessions()
    show(f"sessions on this machine start from {archive.path}")
    return 0


def _until_signal(work: Callable[[Foreground], int], advice: str, world: World) -> int:
    """Do it; Ctrl-C and SIGTERM end the process with one line."""
    foreground = Foreground(STOP_S)
    try:
        return foreground.run(lambda: work(foreground))
    except EndedBySignalError as ended:
        with suppress(OSError):
            print(f"moldau pipeline: {ended}; {advice}", file=world.errors)
        exit_at_once(ended.exit_code)


def _run_pipeline(options: Namespace, world: World, foreground: Foreground) -> int:
    declared = None if options.file is None else _declared(options.file, world)
    route = _route(options, declared)
    catalogue = _part("catalogue")
    if declared is None:
        pipeline, given = catalogue.pipeline_named(options.name), options.set
    else:
        pipeline = catalogue.declared_pipeline(declared)
        given = [*declared.settings, *options.set]
    settings = _part("settings").read_settings(pipeline.settings, given)
    pipeline.check(settings, world.files)
    pairs("--conf", options.conf)
    import_module("moldau.spark.session").ensure_java()
    with muted(CLIENT):
        _part("readiness").ensure_ready(route, pipeline.name, world.files)
    reporting = _part("reporting")
    run = reporting.Run(pipeline=pipeline, route=route, settings=settings)

    def report() -> None:
        if options.report:
            reporting.write_report(run, options.report, world.files, world.clock)

    with _session(options, world) as spark, foreground.orderly():
        job = _part("job").Job(
            name=pipeline.name,
            spark=spark,
            files=world.files,
            clock=world.clock,
            show=_line_printer(world),
            route=route,
            available_now=options.available_now,
            is_stopping=lambda: foreground.is_stopping,
        )
        try:
            pipeline.run(job, settings)
        except _part("errors").StoppedError:
            report()
            raise
    report()
    return _conclude(reporting.reconciled_tables(pipeline, route), world)


def _route(options: Namespace, declared: Declared | None) -> Route:
    """From the command line, else from the file."""
    found = {}
    for name in ("bootstrap", "topic", "lake", "checkpoint"):
        found[name] = getattr(options, name) or getattr(declared, name, "")
        if not found[name]:
            where = "" if declared is None else f", or {name} in {declared.path}"
            raise MoldauError(f"this pipeline has no {name}: give --{name}{where}")
    found["lake"] = found["lake"].removeprefix(FILE).rstrip("/")
    source = {} if declared is None else declared.source
    storage = {} if declared is None else declared.storage
    route: Route = _part("route").Route(
        **found,
        source={**source, **pairs("--source", options.source)},
        storage={**storage, **pairs("--storage", options.storage)},
    )
    return route


def _run_demo(options: Namespace, world: World, foreground: Foreground) -> int:
    demonstration = _part("demonstration")
    if import_module("moldau.spark.kubernetes").is_kubernetes(options.master):
        raise MoldauError(
            "a demo keeps its node and its tables on this machine, where pods do not reach them:"
            " say moldau pipeline run, with a topic and a lake of yours"
        )
    pipeline = _part("catalogue").pipeline_named(options.name)
    demonstration.ensure_demonstrable(pipeline)
    import_module("moldau.spark.session").ensure_java()
    demo = demonstration.Demo(
        pipeline=pipeline,
        directory=options.directory or temporary_directory("moldau-pipeline-"),
        records=options.records,
        seed=options.seed,
        files=world.files,
        clock=world.clock,
        show=_line_printer(world),
        is_stopping=lambda: foreground.is_stopping,
    )
    world.files.make_directory(demo.directory)

    @contextmanager
    def session() -> Iterator[SparkSession]:
        with _session(options, world) as spark, foreground.orderly():
            yield spark

    shown = demonstration.demonstrate(demo, session)
    for name, path in shown.paths.items():
        print(f"{name:<15} {shown.reconciled.rows[name]:>9,} rows  {path}", file=world.out)
    print(f"report          {shown.report_path}", file=world.out)
    return _conclude(shown.reconciled, world)


def _conclude(reconciled: Reconciled, world: World) -> int:
    print(reconciled.sentence, file=world.out)
    for difference in reconciled.differences:
        print(difference, file=world.errors)
    return 1 if reconciled.differences else 0


def _line_printer(world: World) -> Callable[[str], None]:
    def show(line: str) -> None:
        print(line, file=world.out, flush=True)

    return show


@contextmanager
def _session(options: Namespace, world: World) -> Iterator[SparkSession]:
    _line_printer(world)(f"Spark starts on {options.master}")
    with spark_session(options) as spark:
        yield spark


def _part(name: str) -> ModuleType:
    """A module of the package `pipelines`, which needs extras of the install."""
    try:
        return import_module(f"moldau.programs.pipelines.{name}")
    except ModuleNotFoundError as missing:
        raise MissingExtraError(
            f"pipelines need the package {missing.name}: in a checkout of Moldau, "
            "pip install '.[spark]'"
        ) from missing
