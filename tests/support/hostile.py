"""A page that tries to escape its frame: by scripts, handlers, addresses, style sheets and broken markup."""

from __future__ import annotations

from pathlib import Path

# {0} is the address of a server that must get no request; {1} is a script that would leave a mark.
_SCRIPT = "top.pwned=parent.pwned=window.pwned=1;document.title='pwned';new Image().src='{0}/script'"
_HEAD, _BODY = (
    Path(__file__).with_name(f"hostile_{part}.html").read_text(encoding="utf-8").splitlines()
    for part in ("head", "body")
)
_PARTS = (*_BODY, "<p>\u202egnitirw fo noitcerid \ud800\x01</p>")


def hostile_parts(address: str) -> list[str]:
    """Return pieces of HTML that each try another attack."""
    script = _SCRIPT.format(address)
    return [part.format(address, script) for part in _PARTS]


def hostile_page(address: str, *, story: str = "") -> str:
    """Return a page with all pieces, and ``story`` as its content."""
    script = _SCRIPT.format(address)
    head = "".join(part.format(address, script) for part in _HEAD)
    body = "".join(hostile_parts(address))
    return (
        f'<!DOCTYPE html><html onclick="{script}"><head>{head}</head>'
        f'<body background=\'{address}/background.png\' onload="{script}" onpageshow="{script}">'
        f"<h1>{story}</h1><p>{story}, told at some length, so that there is something to keep on this page.</p>{body}"
        "</body></html>"
    )
