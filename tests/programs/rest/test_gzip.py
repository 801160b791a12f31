"""A proxy and gzip, over a real connection."""

import gzip
import json

JSON = "application/vnd.kafka.json.v2+json"


def test_records_in_gzip_arrive_and_a_long_answer_is_in_gzip_for_who_takes_it(rest, made):
    body = gzip.compress(json.dumps({"records": [{"value": "x" * 5000}]}).encode())
    status, answer = rest.ask("POST", f"/topics/{made}", body, JSON, Content_Encoding="gzip")
    assert status == 200
    assert answer["offsets"][0]["error_code"] is None
    record = gzip.compress(b'{"value":{"type":"STRING","data":"y"}}')
    path = f"/v3/clusters/{rest.cluster}/topics/{made}"
    status, report = rest.ask("POST", f"{path}/records", record, Content_Encoding="gzip")
    assert (status, report["error_code"]) == (200, 200)

    status, headers, data = rest.raw("GET", f"{path}/configs", Accept_Encoding="gzip")
    assert (status, headers["Content-Encoding"]) == (200, "gzip")
    assert json.loads(gzip.decompress(data)) == rest.get(f"{path}/configs")
    assert rest.ask("POST", f"/topics/{made}", b"x", JSON, Content_Encoding="br")[0] == 415
