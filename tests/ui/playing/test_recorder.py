import shutil
import subprocess
import sys
from pathlib import Path

import av
import numpy as np
import pytest

from ui.playing.recorder import Recorder
from ui.telling.fault import fault_line

TIMES_S = [0.0, 0.033, 0.1, 0.11, 0.5, 1.7]


def a_picture(level=0, size=(320, 240)):
    return np.full((size[1], size[0], 4), level, np.uint8)


def frames_in(path):
    with av.open(str(path)) as container:
        return [(frame.time, frame.to_ndarray(format="bgr24").mean()) for frame in container.decode(video=0)]


def test_every_frame_keeps_its_own_time(tmp_path):
    path = tmp_path / "r.mp4"
    with Recorder(path, (320, 240)) as recorder:
        for number, time_s in enumerate(TIMES_S):
            recorder.write(a_picture(30 * number), time_s)
    found = frames_in(path)
    assert [time for time, _ in found] == pytest.approx(TIMES_S, abs=1e-4)
    assert [level for _, level in found] == pytest.approx([0, 30, 60, 90, 120, 150], abs=3)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("count", [1, 2, 3, 10, 40, 95])
@pytest.mark.parametrize("step_s", [0.04, 0.2, 1.0])
def test_the_last_picture_is_shown_as_long_as_the_one_before(tmp_path, count, step_s):
    """Of 40 pictures at 5 Hz players showed 39, the last of them for a thirtieth of a second."""
    path = tmp_path / "r.mp4"
    with Recorder(path, (320, 240)) as recorder:
        for number in range(count):
            recorder.write(a_picture(20 * number % 250), number * step_s)
    assert [time for time, _ in frames_in(path)] == pytest.approx([number * step_s for number in range(count)])
    with av.open(str(path)) as container:
        shown_s = container.duration / av.time_base
    assert shown_s == pytest.approx(count * step_s if count > 1 else 1 / 30, abs=1e-3)


def test_a_player_can_jump_to_within_five_seconds_however_seldom_pictures_come(tmp_path):
    """A camera of five pictures a second made films in which 30 s lay between two places to jump to."""
    path, step_s = tmp_path / "r.mp4", 0.2
    with Recorder(path, (320, 240)) as recorder:
        for number in range(150):
            recorder.write(a_picture(number), number * step_s)
    with av.open(str(path)) as container:
        keys_s = [float(packet.pts * packet.time_base) for packet in container.demux(video=0) if packet.is_keyframe]
    assert np.diff([*keys_s, 150 * step_s]).max() < 5 + 2 * step_s


def test_it_is_h264(tmp_path):
    with Recorder(tmp_path / "r.mp4", (320, 240)) as recorder:
        recorder.write(a_picture(), 0.0)
    with av.open(str(tmp_path / "r.mp4")) as container:
        assert container.streams.video[0].codec_context.name == "h264"


def test_an_odd_picture_loses_its_last_row_and_column(tmp_path):
    with Recorder(tmp_path / "r.mp4", (321, 241)) as recorder:
        recorder.write(a_picture(size=(321, 241)), 0.0)
    with av.open(str(tmp_path / "r.mp4")) as container:
        assert (container.streams.video[0].width, container.streams.video[0].height) == (320, 240)


def test_two_frames_with_one_time_are_both_kept(tmp_path):
    with Recorder(tmp_path / "r.mp4", (320, 240)) as recorder:
        for time_s in (0.0, 0.0, 0.04):
            recorder.write(a_picture(), time_s)
    assert len(frames_in(tmp_path / "r.mp4")) == 3


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, OSError, GeneratorExit])
def test_an_interruption_keeps_a_playable_file(tmp_path, interruption):
    with pytest.raises(interruption), Recorder(tmp_path / "r.mp4", (320, 240)) as recorder:
        for number in range(10):
            recorder.write(a_picture(number), number / 10)
        raise interruption
    assert len(frames_in(tmp_path / "r.mp4")) == 10


def test_a_faulty_input_leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match="broken"), Recorder(tmp_path / "r.mp4", (320, 240)) as recorder:
        recorder.write(a_picture(), 0.0)
        raise ValueError("broken")
    assert list(tmp_path.iterdir()) == []


def test_no_frame_no_file(tmp_path):
    with Recorder(tmp_path / "r.mp4", (320, 240)):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(OSError, match=r"r\.mp4: cannot be written"):
        Recorder(tmp_path / "none" / "r.mp4", (320, 240))


def test_a_live_recording_drops_and_hurries_when_it_cannot_keep_up(tmp_path):
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 4), dtype=np.uint8)
    with Recorder(tmp_path / "r.mp4", (640, 480), live=True) as recorder:
        for number in range(80):  # a camera that is far too fast
            recorder.write(noise, number / 30)
    times = [time for time, _ in frames_in(tmp_path / "r.mp4")]
    assert recorder.dropped > 0 and recorder.hurried
    assert len(times) == 80 - recorder.dropped
    # What was recorded after the change of encoder still has the time at which it was seen.
    assert all(time * 30 == pytest.approx(round(time * 30), abs=0.01) for time in times)
    assert times == sorted(times)


FULL_DISK = """
import resource, sys
import numpy as np
from pathlib import Path
from ui.playing.recorder import Recorder

room = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
rng = np.random.default_rng(0)
try:
    with Recorder(Path(sys.argv[1]), (320, 240)) as recorder:
        for number in range(600):
            recorder.write(rng.integers(0, 255, (240, 320, 4), dtype=np.uint8), number / 30)
except OSError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no file size limits there")
def test_a_full_disk_is_one_line_and_keeps_what_there_was(tmp_path):
    path = tmp_path / "r.mp4"
    told = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path), "300000"], capture_output=True, text=True, check=True
    )
    assert told.stdout.count("\n") == 1
    assert f"what was recorded before that is kept as {path}" in told.stdout
    with av.open(str(path)) as container:
        frames = container.decode(video=0)
        assert [next(frames).time for _ in range(3)] == pytest.approx([0, 1 / 30, 2 / 30], abs=1e-3)


@pytest.mark.skipif(sys.platform == "win32", reason="no file size limits there")
def test_a_film_that_was_removed_while_it_was_recorded_is_told_by_its_own_name(tmp_path):
    """The line named a hidden file that nobody had heard of."""
    path = tmp_path / "match" / "r.mp4"
    path.parent.mkdir()
    recorder = Recorder(path, (320, 240), played=True)
    recorder.write(a_picture(), 0.0)
    shutil.rmtree(path.parent)
    with pytest.raises(OSError) as fault:
        recorder.close()
    said = "the film is lost: it, or its folder, was removed while it was recorded"
    assert fault_line(fault.value) == f"{path}: {said}"


def test_on_a_full_disk_what_does_not_play_takes_the_place_of_nothing(tmp_path):
    path = tmp_path / "r.mp4"
    path.write_bytes(b"the match of last week")
    command = [sys.executable, "-c", FULL_DISK, str(path), "100"]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "what was recorded before that is not worth keeping" in told.stdout
    assert path.read_bytes() == b"the match of last week"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="no file size limits there")
def test_on_a_full_disk_a_part_takes_the_place_of_no_film(tmp_path):
    path = tmp_path / "r.mp4"
    with Recorder(path, (320, 240)) as recorder:
        recorder.write(a_picture(), 0.0)
    before = path.read_bytes()
    command = [sys.executable, "-c", FULL_DISK, str(path), "300000"]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    assert f"what was recorded before that is kept as {tmp_path / 'r.part-1.mp4'}" in told.stdout
    assert path.read_bytes() == before and len(frames_in(path)) == 1


def test_a_name_with_a_colon_is_no_address(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Recorder(Path("12:30.mp4"), (320, 240)) as recorder:
        recorder.write(a_picture(), 0.0)
    assert len(frames_in(tmp_path / "12:30.mp4")) == 1


CUT_OFF = """
import sys
import numpy as np
from pathlib import Path
from ui.playing.recorder import Recorder

recorder = Recorder(Path(sys.argv[1]), (320, 240))
rng = np.random.default_rng(0)
for number in range(200):
    recorder.write(rng.integers(0, 255, (240, 320, 4), dtype=np.uint8), number / 30)
print("recorded", flush=True)
sys.stdin.read()
"""


def test_what_a_killed_recording_left_is_kept_under_a_name_that_shows(tmp_path, capfd):
    """It lay there hidden, and the next recording of that name began with emptying it."""
    path, aside = tmp_path / "r.mp4", tmp_path / "r.before-1.mp4"
    with subprocess.Popen(
        [sys.executable, "-c", CUT_OFF, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout.readline() == b"recorded\n"
        with pytest.raises(BlockingIOError, match=r"r\.mp4: another sandtable records this film; end that one first"):
            Recorder(path, (320, 240))
        other.kill()
        other.wait()
    with Recorder(path, (320, 240)) as recorder:
        recorder.write(a_picture(), 0.0)
    assert capfd.readouterr().err == f"{path}: an earlier recording was cut off; what it left is kept as {aside}\n"
    assert sorted(tmp_path.iterdir()) == [aside, path]
    assert len(frames_in(path)) == 1
    with av.open(str(aside)) as container:
        assert next(container.decode(video=0)).time == 0


def test_only_a_film_that_was_made_of_another_is_replaced(tmp_path, capfd):
    """`annotate` filmed over a match as it was played, which nothing brings back."""
    path = tmp_path / "r.mp4"
    for played, kept in ((True, []), (False, ["r.before-1.mp4"]), (False, ["r.before-1.mp4"])):
        with Recorder(path, (320, 240), played=played) as recorder:
            recorder.write(a_picture(), 0.0)
        assert sorted(each.name for each in tmp_path.iterdir()) == [*kept, "r.mp4"]
    aside = tmp_path / "r.before-1.mp4"
    assert capfd.readouterr().err == f"{path}: the film that was there is kept as {aside}\n"
