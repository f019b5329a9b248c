"""A place where nothing can be written: the refusal says why, and what helps."""

import os
from types import SimpleNamespace

import pytest

from ui.new_file import NewFile

# What Linux says of a file system that may be written, and of one that is mounted to be read only.
_RELATIME, _RDONLY_TOO = 4096, 4096 | 1


@pytest.fixture(params=["there", "new"])
def refused_place(request, tmp_path, monkeypatch):
    """A file that is there already, or is not, and may not be written."""
    monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK)
    place = tmp_path / "map.pdf"
    if request.param == "there":
        place.touch()
    return place


@pytest.mark.skipif(not hasattr(os, "statvfs"), reason="asks the system in its own way")
@pytest.mark.parametrize(("flags", "said"), [(_RDONLY_TOO, "Read-only"), (_RELATIME, "Permission")])
def test_a_disk_mounted_read_only_is_no_matter_of_permissions(refused_place, monkeypatch, flags, said):
    monkeypatch.setattr("os.statvfs", lambda path: SimpleNamespace(f_flag=flags))
    with pytest.raises(OSError, match=said) as refusal:
        NewFile().convert(str(refused_place), None, None)
    assert refusal.value.filename == str(refused_place)
