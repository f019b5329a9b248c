"""A still picture as a frame."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, ImageBgr
from vision.stream.colour_profile import in_srgb, told_profile

# Fewer pixels than this a side cannot show a table: a coin would be a pixel or two.
MIN_SIDE_PX = 64
_STANDARD_ERROR = 2
_FILM_NAMED_PICTURE = "a film by what it holds, a picture by its name; name it as one, such as .mp4"
_FILM = (
    "a film, and a picture is wanted here; save one of its pictures, or give it by --source to a command that has it"
)
_HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
_AVIF_BRANDS = (b"avif", b"avis")
# PNG, WebP, GIF, TIFF of either byte order: pictures that may be transparent.
_MAY_BE_TRANSPARENT = (b"\x89PNG", b"RIFF", b"GIF8", b"II*\0", b"MM\0*")
# JPEG and WebP, of whose damage their decoders say nothing.
_SILENT = (b"\xff\xd8\xff", b"RIFF")
# Levels that a picture of 16 bits a channel may differ by: one decoder rounds it to 8, another cuts it.
_ROUNDED = 1
# What a folder of pictures may hold besides is left alone.
SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp", ".heic", ".heif")


def pictures_in(path: Path) -> tuple[Path, ...]:
    """The pictures of a folder, by name; of a file, that file. ValueError for a folder without any."""
    if not path.is_dir():
        return (path,)
    found = tuple(sorted(each for each in path.iterdir() if each.suffix.lower() in SUFFIXES and each.is_file()))
    if not found:
        raise ValueError(f"{path}: there is no picture in this folder; give pictures, or a folder of them")
    return found


def read_picture(path: Path) -> Frame:
    """The picture in `path` as its viewer shows it: EXIF's turn and its colour profile applied.

    OSError if it cannot be read, ValueError if it is no picture or too small for one of a table.
    """
    content = _content_of(path)
    image, said = (_of_heic(path, content), "") if _is_heic(content) else _ordinary(content)
    if image is None:
        if _is_film(content):
            raise ValueError(f"{path}: {_FILM_NAMED_PICTURE if path.suffix.lower() in SUFFIXES else _FILM}")
        if content.startswith(_SILENT) and not said:
            raise ValueError(f"{path}: a picture that is cut short or damaged; copy it again from where it was taken")
        why = f" ({said})" if said else ""
        raise ValueError(f"{path}: not a picture that can be read{why}; give a JPEG, PNG or the like, or a video")
    if said and sys.stderr is not None:
        sys.stderr.write(f"{path}: {said}\n")
    if min(image.shape[:2]) < MIN_SIDE_PX:
        raise ValueError(f"{path}: only {image.shape[1]} x {image.shape[0]} pixels; take a larger picture of the table")
    return Frame(image, source=str(path))


def is_picture(path: Path) -> bool:
    """Whether a file is to be read as one picture: by the ending of its name, or else by its first bytes."""
    if path.suffix.lower() in SUFFIXES:
        return True
    return path.is_file() and os.access(path, os.R_OK) and (_is_known(path) or _is_heic(_head(path)))


def _is_known(path: Path) -> bool:
    """Whether OpenCV knows the first bytes. It crashes at a name that is not UTF-8, unless given as bytes."""
    return cv2.haveImageReader(os.fsencode(path))  # type: ignore[arg-type]


def _content_of(path: Path) -> bytes:
    """What a file holds; ValueError for a device, which would be read without end (a pipe ends)."""
    if path.is_char_device() or path.is_block_device():
        raise ValueError(
            f"{path}: this is a device, and no picture; give a file (a camera goes by its number after --source, in"
            " commands that look at one)"
        )
    return path.read_bytes()


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(12)


def _is_heic(content: bytes) -> bool:
    """Whether a file says that it is a picture as telephones keep them (ISO/IEC 23008-12, "ftyp" and its brand)."""
    return content[4:8] == b"ftyp" and content[8:12] in _HEIC_BRANDS


def _is_film(content: bytes) -> bool:
    """Whether a file begins as films do: MP4 and its kin, Matroska, AVI."""
    is_mp4 = content[4:8] == b"ftyp" and content[8:12] not in _AVIF_BRANDS
    return is_mp4 or content[:4] == b"\x1aE\xdf\xa3" or content[8:12] == b"AVI "


def _of_heic(path: Path, content: bytes) -> ImageBgr:
    """The picture in the bytes of a HEIC file, upright; ValueError if it is broken."""
    import pi_heif  # here, for few pictures are such and it loads all of Pillow

    try:
        picture = pi_heif.open_heif(content).to_pillow().convert("RGB")
    except (ValueError, EOFError, SyntaxError, RuntimeError, OSError, MemoryError) as error:
        said = " ".join(str(error).split())
        raise ValueError(f"{path}: a HEIC picture that cannot be read ({said}); save it as JPEG or PNG") from None
    return in_srgb(np.ascontiguousarray(np.asarray(picture)[..., ::-1]), picture.info.get("icc_profile"))


def _of_avif(content: bytes) -> ImageBgr | None:
    """The picture in the bytes of an AVIF file, upright and on white, as OpenCV makes none of them; None if Pillow
    cannot read it either."""
    from PIL import Image, ImageOps  # here, as for HEIC

    try:
        with Image.open(BytesIO(content)) as stored:
            picture = ImageOps.exif_transpose(stored).convert("RGBA")
    except (ValueError, EOFError, SyntaxError, RuntimeError, OSError, MemoryError, Image.DecompressionBombError):
        return None
    paper = Image.new("RGBA", picture.size, "white")
    paper.alpha_composite(picture)
    image = np.asarray(paper.convert("RGB"))[..., ::-1]
    return in_srgb(np.ascontiguousarray(image), picture.info.get("icc_profile"))


def _ordinary(content: bytes) -> tuple[ImageBgr | None, str]:
    """The picture in the bytes of another file in sRGB's colours, if there is one, and what its decoder said of it."""
    shown = _of_avif(content) if content[4:8] == b"ftyp" and content[8:12] in _AVIF_BRANDS else None
    if shown is not None:
        return shown, ""
    image, said = _decoded(np.frombuffer(content, np.uint8))
    return (None if image is None else in_srgb(image, told_profile(content))), said


def _decoded(content: NDArray[np.uint8]) -> tuple[ImageBgr | None, str]:
    """The picture in the bytes, if there is one, and what its decoder said of it, on one line."""
    if not content.size:
        return None, "the file is empty"
    with _error_output() as said:
        try:
            image = _on_white(cv2.imdecode(content, cv2.IMREAD_COLOR), content)
        except (cv2.error, MemoryError):  # OpenCV throws only for what would fill the memory
            return None, "it has more pixels than there is room for"
        said.seek(0)
        words = said.read().decode(errors="replace").split()
    return image, " ".join(words)


def _on_white(image: Any, content: NDArray[np.uint8]) -> ImageBgr | None:
    """The picture in the bytes, decoded as `image`, where it is transparent as white as paper and viewers show it: the
    ground of a map that a drawing program exported is black else, and so are its lines.

    Left as it is where nothing would be seen of it (programs that know no transparency may write none), or EXIF turned
    it: OpenCV turns no picture with its transparency.
    """
    if image is None or not content[:4].tobytes().startswith(_MAY_BE_TRANSPARENT):
        return cast("ImageBgr | None", image)
    whole = np.asarray(cv2.imdecode(content, cv2.IMREAD_UNCHANGED))
    if whole.dtype == np.uint16:
        whole = (whole >> 8).astype(np.uint8)
    if whole.shape != (*image.shape[:2], 4) or cv2.absdiff(whole[..., :3], image).max() > _ROUNDED:
        return cast(ImageBgr, image)
    opaque = whole[..., 3]
    shows_paper = opaque < 255
    if opaque.any():
        share = opaque[shows_paper, None] / 255
        image[shows_paper] = np.round(image[shows_paper] * share + 255 * (1 - share))
    return np.asarray(image, np.uint8)


@contextmanager
def _error_output() -> Iterator[BinaryIO]:
    """What is written to standard error meanwhile: libpng and libjpeg complain there, past Python and OpenCV."""
    with _written() as said:
        try:
            kept = os.dup(_STANDARD_ERROR)
        except OSError:  # it is closed: nobody hears them
            yield said
            return
        os.dup2(said.fileno(), _STANDARD_ERROR)
        try:
            yield said
        finally:
            os.dup2(kept, _STANDARD_ERROR)
            os.close(kept)


def _written() -> BinaryIO:
    """A file to catch words in; where the disk takes none they are lost, and the picture is read all the same."""
    try:
        return cast(BinaryIO, tempfile.TemporaryFile())
    except OSError:
        return Path(os.devnull).open("w+b")
