"""A model scores what the rules measured; where it is missing that is one sentence."""

from __future__ import annotations

import pickle
import sys

import pyarrow as pa
import pytest

from moldau.platform.ports.files import replace_whole
from moldau.platform.simulated.files import SimulatedFiles
from moldau.programs.pipelines.errors import SettingError
from moldau.programs.pipelines.model import _scores, ensure_model, load_model, train

QUIET, SPREE = (20.0, 1.0, 1.0, 0.0), (600.0, 14.0, 1.0, 0.0)


@pytest.fixture
def scikit():
    pytest.importorskip("sklearn", reason="moldau[fraud] is not installed")


@pytest.mark.usefixtures("scikit")
def test_a_spree_has_a_high_score_and_an_ordinary_payment_has_none():
    model = train(7, 3_000)
    assert model == train(7, 3_000)
    columns = [pa.array(values) for values in zip(QUIET, SPREE, strict=True)]
    quiet, spree = _scores(model, columns).to_pylist()
    assert quiet < 20
    assert spree > 80


@pytest.mark.usefixtures("scikit")
def test_a_number_that_is_too_large_or_none_costs_no_batch():
    columns = [pa.array([1e300, float("nan"), 20.0]), *[pa.array([float("inf"), None, 1.0])] * 3]
    assert len(_scores(train(7, 3_000), columns)) == 3


@pytest.mark.usefixtures("scikit")
@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("/no/model", "the model /no/model cannot be read: "),
        ("/text", "/text is no pickled model: "),
        ("/dict", "/dict is no classifier: it has no predict_proba"),
        ("seed:x", "model is a file, or seed:N with a whole number, and not 'seed:x'"),
    ],
)
def test_a_model_that_cannot_be_had_is_one_sentence(given, sentence):
    files = SimulatedFiles()
    replace_whole(files, "/text", b"no pickle")
    replace_whole(files, "/dict", pickle.dumps({}))
    for asked in (ensure_model, load_model):
        with pytest.raises(SettingError, match=sentence):
            asked(given, files)


def test_without_a_model_nothing_is_needed(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    assert load_model("", SimulatedFiles()) is None
    with pytest.raises(SettingError, match=r"pip install '\.\[spark,fraud\]'"):
        load_model("seed:1", SimulatedFiles())
