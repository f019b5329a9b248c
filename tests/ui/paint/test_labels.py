from hypothesis import given, settings
from hypothesis import strategies as st
from PyQt6.QtCore import QRectF, QSizeF

from ui.paint.labels import Label, Room, leader, place_labels

PICTURE = QRectF(0, 0, 800, 600)
BANNER = QRectF(20, 520, 760, 60)
boxes = st.builds(QRectF, st.floats(0, 760), st.floats(0, 560), st.floats(5, 60), st.floats(5, 60))
sizes = st.builds(QSizeF, st.floats(20, 160), st.floats(12, 40))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(boxes, sizes), max_size=25))
def test_labels_stay_in_the_picture_and_off_one_another(wanted):
    labels = [Label(str(n), beside, "#fff") for n, (beside, _) in enumerate(wanted)]
    placed = place_labels(labels, [size for _, size in wanted], Room(PICTURE, (BANNER,)))
    taken = [box for _, box in placed]
    assert all(PICTURE.contains(box) and not box.intersects(BANNER) for box in taken)
    assert not any(a.intersects(b) for n, a in enumerate(taken) for b in taken[n + 1 :])


def test_the_first_choice_is_above_the_mark():
    mark = QRectF(400, 300, 40, 40)
    [(_, box)] = place_labels([Label("a", mark, "#fff")], [QSizeF(60, 20)], Room(PICTURE))
    assert box.center().x() == mark.center().x()
    assert box.bottom() == mark.top() - 4.0


def test_a_label_without_room_is_left_out():
    assert place_labels([Label("a", QRectF(0, 0, 800, 600), "#fff")], [QSizeF(60, 20)], Room(PICTURE, (PICTURE,))) == []


def test_a_label_makes_way_for_a_piece():
    mark, piece = QRectF(400, 300, 40, 40), QRectF(395, 270, 50, 30)  # a coin just above
    [(_, box)] = place_labels([Label("a", mark, "#fff")], [QSizeF(60, 20)], Room(PICTURE, (), (piece,)))
    assert not box.intersects(piece)
    assert box.top() == mark.bottom() + 4.0  # so it goes below


def test_the_name_of_ground_is_written_on_it_beside_its_coins():
    card, coin = QRectF(400, 300, 80, 120), QRectF(420, 380, 40, 40)
    room, size = Room(PICTURE, (), (coin,)), QSizeF(60, 20)
    names = [Label("open", ground, "#fff", inside=True) for ground in (card, card.translated(82, 0))]
    boxes = [box for _, box in place_labels(names, [size, size], room)]
    assert card.contains(boxes[0]) and not boxes[0].intersects(coin)
    assert card.translated(82, 0).contains(boxes[1])  # it says the same, but of another card


def test_a_coin_s_label_would_rather_cover_its_own_card_than_the_next():
    card, coin = QRectF(400, 300, 80, 120), QRectF(425, 350, 30, 30)
    beside = card.translated(82, 0)
    [(_, box)] = place_labels([Label("?", coin, "#fff")], [QSizeF(60, 20)], Room(PICTURE, (), (card, beside)))
    assert card.contains(box)


def test_a_label_that_is_not_next_to_its_mark_has_a_line_to_it():
    mark = QRectF(400, 300, 40, 40)
    label = Label("besieged", mark, "#fff")
    above, corner = QRectF(390, 276, 60, 20), QRectF(336, 276, 60, 20)
    assert leader(label, above, 4.0) is None
    line = leader(label, corner, 4.0)
    assert line is not None and line.p1() == corner.center()
    assert mark.contains(line.p2()) and line.p2() != mark.center()


def test_neighbours_that_say_the_same_say_it_once():
    marks = [QRectF(400, 300, 4, 4), QRectF(430, 310, 4, 4), QRectF(700, 300, 4, 4)]
    placed = place_labels([Label("a", mark, "#fff") for mark in marks], [QSizeF(60, 20)] * 3, Room(PICTURE))
    assert [label.beside for label, _ in placed] == [marks[0], marks[2]]


def test_two_things_side_by_side_that_are_called_the_same_are_both_named():
    """Of two wavering coins side by side one had a label, and of two scouts on the drawn board one a name."""
    coins, size = [QRectF(400, 300, 40, 40), QRectF(430, 300, 40, 40), QRectF(402, 299, 40, 40)], QSizeF(60, 20)
    wavering = [Label("wavering", coin, "#fff", outline=True) for coin in coins]
    placed = place_labels(wavering, [size] * 3, Room(PICTURE))
    assert [label.beside for label, _ in placed] == coins[:2]  # the third lies on the first, as in a stack


def test_the_second_of_two_that_are_called_the_same_takes_no_other_label_s_place():
    coins, size = [QRectF(400, 300, 40, 40), QRectF(430, 300, 40, 40)], QSizeF(60, 20)
    texts = ("scout", "scout", "besieged")
    labels = [Label(text, coin, "#fff", outline=True) for text, coin in zip(texts, (*coins, coins[1]), strict=True)]
    alone = place_labels([labels[0], labels[2]], [size] * 2, Room(PICTURE))
    assert place_labels(labels, [size] * 3, Room(PICTURE))[:2] == alone
