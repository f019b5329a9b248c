"""Detectors: from a metric top view to detections, one module a kind of piece."""
