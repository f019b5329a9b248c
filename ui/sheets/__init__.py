"""Printable sheets at true size, as vector PDF."""
