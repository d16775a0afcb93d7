//===- FreshNames.cpp - Names for new values ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/FreshNames.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"

using namespace onnxfold;
using namespace mlir;

void onnxfold::nameResult(OpResult result, StringRef name) {
  Operation *op = result.getOwner();
  if (auto constant = dyn_cast<OnnxConstantOp>(op)) {
    constant.setOutput(name);
    return;
  }
  Operator node = Operator::from(op);
  if (!node)
    return;
  SmallVector<std::string> names;
  for (unsigned i = 0; i < node.numOutputs(); ++i)
    names.push_back(node.outputName(i).str());
  names[result.getResultNumber()] = name.str();
  node.setOutputNames(llvm::to_vector(llvm::map_range(
      names, [](const std::string &one) { return StringRef(one); })));
}

void FreshNames::collect() {
  if (std::exchange(isCollected, true))
    return;
  module->walk([&](Operation *op) {
    for (Value value : op->getResults())
      names.insert(valueName(value));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value value : block.getArguments())
          names.insert(valueName(value));
  });
}

std::string FreshNames::make(StringRef base) {
  collect();
  return names.insert(base).second ? base.str() : makeNumbered(base);
}

std::string FreshNames::makeNumbered(StringRef base) {
  collect();
  unsigned &number = numbers[base];
  std::string name;
  do
    name = (base + "_" + Twine(++number)).str();
  while (!names.insert(name).second);
  return name;
}
