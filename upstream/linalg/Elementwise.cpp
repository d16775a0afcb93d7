//===- Elementwise.cpp - Element-wise operations of linalg ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Their bodies are operations of arith and math, whose kernels compute them.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/upstream/support/StructuredOp.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

namespace onnxfold::upstream {
void registerLinalgElementwise(KernelRegistry &registry) {
  for (const char *op :
       {"abs",    "add",  "ceil",   "div",        "div_unsigned", "elementwise",
        "erf",    "exp",  "floor",  "log",        "max",          "min",
        "mul",    "negf", "powf",   "reciprocal", "round",        "rsqrt",
        "select", "sqrt", "square", "sub",        "tanh"})
    addStructured(registry, op);
}
} // namespace onnxfold::upstream
