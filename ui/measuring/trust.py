"""The trust report as a document: how many millimetres to believe, where, and what proves it."""

from __future__ import annotations

from typing import Any

from calibration.proof import TrustReport
from calibration.rulers.known_length import Proof


def trust_document(report: TrustReport) -> dict[str, Any]:
    """JSON-ready; `map_mm` has the far row first, null where the picture does not show the place."""
    return {
        "schema": "sandtable/calibration-check/1",
        "light": report.light,
        "believe_mm": round(report.believe_mm, 3),
        "reprojection_error_px": round(report.reprojection_error_px, 3),
        "tilt_deg": round(report.tilt_deg, 1),
        "px_per_mm": [round(value, 3) for value in report.px_per_mm],
        "map_mm": [
            [round(float(mm), 3) if is_shown else None for mm, is_shown in zip(row, shown, strict=True)]
            for row, shown in zip(report.map_mm, report.shown, strict=True)
        ],
        "references": [
            {"source": source, "rms_px": round(px, 3), "rms_mm": round(mm, 3), "rejected": rejected}
            for source, px, mm, rejected in report.references
        ],
        "proofs": [_proof_document(proof) for proof in report.proofs],
        "notes": list(report.notes),
    }


def _proof_document(proof: Proof) -> dict[str, Any]:
    return {
        "source": proof.source,
        "position_mm": [round(value, 1) for value in proof.position_mm],
        "true_mm": round(proof.true_mm, 2),
        "off_mm": round(proof.off_mm, 2),
        "sigma_mm": round(proof.sigma_mm, 2),
        "refutes": proof.refutes,
    }
