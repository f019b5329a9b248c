"""The course of a match: events, what changed between two scenes, what a person put right, and the way back."""
