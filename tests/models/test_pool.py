"""What one process puts into a pool another draws; the oldest makes room for the newest."""

import multiprocessing

import numpy as np

from models.training.pool import Pool

PARTS = {"number": ((), np.int64), "row": ((2, 3), np.float32)}


def filled(pool, writer, numbers):
    for number in numbers:
        pool.put(writer, {"number": np.int64(number), "row": np.full((2, 3), number, np.float32)})


def test_only_what_was_written_is_drawn_and_whole():
    pool = Pool(PARTS, room=10, writers=2)
    filled(pool, 1, [7, 8])
    drawn = pool.draw(np.random.default_rng(1), 40)
    assert set(drawn["number"]) == {7, 8}
    assert np.array_equal(drawn["row"], np.broadcast_to(drawn["number"][:, None, None], (40, 2, 3)))


def test_each_writer_overwrites_its_own_oldest():
    pool = Pool(PARTS, room=6, writers=2)
    filled(pool, 0, [1])
    filled(pool, 1, range(10, 15))
    assert set(pool.draw(np.random.default_rng(1), 200)["number"]) == {1, 12, 13, 14}


def test_another_process_writes_and_this_one_waits_for_it():
    pool = Pool(PARTS, room=6, writers=1)
    process = multiprocessing.get_context("fork").Process(target=filled, args=(pool, 0, [3, 4, 5]))
    process.start()
    pool.wait(3)
    process.join()
    assert sorted(pool.arrays["number"][:3]) == [3, 4, 5]
