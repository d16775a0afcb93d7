# SPDX-License-Identifier: Apache-2.0
"""The module runs the tool of this build."""

import os

import onnxfold_testing as t

os.environ["ONNXFOLD_BINARY"] = str(t.TOOL)
