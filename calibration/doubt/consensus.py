"""The camera that most references agree on, whatever some of them say."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from calibration.bending.other_lens import is_of_another
from calibration.bending.unmeasured import bent
from calibration.doubt.blamed_clicks import blamed_clicks
from calibration.doubt.fitted import fit_part, fit_slipping, prior_by, prior_of, refit, slipping, strains
from calibration.doubt.laid import as_laid
from calibration.doubt.majority import agreeing
from calibration.fit.bundle import CameraFit
from calibration.fit.seen import Seen
from calibration.lens import Lens


def fit_agreeing(seen: Seen, lens: Lens) -> CameraFit:
    """The camera that most references agree on; the fit says `ambiguous` where they contradict without a majority."""
    seen, share, odd = as_laid(seen, lens)
    prior = prior_of(seen, lens)
    kept = agreeing(seen, prior, lens)
    among = seen if kept is None or kept == seen.groups else seen.only(kept)
    part = partial(fit_part, seen, among)
    prior = prior if among is seen else prior_by(among, lens, part)
    fit = part(prior)
    slipped = fit_slipping(seen, prior) if among is seen else refit(fit, slipping(among), prior)
    return replace(
        fit,
        ambiguous=kept is None,
        turned_over=lens.known and prior is not lens,
        bent=bent(seen, lens, fit),
        print_scale=share,
        odd=odd,
        strained=strains(slipped, among),
    )


def misleads(seen: Seen, lens: Lens) -> bool:
    """Whether a measured lens is of another camera or picture than the one that shows these references."""
    prior = prior_of(seen, lens) if lens.known else lens
    return is_of_another(seen, prior, partial(fit_slipping, seen)) and not blamed_clicks(seen, prior, lens)
