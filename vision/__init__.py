"""Frames -> scenes: sources, detection, classification, tracking. Judges nothing."""
