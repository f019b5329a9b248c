"""Printed markers: where they show, and what is wrong with how they were printed or laid."""
