"""What `moldau verifiable-producer` refuses before it begins."""

TOOL = "verifiable-producer"


def test_what_is_required_is_named_as_argparse4j_does(call):
    code, printed = call(f"{TOOL} --bootstrap-server localhost:1")
    assert (code, printed[0]) == (1, f"{TOOL}: error: argument --topic is required")


def test_acks_are_one_of_three(call):
    code, printed = call(f"{TOOL} --bootstrap-server localhost:1 --topic t --acks 5")
    message = f"{TOOL}: error: argument --acks: invalid choice: '5' (choose from {{0,1,-1}})"
    assert (code, printed[0]) == (1, message)
