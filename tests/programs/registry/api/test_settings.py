"""`/config` and `/mode`, as clients ask them."""


def test_a_config_is_set_got_and_deleted(ask):
    assert ask("GET", "/config") == (200, {"compatibilityLevel": "BACKWARD"})
    assert ask.code("GET", "/config/s") == 40408
    assert ask("PUT", "/config/s", {"compatibility": "full"}) == (200, {"compatibility": "FULL"})
    assert ask("GET", "/config/s") == (200, {"compatibilityLevel": "FULL"})
    assert ask("GET", "/config/t?defaultToGlobal=true")[1] == {"compatibilityLevel": "BACKWARD"}
    assert ask("DELETE", "/config/s") == (200, {"compatibilityLevel": "FULL"})
    assert ask.code("DELETE", "/config/s") == 40401
    assert ask("DELETE", "/config") == (200, {"compatibilityLevel": "BACKWARD"})


def test_a_mode_is_set_got_and_deleted(ask):
    assert ask("GET", "/mode") == (200, {"mode": "READWRITE"})
    assert ask.code("GET", "/mode/s") == 40409
    assert ask("PUT", "/mode/s", {"mode": "READONLY"}) == (200, {"mode": "READONLY"})
    assert ask("GET", "/mode/s?defaultToGlobal=true") == (200, {"mode": "READONLY"})
    assert ask("DELETE", "/mode/s") == (200, {"mode": "READONLY"})
    assert ask.code("DELETE", "/mode/s") == 40401
    assert ask("GET", "/mode/s?defaultToGlobal=true") == (200, {"mode": "READWRITE"})
