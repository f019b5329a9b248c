"""Pictures to learn from: procedural coins, grounds and clutter, photographed sprites, a camera to shoot them."""
