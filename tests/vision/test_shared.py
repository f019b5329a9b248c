"""Tasks that threads share: done once each, told in order, and never waited for by each other."""

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from vision.shared import begun, shared


def where(n):
    return n, threading.current_thread().name


@pytest.mark.parametrize("count", [0, 1, 5])
def test_what_tasks_give_comes_in_their_order_whoever_does_them(count):
    tasks = [partial(where, n) for n in range(count)]
    with ThreadPoolExecutor(2, "other") as others:
        assert [n for n, _ in shared(tasks, others)] == list(range(count))
    assert shared(tasks, None) == [(n, threading.current_thread().name) for n in range(count)]


def test_others_take_tasks_from_the_front_while_this_thread_takes_them_from_the_back():
    both = threading.Barrier(2, timeout=20)

    def met(n):
        both.wait()
        return where(n)

    with ThreadPoolExecutor(1, "other") as others:
        first, last = shared([partial(met, n) for n in range(2)], others)
    assert first[1].startswith("other")
    assert last == (1, threading.current_thread().name)


def test_what_is_begun_goes_on_before_it_is_asked_for():
    done = threading.Event()
    with ThreadPoolExecutor(1) as others:
        finished = begun([done.set], others)
        assert done.wait(20)
        assert finished() == [None]


def test_a_thread_that_shares_its_own_tasks_with_itself_does_them():
    with ThreadPoolExecutor(1, "other") as others:
        inner = others.submit(shared, [partial(where, n) for n in range(3)], others).result(20)
    assert [n for n, _ in inner] == [0, 1, 2]
    assert all(name.startswith("other") for _, name in inner)


def test_a_task_that_fails_fails_for_whoever_asked():
    with ThreadPoolExecutor(1) as others, pytest.raises(ValueError, match="no"):
        shared([partial(where, 0), partial(int, "no")], others)
