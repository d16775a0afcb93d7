//===- InlineCalls.cpp - Calls of a model's functions ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/verify/internal/InlineCalls.h"
#include "onnxfold/onnx/folding/AlwaysInline.h"
#include "onnxfold/onnx/verify/internal/Execution.h"

using namespace onnxfold;
using namespace mlir;

/// Names of its own.
static void adopt(Operation *op, StringRef prefix) {
  op->walk([&](Operation *inner) {
    Operator onnxOp = Operator::from(inner);
    if (!onnxOp)
      return;
    SmallVector<std::string> names;
    for (unsigned i = 0; i != onnxOp.numOutputs(); ++i) {
      StringRef name = onnxOp.outputName(i);
      names.push_back(
          name.empty() ? "" : (prefix + Twine(inlinedNameMark) + name).str());
    }
    SmallVector<StringRef> texts(names.begin(), names.end());
    onnxOp.setOutputNames(texts);
    onnxOp.setNode(std::nullopt); // it is one of the function's nodes
  });
}

void onnxfold::inlineNamedCalls(ModuleOp module, FunctionOpInterface function) {
  inlineCalls(module, {function},
              [](const Operator &call, ArrayRef<Operation *> copies) {
                std::string prefix = keyOf(call);
                for (Operation *copy : copies)
                  adopt(copy, prefix);
              });
}
