"""Pieces as rulers: the table's scale and plane by cards and coins, where nothing else tells them."""
