"""The lens from views of a chessboard or ChArUco board."""
