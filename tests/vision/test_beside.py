import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from vision.beside import beside_frames, give_way


@pytest.fixture
def switch_s():
    before = sys.getswitchinterval()
    yield before
    sys.setswitchinterval(before)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no priorities of threads")
def test_looks_give_way_to_frames_once_told_to_and_so_do_the_threads_that_they_begin(switch_s):
    def priority():
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    mine = priority()
    with beside_frames() as beside, beside_frames() as other, ThreadPoolExecutor(1, "bystander") as bystander:
        assert beside.submit(priority).result() == bystander.submit(priority).result() == mine
        give_way()
        give_way()
        assert beside.submit(priority).result() == min(mine + 10, 19)
        assert beside.submit(lambda: other.submit(priority).result()).result() == min(mine + 10, 19)
        assert bystander.submit(priority).result() == priority() == mine
    assert sys.getswitchinterval() == pytest.approx(0.001)
