"""Ending transactions; that one ends is in tests/programs/console/cluster/test_transactions.py."""


def test_a_transaction_that_is_not_there_is_a_sentence(console, topic):
    body = {"topic": topic, "partition": 0, "start_offset": 3}
    status, sentence = console.refusal("POST", "/changes/abort-transaction/plan", body)
    assert (status, "began at 3" in sentence) == (404, True)
    body = {"id": "unknown"}
    assert console.refusal("POST", "/changes/terminate-transaction/plan", body)[0] >= 400
