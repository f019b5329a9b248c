"""A camera that sends JPEG pictures over HTTP on loopback, one part after another, as a phone's camera app does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Pictures = Callable[[], Iterable[bytes]]


def mjpeg_handler(
    pictures: Pictures, refusal: Callable[[], int | None] = lambda: None, kind: str | None = "image/jpeg"
) -> type[BaseHTTPRequestHandler]:
    """Answers each request with the JPEG pictures of a new `pictures()`, until they end or the other side hangs up.

    refusal  asked at each request: the HTTP status by which it is refused, None where it is served
    kind     what each part is said to be; None for pictures that follow one another without parts
    """

    class Handler(BaseHTTPRequestHandler):
        """Streams."""

        def do_GET(self) -> None:
            """Refuse, or send all pictures."""
            status = refusal()
            if status is not None:
                self.send_error(status)
                return
            self.send_response(200)
            parts = "multipart/x-mixed-replace; boundary=frame"
            self.send_header("Content-Type", parts if kind is not None else "video/x-motion-jpeg")
            self.end_headers()
            with suppress(OSError):
                for jpeg in pictures():
                    head = f"--frame\r\nContent-Type: {kind}\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                    self.wfile.write(jpeg if kind is None else head.encode() + jpeg + b"\r\n")

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    return Handler


class MjpegCamera:
    """Serves pictures until it dies; see `mjpeg_handler`. As a context it dies at the end."""

    def __init__(
        self,
        pictures: Pictures,
        port: int = 0,
        refusal: Callable[[], int | None] = lambda: None,
        kind: str | None = "image/jpeg",
    ) -> None:
        self._alive = True
        handler = mjpeg_handler(lambda: self._living(pictures()), refusal, kind)
        self._server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """Where it is found."""
        return f"http://127.0.0.1:{self.port}/video"

    def die(self) -> None:
        """Hang up and listen no more."""
        self._alive = False
        self._server.shutdown()
        self._server.server_close()

    def _living(self, pictures: Iterable[bytes]) -> Iterable[bytes]:
        for jpeg in pictures:
            if not self._alive:
                return
            yield jpeg

    def __enter__(self) -> MjpegCamera:
        return self

    def __exit__(self, *_: object) -> None:
        self.die()
