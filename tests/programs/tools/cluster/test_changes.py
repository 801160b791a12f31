"""What may not be changed is refused before anything is; what shall be gone goes."""

import pytest


def plan(call, tmp_path, text):
    path = tmp_path / "wanted.yaml"
    path.write_text(text)
    return call(f"plan {path}")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("{partitions: 1}", "has 2 partitions, and none can be taken away"),
        ("{replication-factor: 3}", "has 1 replicas, and 3 are wanted"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(call, topic, tmp_path, errors, fields, message):
    assert plan(call, tmp_path, f"topics:\n  {topic}: {fields}\n")[0] == 1
    assert f":2:{len(topic) + 5}: topic {topic} {message}" in errors.getvalue()


def test_what_shall_be_gone_is_marked_so(call, topic, tmp_path):
    text = f"topics: {{{topic}: {{absent: true}}, no-such: {{absent: true}}}}"
    assert plan(call, tmp_path, text)[1] == [f"- topic {topic} with all its records", "1 change."]


def test_a_setting_goes_back_to_its_default(call, topic, tmp_path):
    path = tmp_path / "set.yaml"
    path.write_text(f"topics: {{{topic}: {{configs: {{retention.ms: 5000}}}}}}")
    assert call(f"apply {path} --yes")[0] == 0
    text = f"topics: {{{topic}: {{configs: {{retention.ms: null}}}}}}"
    assert plan(call, tmp_path, text)[1][0] == f"~ topic {topic} retention.ms 5000 -> default"
