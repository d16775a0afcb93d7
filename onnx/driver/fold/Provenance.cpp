//===- Provenance.cpp - Where a folded constant came from -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/fold/internal/Provenance.h"
#include "onnxfold/onnx/io/write/Export.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using namespace mlir;

static std::string describe(Operator node,
                            llvm::ArrayRef<llvm::StringRef> sources) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::json::OStream json(out);
  json.object([&] {
    json.attribute("op", llvm::json::fixUTF8(node.opType()));
    json.attribute("node", llvm::json::fixUTF8(node.nodeName()));
    json.attributeArray("sources", [&] {
      for (llvm::StringRef source : sources)
        json.value(llvm::json::fixUTF8(source));
    });
  });
  return text;
}

void onnxfold::noteProvenance(const CleanUp &cleanUp, const FoldPlan &plan) {
  llvm::SetVector<Operation *> folded;
  for (Value value : plan.frontier())
    folded.insert(value.getDefiningOp());
  for (Operation *op : folded)
    if (Operator node = Operator::from(op))
      setProvenance(op, describe(node, cleanUp.sourcesOf(op)));
  for (const auto &[constant, lifted] : cleanUp.lifted())
    if (Operator node = Operator::from(lifted.from))
      setProvenance(constant, describe(node, lifted.sources));
}
