import numpy as np

from tests.vision.planes import plane_from
from vision.frame import Frame
from vision.metric.views import Views

FIRST, SECOND = (plane_from((150.0 + x, -300.0, 450.0), (150.0, 100.0)) for x in (0.0, 5.0))
FRAME = Frame(np.full((240, 320, 3), 90, np.uint8))


def test_a_view_is_kept_while_the_camera_stands_and_made_anew_when_it_moves():
    views = Views((300.0, 200.0))
    kept = views.of(FRAME, FIRST, 1.0, 0.0, 16)
    assert views.of(FRAME, FIRST, 1.0, 0.0, 16) is kept
    assert views.of(FRAME, SECOND, 1.0, 0.0, 16) is not kept


def test_other_scales_heights_and_picture_sizes_have_their_own_views():
    views = Views((300.0, 200.0))
    kept = views.of(FRAME, FIRST, 1.0, 0.0, 16)
    small = Frame(np.full((120, 160, 3), 90, np.uint8))
    others = [
        views.of(FRAME, FIRST, 2.0, 0.0, 16),
        views.of(FRAME, FIRST, 1.0, 2.0, 16),
        views.of(small, FIRST, 1.0, 0.0, 16),
    ]
    assert len({id(view) for view in (kept, *others)}) == 4


def test_without_a_table_size_the_view_holds_what_the_picture_shows():
    view = Views().of(FRAME, FIRST, 0.5, 0.0, 16)
    shown = FIRST.to_table([(0, 239), (319, 239), (319, 0), (0, 0)])
    right, far = np.nanmax(shown, axis=0)
    assert view.size_px[0] >= 0.5 * right
    assert view.size_px[1] >= 0.5 * far
