"""What was learned: ONNX weights with their cards and checksums, and how to train each again."""

import os

# Since 1.29 onnxruntime tells its makers of every process and keeps a number of the machine on disk, unless this is
# set before it is loaded. What stands on somebody's table is nobody else's business.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
