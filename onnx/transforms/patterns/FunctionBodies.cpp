//===- FunctionBodies.cpp - Operators that are defined by others ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Last of the patterns: what they know of an operator itself is cheaper to ask.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"

using namespace onnxfold;
using namespace mlir;

Value patterns::matchFunctionBody(const CleanUpContext &cx) {
  return cx.decomposed();
}
