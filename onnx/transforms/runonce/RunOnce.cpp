//===- RunOnce.cpp - Splits a model into once and rest --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/runonce/RunOnce.h"
#include "onnxfold/elements/Shape.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/widenum/DataType.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace mlir;

/// A result may take this many times the bytes of what it is computed from, or
/// this many bytes more.
static constexpr uint64_t mostGrowthRatio = 8, mostGrowth = 1 << 20;

//===----------------------------------------------------------------------===//
// What the user names
//===----------------------------------------------------------------------===//

llvm::Expected<RunOnce> RunOnce::create(ModuleOp module,
                                        ArrayRef<std::string> globs) {
  if (irVersion(module).value_or(0) < 4)
    return ModelFault()
        .option(setting("run-once"))
        .says(": the model")
        .has("IR version " + llvm::Twine(irVersion(module).value_or(0)) +
             ", in which initializers are inputs")
        .says("; expected 4 or newer");
  RunOnce result(module);
  Block &block = mainBlock(module);
  SmallVector<Value> candidates(block.getArguments());
  for (auto constant : block.getOps<OnnxConstantOp>())
    if (!constant.getNode())
      candidates.push_back(constant);
  SmallVector<StringRef> names;
  for (Value value : candidates)
    names.push_back(valueName(value));
  llvm::Expected<llvm::StringSet<>> wanted = matchingNames(
      setting("run-once"), "an input or an initializer", names, globs);
  if (!wanted)
    return wanted.takeError();
  for (auto [value, name] : llvm::zip_equal(candidates, names)) {
    if (!wanted->contains(name))
      continue;
    result.found.push_back(name.str());
    if (Operation *initializer = value.getDefiningOp())
      result.held.hold(initializer);
    else
      result.roots.insert(value);
  }
  updateType(mainGraph(module));
  return result;
}

void RunOnce::restoreConstants() {
  held.restore();
  roots.insert_range(held.values());
}

//===----------------------------------------------------------------------===//
// What is once, and where the cut is
//===----------------------------------------------------------------------===//

/// Bytes of a tensor whose sizes are all known, and no more than can be.
static std::optional<uint64_t> bytesOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return std::nullopt;
  int64_t bits = bitWidth(toDataType(tensor.getElementType()));
  std::optional<int64_t> size = checkedNumElements(tensor.getShape());
  if (bits == 0 || !size || llvm::MulOverflow(*size, bits, bits)) // strings: 0
    return std::nullopt;
  return bits / 8 + (bits % 8 != 0);
}

/// Its result has the bytes of its operand.
static bool isView(Operator op) {
  return op.is("Reshape") || op.is("Squeeze") || op.is("Unsqueeze") ||
         op.is("Flatten") || op.is("Identity");
}

/// The results of a once operation may be inputs of the rest.
bool RunOnce::mayCross(Operation &op, TypeOf typeOf) const {
  uint64_t made = 0, from = 0;
  bool isKnown = true;
  for (Value result : op.getResults()) {
    if (!isNeededByRest(result))
      continue;
    auto type = dyn_cast<TensorType>(typeOf(result));
    if (!type || toDataType(type.getElementType()) == DataType::Undefined ||
        llvm::is_contained(result.getUsers(),
                           mainBlock(module).getTerminator()))
      return false;
    std::optional<uint64_t> bytes = bytesOf(type);
    isKnown &= bytes.has_value();
    made = llvm::SaturatingAdd(made, bytes.value_or(0));
  }
  if (chosen.contains(&op)) // its size is why it was chosen
    return true;
  Operator node = Operator::from(&op);
  if (isView(node))
    return false;
  for (Value value : valuesReadBy(op)) {
    std::optional<uint64_t> bytes =
        isAbsent(value) ? 0 : bytesOf(typeOf(value));
    isKnown &= bytes.has_value();
    from = llvm::SaturatingAdd(from, bytes.value_or(0));
  }
  if (!isKnown)
    return !node.is("Expand") && !node.is("Tile") &&
           !node.is("ConstantOfShape");
  return made <= llvm::SaturatingMultiply(from, mostGrowthRatio) ||
         made <= llvm::SaturatingAdd(from, mostGrowth);
}

/// An operation of the rest reads it, itself or in a body.
bool RunOnce::isNeededByRest(Value value) const {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    user = mainBlock(module).findAncestorOpInBlock(*user);
    return staying.contains(user) ||
           (!once.contains(user) && !neutral.contains(user));
  });
}

void RunOnce::choose(TypeOf typeOf) {
  Dependence found = dependenceOn(module, roots, chosen);
  once = std::move(found.onRoots);
  neutral = std::move(found.onConstants);
  // From the bottom up it is known whether a node is kept before its operands
  // ask.
  for (Operation &op : llvm::reverse(mainBlock(module).without_terminator())) {
    if (!once.contains(&op) ||
        !llvm::any_of(op.getResults(),
                      [&](Value result) { return isNeededByRest(result); }))
      continue;
    if (isa<OnnxConstantOp>(op) || !mayCross(op, typeOf)) {
      staying.insert(&op);
      continue;
    }
    for (Value result : llvm::reverse(op.getResults()))
      if (isNeededByRest(result)) {
        cut.insert(result);
        types[result] = typeOf(result);
      }
  }
  SmallVector<Value> inOrder(llvm::reverse(cut.getArrayRef()));
  cut = llvm::SetVector<Value>(inOrder.begin(), inOrder.end());
}

//===----------------------------------------------------------------------===//
// The two models
//===----------------------------------------------------------------------===//

/// Erases what nobody reads of `operations`, which are in program order.
static size_t eraseUnread(ArrayRef<Operation *> operations) {
  size_t erased = 0;
  for (Operation *op : llvm::reverse(operations))
    if (op->use_empty()) {
      erased += bool(Operator::from(op));
      op->erase();
    }
  return erased;
}

RunOnce::Copy RunOnce::copyOnce() {
  Copy copy;
  IRMapping mapping;
  copy.module = cast<ModuleOp>(module->clone(mapping));
  for (const auto &[from, to] : mapping.getOperationMap())
    copy.operations[to] = from;
  for (const auto &[from, to] : mapping.getValueMap())
    copy.values[to] = from;

  FunctionOpInterface function = mainGraph(*copy.module);
  Block &block = mainBlock(*copy.module);
  SmallVector<Value> outputs;
  SmallVector<DictionaryAttr> names;
  Builder builder(function->getContext());
  for (Value result : cut) {
    Value output = mapping.lookup(result);
    output.setType(types.lookup(result));
    outputs.push_back(output);
    names.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
        nameAttrName, builder.getStringAttr(valueName(result)))));
  }
  block.getTerminator()->setOperands(outputs);
  SmallVector<Operation *> operations;
  for (Operation &op : block.without_terminator())
    operations.push_back(&op);
  eraseUnread(operations);
  for (unsigned i = function.getNumArguments(); i-- != 0;)
    if (function.getArgument(i).use_empty())
      eraseArgument(function, i);
  function.removeResAttrsAttr();
  updateType(function);
  function.setAllResultAttrs(names);
  return copy;
}

void RunOnce::takeOut() {
  FunctionOpInterface function = mainGraph(module);
  // Nodes that nobody read before are none of our business.
  SmallVector<Operation *> read;
  for (Operation &op : mainBlock(module).without_terminator())
    if ((once.contains(&op) || neutral.contains(&op)) && !op.use_empty())
      read.push_back(&op);
  SmallVector<BlockArgument> readInputs;
  for (BlockArgument argument : function.getArguments())
    if (roots.contains(argument) && !argument.use_empty())
      readInputs.push_back(argument);
  for (Value result : cut)
    result.replaceAllUsesWith(
        addArgument(function, valueName(result), types.lookup(result)));
  moved = eraseUnread(read);
  for (BlockArgument argument : llvm::reverse(readInputs))
    if (argument.use_empty())
      eraseArgument(function, argument.getArgNumber());
  updateType(function);
}
