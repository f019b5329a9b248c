"""The drawn map as a PDF of one page at true size, to print on a large sheet or at a copy shop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2

from sample_footage.lie_of_the_land import SHEET_MM
from sample_footage.map_sheet import MARGIN_MM, kingsmere_sheet_bgr
from sample_footage.whole_file import write_bytes_whole

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

PRINT_PX_PER_MM = 8.0  # 203 dots per inch: its finest lettering, 1.9 mm high, is 15 px
PICTURE_PX_PER_MM = 4.0
POINTS_PER_MM = 72 / 25.4


def page_size_mm() -> tuple[float, float]:
    """The sheet with its white margin."""
    return SHEET_MM[0] + 2 * MARGIN_MM, SHEET_MM[1] + 2 * MARGIN_MM


def picture_pdf(picture: NDArray[np.uint8], size_mm: tuple[float, float]) -> bytes:
    """One page of that size that the picture fills (ISO 32000-1, 7.5 and 8.9.5)."""
    jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    width, height = (side * POINTS_PER_MM for side in size_mm)
    drawing = f"q {width:.4f} 0 0 {height:.4f} 0 0 cm /Map Do Q".encode()
    image = (
        f"/Type /XObject /Subtype /Image /Width {picture.shape[1]} /Height {picture.shape[0]} /ColorSpace /DeviceRGB"
    )
    page = f"/Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.4f} {height:.4f}] /Contents 4 0 R"
    return _document(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< {page} /Resources << /XObject << /Map 5 0 R >> >> >>".encode(),
            _stream("", drawing),
            _stream(f"{image} /BitsPerComponent 8 /Filter /DCTDecode", jpeg),
        ]
    )


def _stream(entries: str, content: bytes) -> bytes:
    return f"<< {entries} /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream"


def _document(objects: list[bytes]) -> bytes:
    """Numbered objects, the table of where each starts, and the trailer."""
    body, starts = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, content in enumerate(objects, 1):
        starts.append(len(body))
        body += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    table = "".join(f"{start:010d} 00000 n \n" for start in starts)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    return body + f"{head}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF\n".encode()


def write_map_pdf(path: Path) -> None:
    """Write the packaged map, whole or not at all."""
    write_bytes_whole(path, picture_pdf(kingsmere_sheet_bgr(PRINT_PX_PER_MM), page_size_mm()))


def write_map_picture(path: Path, printed_px_per_mm: float = PRINT_PX_PER_MM) -> None:
    """Write the packaged map as a JPEG picture of 4 px/mm, margin and markers included.

    It is the print itself made smaller: drawn anew, lines are other whole pixels wide, lettering stands on others and
    names on other sides, and a camera that matches it with the print is 0.05 mm off.
    """
    size_px = tuple(round(side * PICTURE_PX_PER_MM) for side in page_size_mm())
    picture = cv2.resize(kingsmere_sheet_bgr(printed_px_per_mm), size_px, interpolation=cv2.INTER_AREA)
    write_bytes_whole(path, cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes())
