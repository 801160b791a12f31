"""What `moldau verifiable-share-consumer` refuses before it begins."""

TOOL = "verifiable-share-consumer"


def test_what_is_required_is_named_as_argparse4j_does(call):
    code, printed = call(f"{TOOL} --bootstrap-server localhost:1")
    assert (code, printed[0]) == (1, f"{TOOL}: error: argument --topic is required")
