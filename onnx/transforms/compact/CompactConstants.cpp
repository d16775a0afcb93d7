//===- CompactConstants.cpp - Small nodes for bloated constants -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/compact/CompactConstants.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/FreshNames.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/transforms/compact/CompactForm.h"
#include "llvm/ADT/StringSet.h"

using namespace onnxfold;
using namespace mlir;

namespace {

class Compaction {
public:
  Compaction(ModuleOp module, OwningOpRef<ModuleOp> &replaced)
      : module(module), replaced(replaced) {}

  /// REQUIRES: findCompactForm(value of `constant`, opset) gave the form.
  /// Returns the node that has its name.
  Operation *replace(OnnxConstantOp constant, const CompactForm &form,
                     int64_t opset);

private:
  Value constantOf(const Elements &value, StringRef base, StringRef suffix);
  Value node(StringRef opType, ValueRange inputs, Type type, StringRef name,
             ArrayRef<NamedAttribute> attributes);

  ModuleOp module;
  OwningOpRef<ModuleOp> &replaced;
  FreshNames names{module};
  std::optional<OpBuilder> builder;
  Location location = UnknownLoc::get(module.getContext());
  int64_t opset = 0;
};

} // namespace

static ShapedType tensorType(const Elements &value, Type element) {
  return RankedTensorType::get(value.shape(), element);
}

Value Compaction::constantOf(const Elements &value, StringRef base,
                             StringRef suffix) {
  Type element = toElementType(value.type(), builder->getContext());
  return OnnxConstantOp::create(*builder, location,
                                toAttribute(value, tensorType(value, element)),
                                names.make((base + "_" + suffix).str()));
}

Value Compaction::node(StringRef opType, ValueRange inputs, Type type,
                       StringRef name, ArrayRef<NamedAttribute> attributes) {
  registerOperator(*module.getContext(), "", opType);
  OperatorId id{"", opType, *resolveSince("", opType, opset)};
  Operator made =
      Operator::create(*builder, location, id, inputs, type, attributes);
  made.setOutputNames({name});
  return made->getResult(0);
}

/// The role of operand #i, for its name.
static StringRef partName(const CompactForm &form, size_t i) {
  static constexpr StringRef range[] = {"start", "limit", "delta"};
  if (form.opType == "Range")
    return range[i];
  if (i == 0 && form.opType != "ConstantOfShape")
    return "value";
  return form.opType == "Tile" ? "repeats" : "shape";
}

Operation *Compaction::replace(OnnxConstantOp constant, const CompactForm &form,
                               int64_t given) {
  opset = given;
  builder.emplace(constant);
  location = constant.getLoc();
  std::string name = constant.getOutput().get().str();
  auto type = cast<ShapedType>(constant.getType());
  SmallVector<NamedAttribute> attributes;
  SmallVector<Value> inputs;
  for (auto [i, operand] : llvm::enumerate(form.operands))
    inputs.push_back(constantOf(operand, name, partName(form, i)));
  if (form.value)
    attributes.push_back(builder->getNamedAttr(
        "value", toAttribute(form.value,
                             tensorType(form.value, type.getElementType()))));
  Value value;
  if (form.shape) {
    auto flat =
        RankedTensorType::get({type.getNumElements()}, type.getElementType());
    value = node(form.opType, inputs, flat, names.make(name + "_range"),
                 attributes);
    Value shape = constantOf(form.shape, name, "shape");
    value = node("Reshape", {value, shape}, type, name, {});
  } else {
    value = node(form.opType, inputs, type, name, attributes);
  }
  constant.replaceAllUsesWith(value);
  if (!replaced)
    replaced = ModuleOp::create(location);
  constant->moveBefore(replaced->getBody(), replaced->getBody()->end());
  return value.getDefiningOp();
}

/// Runtimes want some operands to be constant, and those of operators of which
/// nothing is known may have to be.
static bool mayBeComputed(OpOperand &use) {
  Operator reader = Operator::from(use.getOwner());
  if (!reader)
    return true; // an output of a graph
  return !reader.isCustom() && reader.domain().empty() && !quantizes(reader) &&
         !dequantizes(reader) && !reader.opType().starts_with("QLinear") &&
         !reader.opType().ends_with("Integer");
}

/// The graph has a node: the place of a new one is said by those of the file.
static bool hasNode(Block &block) {
  return llvm::any_of(block, [](Operation &op) {
    Operator node = Operator::from(&op);
    return node && node.node();
  });
}

bool onnxfold::isCompactOperator(Operator op) {
  return op.isAny({"ConstantOfShape", "Range", "Expand", "Tile"});
}

std::vector<CompactedConstant>
onnxfold::compactConstants(ModuleOp module,
                           llvm::function_ref<bool(OnnxConstantOp)> mayChange,
                           OwningOpRef<ModuleOp> &replaced) {
  SmallVector<OnnxConstantOp> all;
  module->walk([&](OnnxConstantOp constant) {
    if (!constant.getOutput().get().empty() && !constant->use_empty() &&
        mayChange(constant) && hasNode(*constant->getBlock()) &&
        llvm::all_of(constant->getUses(), mayBeComputed))
      all.push_back(constant);
  });
  std::vector<CompactedConstant> done;
  Compaction compaction(module, replaced);
  for (OnnxConstantOp constant : all) {
    int64_t opset = importedOpset(constant, "").value_or(0);
    Elements value = fromAttribute(constant.getValue());
    std::optional<CompactForm> form =
        opset > latestOpset("") ? std::nullopt : findCompactForm(value, opset);
    if (!form)
      continue;
    Operation *node = compaction.replace(constant, *form, opset);
    done.push_back({constant.getOutput().get().str(), form->opType.str(),
                    int64_t(value.bytes()), form->bytes(), bool(form->shape),
                    constant, node});
  }
  return done;
}
