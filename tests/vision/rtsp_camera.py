"""A camera that speaks RTSP on loopback: RFC 2326 with the stream interleaved, MPEG-TS in RTP (RFC 2250)."""

from __future__ import annotations

import io
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import av
import numpy as np
from av.video.frame import VideoFrame
from numpy.typing import NDArray

_SDP = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=table\r\nt=0 0\r\nm=video 0 RTP/AVP 33\r\na=control:track1\r\n"
_TS_BYTES, _TS_A_PACKET, _MP2T = 188, 7, 33
Picture = Callable[[int], NDArray[np.uint8]]


class RtspCamera:
    """Serves the pictures `picture(0)`, `picture(1)`, ... to one client after another.

    sent_s  when each was handed to the network, by its number
    """

    def __init__(self, picture: Picture, rate_hz: int = 30, port: int = 0) -> None:
        self._picture, self._rate_hz = picture, rate_hz
        self.sent_s: dict[int, float] = {}
        self._stopping = threading.Event()
        self._client: socket.socket | None = None
        self._listening = socket.create_server(("127.0.0.1", port))
        self.port = int(self._listening.getsockname()[1])
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Where it can be played."""
        return f"rtsp://127.0.0.1:{self.port}/table"

    def die(self) -> None:
        """Hang up and listen no more."""
        self._stopping.set()
        # A thread that waits in accept is woken by a caller, not by a close.
        with socket.socket() as caller:
            caller.connect_ex(("127.0.0.1", self.port))
        self._listening.close()
        if self._client is not None:
            self._client.close()
        self._thread.join(5)

    def _serve(self) -> None:
        while not self._stopping.is_set():
            with suppress(OSError):
                self._client, _ = self._listening.accept()
                with self._client as client:
                    if not self._stopping.is_set():
                        self._talk(client)

    def _talk(self, client: socket.socket) -> None:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        heard = b""
        while not self._stopping.is_set():
            while b"\r\n\r\n" not in heard:
                more = client.recv(4096)
                if not more:
                    return
                heard += more
            request, heard = heard.split(b"\r\n\r\n", 1)
            client.sendall(_answer(request.decode(), self.url))
            if request.startswith(b"PLAY"):
                self._send(client)
                return

    def _send(self, client: socket.socket) -> None:
        sequence, started_s = 0, time.monotonic()
        for number, stream in enumerate(self._encoded()):
            time.sleep(max(0.0, started_s + number / self._rate_hz - time.monotonic()))
            self.sent_s[number] = time.monotonic()
            for first in range(0, len(stream), _TS_BYTES * _TS_A_PACKET):
                head = struct.pack(">BBHII", 0x80, _MP2T, sequence & 0xFFFF, number * 90000 // self._rate_hz, 1)
                packet = head + stream[first : first + _TS_BYTES * _TS_A_PACKET]
                client.sendall(b"$\x00" + struct.pack(">H", len(packet)) + packet)
                sequence += 1

    def _encoded(self) -> Iterator[bytes]:
        """The MPEG-TS bytes of one picture after the other."""
        out = io.BytesIO()
        with av.open(out, "w", format="mpegts", options={"flush_packets": "1"}) as container:
            stream = None
            for number in range(100_000):
                if self._stopping.is_set():
                    return
                frame = VideoFrame.from_ndarray(self._picture(number), format="bgr24")
                frame.pts = number
                if stream is None:
                    stream = container.add_stream("mpeg2video", rate=self._rate_hz)
                    stream.width, stream.height, stream.pix_fmt = frame.width, frame.height, "yuv420p"
                    stream.codec_context.gop_size, stream.bit_rate = 15, 8_000_000
                    stream.codec_context.max_b_frames = 0
                for packet in stream.encode(frame):
                    container.mux(packet)
                yield out.getvalue()
                out.seek(0)
                out.truncate()


def _answer(request: str, url: str) -> bytes:
    method = request.split(" ", 1)[0]
    count = next(line.split(":")[1].strip() for line in request.split("\r\n") if line.lower().startswith("cseq"))
    head, body = [f"RTSP/1.0 200 OK\r\nCSeq: {count}\r\n"], ""
    if method == "OPTIONS":
        head.append("Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n")
    elif method == "DESCRIBE":
        body = _SDP
        head.append(f"Content-Base: {url}/\r\nContent-Type: application/sdp\r\nContent-Length: {len(body)}\r\n")
    elif method == "SETUP":
        head.append("Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n")
    else:
        head.append("Session: 1\r\n")
    return ("".join(head) + "\r\n" + body).encode()
