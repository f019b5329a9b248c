"""What was learned: ONNX weights with their cards and checksums, and how to train each again."""
