"""The readers of free games' figures, on files of two triangles written here."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from models.training.sculpted import g3d, md2, md3, pmd
from models.training.sculpted.actors import Art
from models.training.sculpted.sculpt import Part, save

SQUARE = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], float)
FACES = [(0, 1, 2), (0, 2, 3)]
HALF_TURN_Y = (0.0, 1.0, 0.0, 0.0)


def pose(at: tuple[float, ...], turn: tuple[float, ...] = (0, 0, 0, 1)) -> bytes:
    return struct.pack("<7f", *at, *turn)


def a_pmd(sockets: dict[str, tuple[int, bytes]], bones: list[bytes]) -> bytes:
    """A square that hangs on bone 0, or on none where there are no bones."""
    bone = 0 if bones else 255
    data = struct.pack("<II", 4, 1)
    for x, y, z in SQUARE:
        data += struct.pack("<8f", x, y, z, 0, 0, 1, x, y) + struct.pack("<4B4f", bone, 255, 255, 255, 1, 0, 0, 0)
    data += struct.pack("<I6H", 2, *np.ravel(FACES)) + struct.pack("<I", len(bones)) + b"".join(bones)
    data += struct.pack("<I", len(sockets))
    for name, (hung_on, place) in sockets.items():
        data += struct.pack("<I", len(name)) + name.encode() + place + struct.pack("<B", hung_on)
    return b"PSMD" + struct.pack("<II", 4, len(data)) + data


def a_psa(frames: list[list[bytes]]) -> bytes:
    data = struct.pack("<I", 4) + b"walk" + struct.pack("<fII", 0.1, len(frames[0]), len(frames))
    return b"PSSA" + struct.pack("<II", 1, 0) + data + b"".join(bone for frame in frames for bone in frame)


def test_a_bone_carries_its_points_from_where_they_rest(tmp_path: Path) -> None:
    file = tmp_path / "a.pmd"
    file.write_bytes(a_pmd({}, [pose((0, 0, 5))]))
    moved = pmd.poses(np.frombuffer(pose((10, 0, 5), HALF_TURN_Y), pmd._POSE))
    placed = pmd.mesh(file).posed(moved)
    # About the bone's place at rest, (0, 0, 5), the square is half turned, then stands at (10, 0, 5).
    assert np.allclose(placed, SQUARE * (-1, 1, 1) + (10, 0, 10))


def test_an_actor_stands_up_faces_ahead_and_holds_his_prop_in_his_right_hand(tmp_path: Path) -> None:
    for folder in ("actors/units", "actors/props", "meshes", "animation", "textures"):
        (tmp_path / folder).mkdir(parents=True)
    hand = {"weapon_R": (0, pose((-3, 2, -1)))}
    (tmp_path / "meshes/man.dae.cached.pmd").write_bytes(a_pmd(hand, [pose((0, 0, 0))]))
    (tmp_path / "meshes/sword.dae.cached.pmd").write_bytes(a_pmd({}, []))
    (tmp_path / "animation/still.dae.cached.psa").write_bytes(a_psa([[pose((0, 7, 0))]]))
    (tmp_path / "actors/units/man.xml").write_text(
        '<actor><group><variant><mesh>man.dae</mesh><animations><animation event="Idle" file="still.dae"/>'
        '<animation event="death" file="none.dae"/></animations><props><prop actor="props/sword.xml" attachpoint='
        '"weapon_R"/><prop actor="props/none.xml" attachpoint="helmet"/></props></variant></group></actor>'
    )
    (tmp_path / "actors/props/sword.xml").write_text(
        "<actor><group><variant><mesh>sword.dae</mesh></variant></group></actor>"
    )
    body, sword = Art(tmp_path).actor("units/man.xml", np.random.default_rng(1))
    # Ahead was -z and is x, up was y and is z, and the right hand, -x, is at -y where he faces +x.
    assert np.allclose(body.points, np.stack([-SQUARE[:, 2], SQUARE[:, 0], SQUARE[:, 1] + 7], axis=1))
    assert np.allclose(sword.points[0], (1, -3, 9))


def test_a_glest_figure_comes_in_one_of_its_frames(tmp_path: Path) -> None:
    head = struct.pack("<3sBHB", b"G3D", 4, 1, 0)
    mesh = struct.pack("<64s3I8f2I", b"man", 2, 4, 6, *[0] * 8, 0, 1) + struct.pack("<64s", b"man.png")
    frames = np.stack([SQUARE, np.add(SQUARE, (0, 0, 9))]).astype("<f4")
    rest = np.zeros((2, 4, 3), "<f4").tobytes() + SQUARE[:, :2].astype("<f4").tobytes()
    file = tmp_path / "man.g3d"
    file.write_bytes(head + mesh + frames.tobytes() + rest + np.ravel(FACES).astype("<u4").tobytes())
    seen = {float(next(g3d.figure(file, np.random.default_rng(n))).points[0, 0]) for n in range(20)}
    part = next(g3d.figure(file, np.random.default_rng(0)))
    assert seen == {0.0, 9.0}
    assert part.faces.tolist() == [list(face) for face in FACES]
    assert part.picture == tmp_path / "man.png"


def an_md3(tag: str | None, surface: str) -> bytes:
    """A square of one frame; on its tag, which turns by a quarter and is stored twice as large, hangs the next part."""
    tags = b""
    if tag:
        axes = 2 * np.array([(0, 1, 0), (-1, 0, 0), (0, 0, 1)], "<f4")
        tags = struct.pack("<64s3f", tag.encode(), 0, 0, 10) + axes.tobytes()
    points = np.c_[64 * SQUARE, np.zeros(4)].astype("<i2").tobytes()
    faces, uv = np.ravel(FACES).astype("<i4").tobytes(), SQUARE[:, :2].astype("<f4").tobytes()
    starts = np.cumsum([108, len(faces), 0, len(uv), len(points)])
    body = struct.pack("<4s64s10i", b"IDP3", surface.encode(), 0, 1, 0, 4, 2, *starts) + faces + uv + points
    return struct.pack("<4si64s8i", b"IDP3", 15, b"", 0, 1, bool(tag), 1, 0, 104, 104, 104 + len(tags)) + tags + body


def test_a_fighter_stands_on_his_legs_in_one_of_his_skins(tmp_path: Path) -> None:
    man, gun = tmp_path / "models/players/man", tmp_path / "models/weapons2/gun"
    man.mkdir(parents=True)
    gun.mkdir(parents=True)
    for part, tag in (("lower", "tag_torso"), ("upper", "tag_head"), ("head", None)):
        (man / f"{part}.md3").write_bytes(an_md3(tag, f"the_{part}"))
        (man / f"{part}_red.skin").write_text(f"the_{part},models/players/man/red.tga\ntag_head,\n")
    (man / "red.jpg").write_bytes(b"")
    (man / "animation.cfg").write_text("sex m\n" + "".join(f"{n} 1 0 15 // row\n" for n in range(25)))
    (gun / "gun.md3").write_bytes(an_md3(None, "gun"))
    legs, body, head = md3.soldier(man, gun.parent, np.random.default_rng(1))
    assert np.allclose(legs.points, SQUARE)
    # A quarter turn, not twice as large, ten up; the head another quarter turn and ten more.
    assert np.allclose(body.points, SQUARE[:, [1, 0, 2]] * (-1, 1, 1) + (0, 0, 10))
    assert np.allclose(head.points, SQUARE * (-1, -1, 1) + (0, 0, 20))
    assert {part.picture for part in (legs, body, head)} == {man / "red.jpg"}


@pytest.mark.parametrize(
    "read",
    [pmd.mesh, lambda p: list(g3d.figure(p, None)), lambda p: md2.mesh(p, 0, None), md3.Model.read],
)
def test_another_file_is_refused(read: object, tmp_path: Path) -> None:
    file = tmp_path / "other"
    file.write_bytes(bytes(200))
    with pytest.raises(ValueError, match="not"):
        read(file)


def test_what_hangs_on_a_soldier_hangs_where_his_tag_says(tmp_path: Path) -> None:
    axes = np.array([(0, 1, 0), (-1, 0, 0), (0, 0, 1), (5, 6, 7)], "<f4")
    names = struct.pack("<64s", b"tag_head")
    (tmp_path / "body.tag").write_bytes(
        struct.pack("<4s7i", b"JDP2", 1, 1, 1, 32, 96, 144, 144) + names + axes.tobytes()
    )
    placed = Part(np.array([(1.0, 0, 0)]), np.zeros((0, 3), int), np.zeros((1, 2)), None).moved(
        md2.tags(tmp_path / "body.tag")["tag_head"][0]
    )
    assert np.allclose(placed.points, (5, 7, 7))


def test_a_figure_without_a_picture_is_grey(tmp_path: Path) -> None:
    save(tmp_path / "a.npz", [Part(SQUARE, np.array(FACES), SQUARE[:, :2], None)], np.random.default_rng(1))
    with np.load(tmp_path / "a.npz") as stored:
        assert set(stored.files) == {"points0", "faces0", "uv0", "picture0"}
        assert (stored["picture0"] == 128).all()
