import os
import sys

import pytest

from vision.beside import beside_frames


@pytest.fixture
def switch_s():
    before = sys.getswitchinterval()
    yield before
    sys.setswitchinterval(before)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no priorities of threads")
def test_looks_give_way_to_frames_and_so_do_the_threads_that_they_begin(switch_s):
    with beside_frames() as beside, beside_frames() as other:
        mine = os.getpriority(os.PRIO_PROCESS, 0)
        assert beside.submit(os.getpriority, os.PRIO_PROCESS, 0).result() == min(mine + 10, 19)
        assert beside.submit(lambda: other.submit(os.getpriority, os.PRIO_PROCESS, 0).result()).result() > mine
        assert os.getpriority(os.PRIO_PROCESS, 0) == mine
    assert sys.getswitchinterval() == pytest.approx(0.001)
