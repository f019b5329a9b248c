"""Answers that are kept, where many questions are asked at once."""

from rules.kept import Kept


def squares(most):
    asked = []

    def answers(numbers):
        asked.append(list(numbers))
        return [number**2 for number in numbers]

    return Kept(answers, most), asked


def test_only_what_is_new_is_answered_and_that_together():
    kept, asked = squares(9)
    assert kept([3, 1, 3]) == [9, 1, 9]
    assert kept([2, 3, 4]) == [4, 9, 16]
    assert asked == [[3, 1], [2, 4]]


def test_what_was_not_asked_for_longest_goes():
    kept, asked = squares(2)
    for numbers in ([1, 2], [1, 3], [1, 4], [1], [2]):
        kept(numbers)
    assert asked == [[1, 2], [3], [4], [2]]


def test_all_can_be_forgotten():
    kept, asked = squares(9)
    kept([1])
    kept.cache_clear()
    assert kept([1]) == [1]
    assert asked == [[1], [1]]
