//===- IrVersion.cpp - --ir-version ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/fold/internal/IrVersion.h"
#include "onnxfold/onnx/io/read/Import.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "onnx/onnx_pb.h"

using namespace onnxfold;
using namespace mlir;
using llvm::Twine;

namespace {

/// Something that the format holds from a version on.
struct Demand {
  int64_t since = 0;
  std::string text;
};

} // namespace

/// The version that brought an element type or a kind of value.
static int64_t typeSince(Type type) {
  if (isa<OnnxOptionalType, OnnxSparseType>(type))
    return 8;
  auto shaped = dyn_cast<ShapedType>(type);
  Type element = shaped ? shaped.getElementType() : type;
  if (isa<Float6E2M3FNType, Float6E3M2FNType>(element))
    return 14;
  if (element.isInteger(2))
    return 13;
  if (isa<Float8E8M0FNUType>(element))
    return 12;
  if (isa<Float4E2M1FNType>(element))
    return 11;
  if (element.isInteger(4))
    return 10;
  if (isa<Float8E4M3FNType, Float8E4M3FNUZType, Float8E5M2Type,
          Float8E5M2FNUZType>(element))
    return 9;
  return element.isBF16() ? 4 : 0;
}

/// The value whose type came with the newest IR version.
static Demand newestType(ModuleOp module) {
  Demand newest;
  auto note = [&](Value value) {
    if (int64_t since = typeSince(value.getType()); since > newest.since) {
      std::string type;
      llvm::raw_string_ostream(type) << value.getType();
      newest = {since,
                ("value '" + valueName(value) + "' of type " + type).str()};
    }
  };
  module.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), note);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), note);
  });
  return newest;
}

static Demand demandOfFunctions(ModuleOp module) {
  Demand newest;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.getName() == mainGraphSymbol)
      continue;
    bool hasDefaults = function->hasAttr(defaultsAttrName);
    Demand one = {hasDefaults ? 9 : 8,
                  ("function '" + function.getName() + "'" +
                   (hasDefaults ? " with defaults of attributes" : ""))
                      .str()};
    if (one.since > newest.since)
      newest = one;
  }
  module.walk([&](Operation *op) {
    Operator node = Operator::from(op);
    if (node && !node.overload().empty() && newest.since < 10)
      newest = {10, "overload of " + nodeText(op)};
  });
  return newest;
}

/// Before version 4 each initializer is an input, which those of later models
/// and what folding adds are not.
static Demand demandOfInitializers(const ImportedModel &model) {
  const GraphIndex &graph = model.index->mainGraph();
  if (!graph.sparseInitializers.empty())
    return {6, "a sparse initializer"};
  if (initializersMayBeOverridden(*model.index))
    for (Operation &op : mainBlock(*model.module))
      if (auto constant = dyn_cast<OnnxConstantOp>(&op);
          constant && !constant.getNode())
        return {4, ("initializer '" + valueName(constant.getResult()) +
                    "', which is no input,")
                       .str()};
  return {};
}

llvm::Expected<bool> onnxfold::changeIrVersion(const FoldedModel &model,
                                               int64_t version) {
  const ImportedModel &imported = model.prepared.imported;
  ModuleOp module = model.module();
  constexpr int64_t latest = onnx::Version::IR_VERSION;
  if (version < 3 || version > latest)
    return inFile(model.prepared.name, ModelFault()
                                           .option(setting("ir-version"))
                                           .is(Twine(version))
                                           .expected("3 to " + Twine(latest)));
  SmallVector<Demand> demands = {newestType(module), demandOfFunctions(module),
                                 demandOfInitializers(imported)};
  if (!imported.index->trainingInfos.empty())
    demands.push_back({7, "training information"});
  for (const Demand &demand : demands)
    if (demand.since > version)
      return inFile(model.prepared.name,
                    ModelFault("cannot be written for IR version " +
                               Twine(version) + ": " + demand.text +
                               " needs version " + Twine(demand.since)));
  bool wasOld = !initializersMayBeOverridden(*imported.index);
  module->setAttr(irVersionAttrName,
                  Builder(module.getContext()).getI64IntegerAttr(version));
  return wasOld && version >= 4;
}
