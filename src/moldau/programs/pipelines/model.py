"""A scikit-learn classifier that scores payments in an Arrow function of Spark.

The model comes as a pickle, which runs code when it is loaded: take one only from whom you trust.
Or it is trained when the pipeline starts, on payments of the demonstration's kind whose fraud is
known; then the same seed gives the same model.

What it sees of a payment are the features that the rules measure (`cards`), so it is trained by the
very code that it will run behind.
"""

from __future__ import annotations

import json
import pickle
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, cast

import numpy as np
import pyarrow as pa
from pyspark.sql import Column, DataFrame, Row
from pyspark.sql import functions as sql
from pyspark.sql.pandas.functions import arrow_udf

from moldau.errors import StorageError
from moldau.platform.ports.files import Files, read_whole
from moldau.programs.pipelines.cards import CardLogic, Judged
from moldau.programs.pipelines.errors import SettingError
from moldau.programs.pipelines.payments import payments
from moldau.spark.worker_garbage import set_aside_what_is_loaded

__all__ = ["FEATURES", "ensure_model", "load_model", "payment_of", "scored", "train"]

FEATURES = ("amount", "ratio", "velocity", "kmh")
FEATURE_MAX = 1e30
"""Classifiers take numbers of 32 bits, and refuse a whole batch for a larger one."""
TRAINED = "seed:"
TRAINING_COUNT = 8_000
MODEL = "model"
UNREADABLE = (
    pickle.UnpicklingError,
    *(AttributeError, EOFError, ImportError, IndexError, KeyError, TypeError, ValueError),
)
"""What bytes that are no pickle, or one of other libraries, may lead to."""
Classifier = Any
"""With scikit-learn's `predict_proba`; the library has no types."""
NO_SCIKIT = "a model needs scikit-learn: in a checkout of Moldau, pip install '.[spark,fraud]'"


def ensure_model(given: str, files: Files) -> bytes | None:
    """The pickle of a classifier that can be had; None if no file is named."""
    if not given:
        return None
    try:
        import sklearn  # noqa: F401
    except ImportError as missing:
        raise SettingError(NO_SCIKIT) from missing
    if given.startswith(TRAINED):
        _seed_in(given)
        return None
    try:
        pickled = read_whole(files, given)
        classifier = _classifier(pickled)
    except StorageError as error:
        raise SettingError(f"the model {given} cannot be read: {error.reason}") from error
    except UNREADABLE as error:
        raise SettingError(f"{given} is no pickled model: {error}") from error
    if not hasattr(classifier, "predict_proba"):
        raise SettingError(f"{given} is no classifier: it has no predict_proba")
    return pickled


def load_model(given: str, files: Files) -> bytes | None:
    """A classifier as a pickle, from its file or trained here; None if no model is wanted."""
    pickled = ensure_model(given, files)
    return train(_seed_in(given)) if given.startswith(TRAINED) else pickled


def _seed_in(given: str) -> int:
    digits = given.removeprefix(TRAINED)
    if not digits.isdecimal():
        raise SettingError(f"model is a file, or {TRAINED}N with a whole number, and not {given!r}")
    return int(digits)


def train(seed: int, count: int = TRAINING_COUNT) -> bytes:
    """A classifier of planted fraud, as a pickle."""
    from sklearn.ensemble import GradientBoostingClassifier

    states: dict[bytes, dict[str, Any]] = defaultdict(dict)
    logic, is_fraud, rows = CardLogic(), list[bool](), list[Judged]()
    for event in payments(count, seed, until_ms=0):
        if event.reason or event.value is None:
            continue
        payment = payment_of(json.loads(event.value))
        rows.append([*logic.take(states[event.key], payment)][-1])
        is_fraud.append(bool(event.mark))
    features = np.array([[getattr(row, name) for name in FEATURES] for row in rows])
    classifier = GradientBoostingClassifier(n_estimators=60, random_state=seed % 2**32)
    return pickle.dumps(classifier.fit(features, is_fraud))


def payment_of(fields: dict[str, Any]) -> Row:
    """A payment as the rules take it."""
    at_us = int(np.datetime64(fields["at"].removesuffix("Z"), "us").astype(np.int64))
    return Row(**{**fields, "at_us": at_us})


@lru_cache(maxsize=2)
def _classifier(pickled: bytes) -> Classifier:
    found: Classifier = pickle.loads(pickled)  # noqa: S301 - the head of the file warns of it
    return found


def scored(rows: DataFrame, pickled: bytes | None, score_min: int) -> DataFrame:
    """With a `score` in per cent, and the model among the reasons where it is high."""
    if pickled is None:
        return rows.withColumn("score", sql.lit(None).cast("double"))
    is_payment = sql.col("kind") == "payment"
    score = sql.when(is_payment, _scoring(pickled)(*FEATURES))
    reasons = sql.concat_ws(
        ",", sql.nullif("reasons", sql.lit("")), sql.when(sql.col("score") >= score_min, MODEL)
    )
    return rows.withColumn("score", score).withColumn("reasons", reasons)


def _scoring(pickled: bytes) -> Callable[..., Column]:
    """An Arrow function: columns of features in, a column of scores out."""

    def score(amount: pa.Array, ratio: pa.Array, velocity: pa.Array, kmh: pa.Array) -> pa.Array:
        set_aside_what_is_loaded()
        return _scores(pickled, (amount, ratio, velocity, kmh))

    return cast("Callable[..., Column]", arrow_udf(score, "double"))  # type: ignore[call-overload]


def _scores(pickled: bytes, columns: Sequence[pa.Array]) -> pa.Array:
    given = np.column_stack([column.fill_null(0).to_numpy(False) for column in columns])
    features = np.clip(np.nan_to_num(given), -FEATURE_MAX, FEATURE_MAX)
    return pa.array(100 * _classifier(pickled).predict_proba(features)[:, 1])
