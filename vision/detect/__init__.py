"""Detectors: from a metric top view to detections, one room for each kind of piece.

coin    circles that are coins              box    books and boxes
card    playing cards by their signs        round  mugs, bowls, plates
die     dice by their top faces             sheet  paper that lies flat
figure  soldiers, miniatures' bases         solid  what the nets of figures and terrain see
hex     the hex grid that is drawn on a mat
"""
