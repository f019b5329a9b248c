"""Coins: circles that are proposed, measured, looked at, and kept where they are coins."""
