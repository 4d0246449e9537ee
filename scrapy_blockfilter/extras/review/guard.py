"""Decide which requests a server on this machine answers.

Any web page that is open in the browser can send requests to it, and so can any user of the machine. So a request needs
a secret that only the browser with the printed address gets. It must name this server, which a page that has its own
name point here (DNS rebinding) does not. And what changes anything must come from a page of this server.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from http import HTTPStatus
from threading import Lock

# Bytes of a request's body: a selector of 1,000 characters takes 6,000 as JSON with escapes.
MAX_BODY = 16_384
_JSON = "application/json"


class RefusedError(Exception):
    """A request is not answered. The message says why."""

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Guard:
    """The secrets of a server, and the rules for its requests.

    Headers are given with their names in lower case.
    """

    def __init__(self, port: int) -> None:
        # Opens the server once: others see addresses in lists of processes, histories and screenshots.
        self.token = secrets.token_urlsafe(32)
        self.secret = secrets.token_urlsafe(32)
        self.cookie = f"blockfilter-{port}"  # of the lasting secret; cookies of all ports are shared
        self._hosts = frozenset({f"127.0.0.1:{port}", f"localhost:{port}"})
        self._is_open = False
        self._lock = Lock()

    def opens(self, token: str) -> bool:
        """Return whether a token is right and used for the first time."""
        with self._lock:
            is_right = _same(token, self.token) and not self._is_open
            self._is_open = self._is_open or is_right
        return is_right

    def check_host(self, headers: Mapping[str, str]) -> None:
        """Refuse a request for another server."""
        if headers.get("host", "").lower() not in self._hosts:
            raise RefusedError(HTTPStatus.FORBIDDEN, "The request names another host.")

    def check_browser(self, headers: Mapping[str, str]) -> None:
        """Refuse a request that does not come from the browser that was let in."""
        if not _same(_cookies(headers.get("cookie", "")).get(self.cookie, ""), self.secret):
            raise RefusedError(
                HTTPStatus.FORBIDDEN,
                "This browser was not let in. The printed address opens the review once: to open it again, end the "
                "command with Ctrl-C and start it anew.",
            )

    def check_change(self, headers: Mapping[str, str]) -> None:
        """Refuse a request that may not change anything."""
        origins = {f"http://{host}" for host in self._hosts if host == headers.get("host", "").lower()}
        if headers.get("origin") not in origins or headers.get("sec-fetch-site", "same-origin") != "same-origin":
            raise RefusedError(HTTPStatus.FORBIDDEN, "The request comes from another page.")
        if headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
            raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The request is not JSON.")
        length = headers.get("content-length", "")
        if "transfer-encoding" in headers or not (length.isascii() and length.isdigit()):
            raise RefusedError(HTTPStatus.LENGTH_REQUIRED, "The request does not tell its length.")
        if len(length) > len(str(MAX_BODY)) or int(length) > MAX_BODY:
            raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The request is too large.")


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())


def _cookies(header: str) -> dict[str, str]:
    pairs = (part.strip().partition("=") for part in header.split(";"))
    return {name: value for name, _, value in pairs}
