"""`moldau plan` at a real node."""


def test_a_file_with_a_mistake_is_refused_with_its_place(call, tmp_path, errors):
    path = tmp_path / "bad.yaml"
    path.write_text("topics:\n  a: {partition: 1}\n")
    assert call(f"plan {path}")[0] == 1
    assert f"{path}:2:7: partition is unknown" in errors.getvalue()
    assert call(f"plan {path}-2")[0] == 1
    assert "there is no such file" in errors.getvalue()


def test_differences_are_shown_and_nothing_is_changed(call, topic, tmp_path):
    path = tmp_path / "wanted.yaml"
    path.write_text(f"topics: {{{topic}: {{partitions: 3}}, {topic}-2: {{partitions: 1}}}}")
    for _ in range(2):
        assert call(f"plan {path}") == (
            0,
            [
                f"~ topic {topic} partitions 2 -> 3",
                f"+ topic {topic}-2 partitions=1",
                "2 changes.",
            ],
        )
    assert call(f"plan {path} --exit-code")[0] == 1
