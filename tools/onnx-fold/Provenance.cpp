//===- Provenance.cpp - Where a folded constant came from -----------------===//

#include "Provenance.h"
#include "onnxfold/onnx/io/Export.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using namespace mlir;

llvm::SmallVector<llvm::StringRef>
onnxfold::sourcesOf(Operation *op, const Evaluation &evaluation) {
  constexpr size_t mostNodes = 64, mostSources = 16;
  llvm::SmallVector<llvm::StringRef> sources;
  llvm::SetVector<Operation *> seen;
  seen.insert(op);
  for (size_t i = 0; i < seen.size() && sources.size() < mostSources; ++i) {
    if (auto constant = dyn_cast<OnnxConstantOp>(seen[i])) {
      sources.push_back(constant.getOutput().get());
      continue;
    }
    // Bodies read values too.
    seen[i]->walk([&](Operation *reader) {
      for (Value operand : reader->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        if (producer && seen.size() < mostNodes && evaluation.has(producer) &&
            (evaluation.isConstant(producer) ||
             evaluation.isFoldable(producer)))
          seen.insert(producer);
      }
    });
  }
  return sources;
}

void onnxfold::noteProvenance(const Evaluation &evaluation,
                              const FoldPlan &plan) {
  llvm::SetVector<Operation *> folded;
  for (Value value : plan.frontier())
    folded.insert(value.getDefiningOp());
  for (Operation *op : folded) {
    Operator node = Operator::from(op);
    if (!node)
      continue;
    std::string text;
    llvm::raw_string_ostream out(text);
    llvm::json::OStream json(out);
    json.object([&] {
      json.attribute("op", llvm::json::fixUTF8(node.opType()));
      json.attribute("node", llvm::json::fixUTF8(node.nodeName()));
      json.attributeArray("sources", [&] {
        for (llvm::StringRef source : sourcesOf(op, evaluation))
          json.value(llvm::json::fixUTF8(source));
      });
    });
    setProvenance(op, text);
  }
}
