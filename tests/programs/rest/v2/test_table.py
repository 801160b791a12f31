"""The routes of version 2 stand beside those of version 3."""


def test_each_version_refuses_what_is_not_its_path(rest):
    assert rest.ask("GET", "/topics")[0] == 200
    assert rest.ask("GET", "/nope") == (404, {"error_code": 404, "message": "HTTP 404 Not Found"})
    assert rest.ask("PUT", "/consumers/g")[0] == 405
