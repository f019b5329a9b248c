"""The table in millimetres: top views, patches and rings cut from a camera's picture, and nets laid over them."""
