"""Solids for the solids net, modelled in mm and rendered by Blender's Cycles: run by `models.render_solids` alone."""
