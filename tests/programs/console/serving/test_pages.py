"""The files of the pages."""

import re

from moldau.programs.console.serving.pages import static_files

SCRIPT_BYTES_MAX = 300 * 1024


def test_scripts_are_small_and_import_what_is_there():
    found = static_files()
    scripts = {name: data.decode() for name, data in found.items() if name.endswith(".js")}
    assert sum(map(len, scripts.values())) < SCRIPT_BYTES_MAX
    for name, text in scripts.items():
        for other in re.findall(r'from "\./([\w.]+)"', text):
            assert other in scripts, (name, other)


def test_pages_take_nothing_from_elsewhere_and_parse_nothing_as_html():
    for name, data in static_files().items():
        text = data.decode().replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://", text), name
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", text
        )
        assert not re.search(r"\bstyle=|\bon\w+=\"", text), name


def test_every_address_of_a_page_is_the_same_document(console):
    status, headers, data = console.raw("GET", "/ui/topics/a%2Fb/messages?partition=1")
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert b"/main.js" in data
    status, _, data = console.raw("GET", "/ui", headers={"If-None-Match": headers["ETag"]})
    assert (status, data) == (304, b"")


def test_the_root_leads_to_the_pages_and_other_files_are_not_served(console):
    status, headers, _ = console.raw("GET", "/")
    assert (status, headers["Location"]) == (302, "/ui")
    assert console.raw("GET", "/static/any/..%2Fpages.py")[0] == 404


def test_the_document_names_all_scripts_and_what_it_names_need_not_be_asked_for_again(console):
    _, headers, data = console.raw("GET", "/ui")
    assert headers["Cache-Control"] == "no-cache"
    named = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', data.decode()))
    assert {path.rpartition("/")[2] for path in named} == static_files().keys() - {"index.html"}
    for path in named:
        status, headers, _ = console.raw("GET", path)
        assert (status, headers["Cache-Control"]) == (200, "max-age=31536000, immutable"), path


def test_a_file_of_another_version_is_that_of_today_and_is_not_kept(console):
    status, headers, _ = console.raw("GET", "/static/0123456789abcdef/main.js")
    assert (status, headers["Cache-Control"]) == (200, "no-cache")
