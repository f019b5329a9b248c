"""The referee: what a rule may know, the geometric verbs, the games, and the running match.

What the games share is in this folder: `scene`, `margin`, `game`, `match`, `turn`, `state`. Its rooms:

geometry  reach, sight, roads, templates     course  what happened and changed, and the way back
games     one room for each game             files   files that are read and written whole
"""
