"""Files that take the place of others, whole."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from rules.files.json_file import stem_beside, write_json

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX's")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_a_new_file_is_for_whom_the_system_makes_files(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        write_json(tmp_path / "scene.geojson", {})
    finally:
        os.umask(before)
    assert mode(tmp_path / "scene.geojson") == 0o666 & ~mask


@pytest.mark.parametrize("kept", [0o600, 0o664])
def test_a_file_written_anew_is_for_whom_it_was(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "scene.geojson"
    path.touch()
    path.chmod(kept)
    write_json(path, {})
    assert mode(path) == kept and path.read_text().strip() == "{}"


def test_nothing_else_is_left_in_the_folder(tmp_path: Path) -> None:
    write_json(tmp_path / "scene.geojson", {})
    assert [path.name for path in tmp_path.iterdir()] == ["scene.geojson"]
    with pytest.raises(OSError, match="scene") as told:
        write_json(tmp_path / "nowhere" / "scene.geojson", {})
    assert told.value.filename == str(tmp_path / "nowhere" / "scene.geojson")


@pytest.mark.parametrize("letter", ["x", "\u00fc"])
def test_a_name_as_long_as_a_disk_takes_is_written(tmp_path: Path, letter: str) -> None:
    """The hidden file's name was longer, and refused."""
    path = tmp_path / f"{letter * (246 // len(letter.encode()))}.geojson"
    write_json(path, {})
    assert path.is_file() and stem_beside(path, "..recording.mp4") != path.stem
