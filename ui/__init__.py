"""Everything that a person touches: command line, window, overlay painting, recorder, printable sheets.

`start` and `cli` are the way in. The rooms:

commands    one module for each command          paint       marks, labels and hexes over the picture
setup       the set-up file and its questions    playing     a match watched, typed or replayed; its film
measuring   the table plane from a set-up        telling     words for people
window      the Qt window                        sheets      printable sheets at true size
map_import  roads and places of public maps      evaluation  pieces found, scored against the truth
"""
