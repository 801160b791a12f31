"""The pipelines there are: a line here, an entry point of an installed package, or a file.

A file is Python that ends with a `Pipeline`, or YAML that declares one.

A file is run as a module of a name that nothing else has. What Spark's workers need of it, such as
functions of the user, travels to them by value: they have no such module.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from traceback import extract_tb
from types import ModuleType, TracebackType
from typing import Any, Self

from pyspark import cloudpickle
from pyspark.sql import DataFrame

from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines import (
    cdc,
    clickstream,
    etl,
    fraud,
    logs,
    services,
    sourcing,
    telemetry,
)
from moldau.programs.pipelines.declared import Declared
from moldau.programs.pipelines.declared_run import run_declared
from moldau.programs.pipelines.errors import PipelineError
from moldau.programs.pipelines.job import Job
from moldau.programs.pipelines.landing_settings import LandingSettings
from moldau.programs.pipelines.pipeline import Pipeline

__all__ = [
    "GROUP",
    "PIPELINES",
    "ForeignCode",
    "Offered",
    "declared_pipeline",
    "offered",
    "pipeline_named",
    "place_of",
]

PIPELINES = tuple(
    each.PIPELINE for each in (etl, clickstream, logs, fraud, cdc, telemetry, sourcing, services)
)
GROUP = "moldau.pipelines"
"""Of entry points; each leads to a `Pipeline`."""
SUFFIX = ".py"
NAME = "PIPELINE"


@dataclass(frozen=True, slots=True)
class Offered:
    """One that is found by name."""

    name: str
    pipeline: Pipeline | None
    problem: str = ""
    """Why it cannot be loaded."""


def pipeline_named(name: str) -> Pipeline:
    """The pipeline, or what else there is; a name that ends in .py is a file."""
    if name.endswith(SUFFIX):
        return _from_file(name)
    for found in offered():
        if found.name == name:
            if found.pipeline is None:
                raise PipelineError(found.problem)
            return found.pipeline
    known = ", ".join(found.name for found in offered())
    raise PipelineError(f"there is no pipeline {name!r}: there are {known}, and files of yours")


def offered() -> Iterator[Offered]:
    """Ours, then those of installed packages; a name that is taken stays what it was."""
    taken = {pipeline.name for pipeline in PIPELINES}
    yield from (Offered(pipeline.name, pipeline) for pipeline in PIPELINES)
    for entry in sorted(entry_points(group=GROUP), key=lambda found: found.name):
        if entry.name not in taken:
            taken.add(entry.name)
            yield _from_package(entry)


def _from_package(entry: EntryPoint) -> Offered:
    where = f"the pipeline {entry.name} ({entry.value}) cannot be loaded"
    try:
        with ForeignCode(where):
            found = entry.load()
    except PipelineError as error:
        return Offered(entry.name, None, str(error))
    if not isinstance(found, Pipeline):
        return Offered(
            entry.name, None, f"{where}: it is no moldau.programs.pipelines.pipeline.Pipeline"
        )
    return Offered(entry.name, found)


def _from_file(path: str) -> Pipeline:
    module = _module_of(path)
    found = getattr(module, NAME, None)
    if not isinstance(found, Pipeline):
        raise PipelineError(
            f"{path} has no {NAME}: end it with {NAME} = Pipeline(name=…, description=…,"
            " settings=…, run=…, tables=…), as in moldau.programs.pipelines.pipeline"
        )
    return replace(found, run=_guarded(found.run, path, module.__file__))


def declared_pipeline(declared: Declared) -> Pipeline:
    """With the functions that it names, from files beside its own."""
    folder = declared.path.rpartition("/")[0]
    functions = {}
    for step in declared.steps:
        if step.file:
            path = f"{folder}/{step.file}" if folder else step.file
            where = f"{declared.path}: the step {step.name}"
            functions[step.name] = _function_of(path, step.function, where)
    return Pipeline(
        name=declared.name,
        description=declared.description,
        settings=LandingSettings,
        run=partial(run_declared, declared, functions),
        tables=declared.tables,
    )


def _function_of(path: str, name: str, where: str) -> Callable[[DataFrame], DataFrame]:
    try:
        module = _module_of(path)
    except _NoSuchFileError as error:
        why = f"{where} is a function of {path}, and there is no such file"
        raise PipelineError(why) from error
    found = getattr(module, name, None)
    if not callable(found):
        raise PipelineError(f"{where} is {name} of {path}, which has no such function")

    def guarded(frame: DataFrame) -> DataFrame:
        with ForeignCode(f"{path}:{name} failed", module.__file__):
            made: DataFrame = found(frame)
            return made

    return guarded


def _guarded(
    run: Callable[[Job, Any], None], path: str, origin: str | None
) -> Callable[[Job, Any], None]:
    """The same, with the place in the file in one line where it fails."""

    def guarded(job: Job, settings: object) -> None:
        with ForeignCode(f"{path} failed", origin):
            run(job, settings)

    return guarded


class _NoSuchFileError(PipelineError):
    """There is no file to load."""


def _module_of(path: str) -> ModuleType:
    name = "moldau_pipeline_" + path.rpartition("/")[2].removesuffix(SUFFIX)
    spec = spec_from_file_location(name, path)
    assert spec is not None, "its suffix is that of Python"
    assert spec.loader is not None, "its suffix is that of Python"
    module = module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, path.rpartition("/")[0] or ".")
    try:
        with ForeignCode(f"{path} cannot be loaded", spec.origin):
            spec.loader.exec_module(module)
    except PipelineError as error:
        if (
            isinstance(error.__cause__, FileNotFoundError)
            and error.__cause__.filename == spec.origin
        ):
            raise _NoSuchFileError(f"there is no file {path} to run a pipeline from") from error
        raise
    cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]
    return module


class ForeignCode:
    """What foreign code raises, whatever it is, comes out of the block as one sentence."""

    def __init__(self, what: str, path: str | None = None) -> None:
        self._what = what
        self._path = path

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, Exception) and not isinstance(error, MoldauError):
            raise PipelineError(f"{self._what}: {place_of(error, self._path)}") from error


def place_of(error: BaseException, path: str | None) -> str:
    """The error in one line, with where in the file it was raised."""
    text = f"{type(error).__name__}: {error}".partition("\n")[0]
    if isinstance(error, SyntaxError):
        return text
    lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == path]
    return f"{text} (line {lines[-1]})" if lines else text
