"""Scoring `scene` against pictures of known tables."""
