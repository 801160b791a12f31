"""What `moldau share-consumer-perf-test` refuses before it reads."""

SERVER = "share-consumer-perf-test --bootstrap-server localhost:1"


def test_a_topic_and_a_number_of_records_are_required(call):
    assert call(SERVER)[1][0] == 'Missing required argument "[topic]"'
    code, printed = call(f"{SERVER} --topic t")
    message = "Exactly one of the following arguments is required: [messages], [num-records]"
    assert (code, printed[0]) == (1, message)
