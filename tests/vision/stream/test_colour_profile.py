"""A picture with a colour profile is read in the colours that its viewer shows (ICC.1)."""

import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageCms

from tests.vision.test_source import grey
from vision.stream.picture import read_picture

# Columns: red, green and blue of Display P3 in XYZ, adapted to D50 (SMPTE EG 432-1, ICC.1 annex E).
P3_XYZ = ((0.51512, 0.2412, -0.00105), (0.29198, 0.69225, 0.04189), (0.1571, 0.06657, 0.78407))
# Of sRGB's light that of Display P3, red first (CSS Color 4, 18).
TO_P3 = np.array([[0.8224621, 0.177538, 0], [0.0331941, 0.9668058, 0], [0.0170827, 0.0723974, 0.9105199]])
# Owners' dots, a new copper and brass, red first.
COLOURS = np.array([(200, 40, 40), (40, 70, 190), (50, 140, 60), (220, 200, 60), (190, 120, 80), (200, 180, 120)])
HEIC = Path(__file__).parents[2] / "pictures" / "turned.heic"


def numbers(*told: float) -> bytes:
    return b"".join(struct.pack(">i", round(65536 * each)) for each in told)


def p3_profile(space: bytes = b"RGB ") -> bytes:
    name = "Display P3".encode("utf-16-be")
    words = b"mluc\0\0\0\0" + struct.pack(">II2s2sII", 1, 12, b"en", b"US", len(name), 28) + name
    curve = b"para\0\0\0\0\0\3\0\0" + numbers(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
    white = (0.9642, 1.0, 0.8249)
    places = {b"wtpt": white, **dict(zip((b"rXYZ", b"gXYZ", b"bXYZ"), P3_XYZ, strict=True))}
    tags = {b"desc": words, b"cprt": words, b"rTRC": curve, b"gTRC": curve, b"bTRC": curve}
    tags |= {name: b"XYZ \0\0\0\0" + numbers(*xyz) for name, xyz in places.items()}
    table, body, begins = b"", b"", 128 + 4 + 12 * len(tags)
    for tag, content in tags.items():
        table += tag + struct.pack(">II", begins + len(body), len(content))
        body += content + b"\0" * (-len(content) % 4)
    whole = struct.pack(">I", len(tags)) + table + body
    head = struct.pack(">I4xI", 128 + len(whole), 0x04000000) + b"mntr" + space + b"XYZ " + bytes(12) + b"acsp"
    return head + bytes(28) + numbers(*white) + bytes(48) + whole


def patches() -> np.ndarray:
    """(96, 192, 3) levels in sRGB, red first: six columns of one colour each."""
    return np.repeat(np.repeat(COLOURS[None].astype(np.uint8), 96, axis=0), 32, axis=1)


def stored_in_p3(levels: np.ndarray) -> np.ndarray:
    share = levels / 255
    light = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4) @ TO_P3.T
    return np.rint(255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)).astype("u1")


def colours_in(path: Path) -> np.ndarray:
    return read_picture(path).image_bgr[48, 16::32, ::-1].astype(int)


@pytest.mark.parametrize("ending", ["jpg", "png", "tif", "webp"])
def test_a_telephones_wide_colours_are_read_as_they_are_shown(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    stored = stored_in_p3(patches())
    assert np.abs(stored[48, 16::32].astype(int) - COLOURS).max() > 20
    Image.fromarray(stored).save(path, quality=98, icc_profile=p3_profile())
    assert colours_in(path) == pytest.approx(COLOURS, abs=5)


def test_a_telephones_heic_of_wide_colours_is_read_as_it_is_shown(tmp_path: Path) -> None:
    plain, content, profile = read_picture(HEIC), bytearray(HEIC.read_bytes()), p3_profile()
    told = content.index(b"colrnclx") - 4
    was = int.from_bytes(content[told : told + 4])
    box = struct.pack(">I", 12 + len(profile)) + b"colrprof" + profile
    for holder in (b"meta", b"iprp", b"ipco"):
        size = content.index(holder) - 4
        content[size : size + 4] = (int.from_bytes(content[size : size + 4]) + len(box) - was).to_bytes(4)
    items = content.index(b"iloc") + 12
    for base in (items + 4, items + 22):  # where each item begins, of two
        content[base : base + 4] = (int.from_bytes(content[base : base + 4]) + len(box) - was).to_bytes(4)
    content[told : told + was] = box
    (tmp_path / "a.heic").write_bytes(content)
    wide = read_picture(tmp_path / "a.heic").image_bgr.astype(int)
    assert wide.shape == plain.image_bgr.shape
    assert np.ptp(wide, axis=2).max() > np.ptp(plain.image_bgr.astype(int), axis=2).max() + 10


@pytest.mark.parametrize("told", ["srgb", "broken", "cut", "another space"])
def test_a_profile_that_says_nothing_changes_nothing(tmp_path: Path, capfd, told: str) -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    profile = {
        "srgb": srgb,
        "broken": bytes(36) + b"acsp" + bytes(200),
        "cut": p3_profile()[:200],
        "another space": p3_profile(b"GRAY"),
    }[told]
    Image.fromarray(patches()).save(tmp_path / "a.jpg", icc_profile=profile)
    Image.fromarray(patches()).save(tmp_path / "plain.jpg")
    found, plain = (read_picture(tmp_path / name).image_bgr for name in ("a.jpg", "plain.jpg"))
    assert np.array_equal(found, plain)
    assert capfd.readouterr() == ("", "")


def test_a_grey_picture_of_wide_colours_stays_grey(tmp_path: Path) -> None:
    Image.fromarray(grey(90)).save(tmp_path / "a.png", icc_profile=p3_profile())
    assert read_picture(tmp_path / "a.png").image_bgr[50, 50] == pytest.approx([90, 90, 90], abs=1)
