//===- NodeBuilder.cpp - New nodes while a graph is cleaned up ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rewrite/NodeBuilder.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/folding/CallAttributes.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnxfold/onnx/transforms/rewrite/CopySources.h"
#include "llvm/Support/xxhash.h"

using namespace onnxfold;
using namespace mlir;

void NodeBuilder::begin(Operation *op) {
  assert(isIdle() && "what was made before has no names");
  target = op;
}

int64_t NodeBuilder::opset() const {
  return importedOpset(target, "").value_or(latestOpset(""));
}

bool NodeBuilder::knowsOpset() const {
  int64_t known = opset();
  return known >= 1 && known <= latestOpset("");
}

std::optional<int> NodeBuilder::sinceOf(OperatorName opType) const {
  return opset() <= latestOpset("") ? resolveSince("", opType, opset())
                                    : std::nullopt;
}

Value NodeBuilder::create(OperatorName opType, ValueRange inputs,
                          ArrayRef<NamedAttribute> attributes) {
  return createNode(opType, inputs, attributes, 1)->getResult(0);
}

Operation *NodeBuilder::createNode(OperatorName opType, ValueRange inputs,
                                   ArrayRef<NamedAttribute> attributes,
                                   unsigned numResults) {
  // The context of the tool has one thread, and fold-opt registers them all.
  MLIRContext *context = target->getContext();
  if (!context->isMultithreadingEnabled())
    registerOperator(*context, "", opType);
  OpBuilder builder(target);
  SmallVector<Type> types(numResults, OnnxUnknownType::get(context));
  Operator node = Operator::create(builder, target->getLoc(),
                                   {"", opType, *sinceOf(opType)}, inputs,
                                   types, attributes);
  made.push_back(node.getOperation());
  evaluation.add(node.getOperation());
  return node.getOperation();
}

Value NodeBuilder::constant(const Elements &value) {
  OpBuilder builder(target);
  auto type =
      RankedTensorType::get(value.shape(), elementTypeOf(int32_t(value.type()),
                                                         target->getContext()));
  auto op = OnnxConstantOp::create(builder, target->getLoc(),
                                   toAttribute(value, type), "", std::nullopt);
  made.push_back(op);
  evaluation.add(op);
  return op.getResult();
}

Value NodeBuilder::number(double value, DataType type) {
  return constant(ops::cast(Elements::splat(Shape(), value), type));
}

Value NodeBuilder::integers(ArrayRef<int64_t> values) {
  return constant(
      Elements::fromValues<int64_t>({int64_t(values.size())}, values));
}

Value NodeBuilder::absent() {
  OpBuilder builder(target);
  auto op = OnnxAbsentOp::create(builder, target->getLoc());
  evaluation.add(op);
  return op.getResult();
}

StringAttr NodeBuilder::attributeName(StringRef name) const {
  return StringAttr::get(target->getContext(), name);
}

NamedAttribute NodeBuilder::attribute(StringRef name, int64_t value) const {
  Builder builder(target->getContext());
  return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
}

NamedAttribute NodeBuilder::attribute(StringRef name, float value) const {
  Builder builder(target->getContext());
  return builder.getNamedAttr(name, builder.getF32FloatAttr(value));
}

NamedAttribute NodeBuilder::attribute(StringRef name,
                                      ArrayRef<int64_t> values) const {
  Builder builder(target->getContext());
  return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(values));
}

/// Names what was made but `rootOp`, which is returned if it is there.
Operator NodeBuilder::nameMade(Operation *rootOp) {
  Operator old = Operator::from(target), root = {};
  for (Operation *op : made) {
    if (op == rootOp) {
      root = Operator::from(op);
      continue;
    }
    std::string base =
        (old.outputName(0) + "_" + op->getName().stripDialect()).str();
    llvm::SmallVector<std::string, 1> names;
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      names.push_back(freshName(base));
    if (auto constant = dyn_cast<OnnxConstantOp>(op))
      constant.setOutput(names[0]);
    else
      Operator::from(op).setOutputNames(
          llvm::SmallVector<StringRef, 1>(names.begin(), names.end()));
  }
  made.clear();
  return root;
}

void NodeBuilder::settle() { nameMade(nullptr); }

void NodeBuilder::discard() {
  for (Operation *op : llvm::reverse(made)) {
    evaluation.forget(op);
    if (sources)
      sources->forget(op);
    op->erase();
  }
  made.clear();
}

/// A graph gives it: it says the type.
static bool isGiven(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *reader) {
    return reader->hasTrait<OpTrait::IsTerminator>();
  });
}

/// Of a copy: a name of a dimension may mean another size in each iteration of
/// a body. `statesTypes`: what is said of custom operators, and ranks and
/// numbers of what bodies give, holds all the same. (Not what a function says,
/// of which calls may be of other types.)
static void forgetTypes(Operator node, bool statesTypes) {
  for (Value result : node->getResults()) {
    auto type = dyn_cast<TensorType>(result.getType());
    if (!type || (node.isCustom() && statesTypes))
      continue;
    if (auto ranked = dyn_cast<RankedTensorType>(type);
        ranked && isGiven(result) && statesTypes) // what a graph gives is that
      result.setType(
          RankedTensorType::get(ranked.getShape(), ranked.getElementType()));
    else if (isGiven(result)) // the element type may not be possible to infer
      result.setType(UnrankedTensorType::get(type.getElementType()));
    else
      result.setType(OnnxUnknownType::get(node->getContext()));
  }
}

/// A copy is no node of the file, and its values are others.
void NodeBuilder::rename(Operation *copied, StringRef suffix, bool keepsNames,
                         bool statesTypes) {
  auto renamed = [&](Value value, bool isKept) {
    StringRef name = valueName(value);
    if (name.empty() || !isKept)
      return name.empty() ? "" : freshName((name + suffix).str());
    noteMade(name);
    return name.str();
  };
  Operator node = Operator::from(copied);
  for (Region &region : copied->getRegions())
    for (BlockArgument argument : region.getArguments())
      argument.setLoc(NameLoc::get(StringAttr::get(
          copied->getContext(),
          renamed(argument, keepsNames || (node && node.isCustom())))));
  if (auto constant = dyn_cast<OnnxConstantOp>(copied)) {
    constant.setNode(std::nullopt);
    constant.setOutput(renamed(constant, keepsNames));
    return;
  }
  if (!node)
    return;
  llvm::SmallVector<std::string, 2> names;
  for (Value result : copied->getResults())
    names.push_back(renamed(result, keepsNames));
  node.setNode(std::nullopt);
  node.setOutputNames(
      llvm::SmallVector<StringRef, 2>(names.begin(), names.end()));
  if (!node.nodeName().empty() && !keepsNames)
    node.setNodeName((node.nodeName() + suffix).str());
  forgetTypes(node, statesTypes);
}

/// Whether it is in a graph of a custom operator, below `top`.
static bool isInCustom(Operation *op, Operation *top) {
  while (op != top) {
    op = op->getParentOp();
    if (Operator node = Operator::from(op); node && node.isCustom())
      return true;
  }
  return false;
}

/// Operations in bodies are other ones in the next copy.
static void forgetBodies(Operation *op, IRMapping &values) {
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      values.erase(&block);
      for (BlockArgument argument : block.getArguments())
        values.erase(argument);
      for (Operation &inner : block) {
        forgetBodies(&inner, values);
        values.erase(&inner);
        for (Value result : inner.getResults())
          values.erase(result);
      }
    }
}

/// Returns what takes the place of a copy: where attributes are those of a
/// call, a Constant may be another operation.
Operation *NodeBuilder::noteCopy(Operation *original, Operation *copied,
                                 const CallSite *site) {
  Operator node = Operator::from(copied);
  if (!node)
    return copied;
  DictionaryAttr before = copied->getDiscardableAttrDictionary();
  bool resolves = site && node.hasReferences();
  Operation *now = resolves
                       ? resolveOwnReferences(node, site->call, site->function)
                       : copied;
  if (!sources || now != copied)
    return now;
  sources->note(original, copied);
  for (NamedAttribute attribute : before)
    if (auto reference = dyn_cast<OnnxRefAttr>(attribute.getValue());
        resolves && reference && node.has(attribute.getName()))
      sources->noteParameter(copied, attribute.getName(), site->call,
                             site->function, reference.getName());
  return now;
}

Operation *NodeBuilder::copy(Operation *original, IRMapping &values,
                             StringRef suffix,
                             llvm::function_ref<bool(Operation *)> isErased,
                             const CallSite *site) {
  Operation *copied = OpBuilder(target).clone(*original, values);
  llvm::DenseMap<Operation *, Operation *> originals;
  llvm::SmallVector<Operation *> inside;
  for (Region &region : original->getRegions())
    region.walk<WalkOrder::PreOrder>(
        [&](Operation *inner) { inside.push_back(inner); });
  for (Operation *inner : llvm::reverse(inside)) { // readers come first
    Operation *same = values.lookup(inner);
    if (isErased && isErased(inner) && same->use_empty())
      same->erase();
    else
      originals[same] = inner;
  }
  forgetBodies(original, values);
  originals[copied] = original;
  copied->walk([&](Operation *inner) {
    Operation *now = noteCopy(originals.lookup(inner), inner, site);
    if (inner == copied)
      copied = now;
  });
  values.map(original, copied);
  values.map(original->getResults(), copied->getResults());
  copied->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    rename(inner, suffix, isInCustom(inner, copied), /*statesTypes=*/!site);
  });
  evaluation.add(copied);
  return copied;
}

void NodeBuilder::evaluateAgain(Operation *copied) {
  evaluation.add(copied);
  for (Value result : copied->getResults()) {
    Type known = typeOfState(evaluation.state(result), evaluation.exprs(),
                             copied->getContext());
    Type type = isGiven(result) || !known || !isa<TensorType>(result.getType())
                    ? Type()
                    : mergeTypes(result.getType(), known);
    if (type)
      result.setType(type);
  }
}

Value NodeBuilder::finish(Value value, unsigned result) {
  Operator old = Operator::from(target);
  Operator root = nameMade(value.getDefiningOp());
  assert(root && "the result of a node that was made takes the names");
  Value before = target->getResult(result);
  root.setOutputNames(old.outputName(result));
  root.setNodeName(old.nodeName());
  if (sources)
    sources->notePart(root.getOperation(), target);
  evaluation.refine(value, evaluation.state(before));
  value.setType(before.getType()); // the graph may say so
  return value;
}

std::string NodeBuilder::freshName(StringRef base) {
  std::string name = base.str();
  if (count(name) != 0) {
    // Numbers go on from the last: thousands of bodies have the same names.
    unsigned &number = numbers[base];
    do
      name = (base + "_" + Twine(++number)).str();
    while (count(name) != 0);
  }
  noteMade(name);
  return name;
}

/// Two numbers are keys of no map.
static uint64_t keyOf(StringRef name) { return llvm::xxh3_64bits(name) >> 1; }

int NodeBuilder::count(StringRef name) {
  if (noted.empty())
    noteNames();
  uint64_t key = keyOf(name);
  auto equal = std::equal_range(noted.begin(), noted.end(), key);
  return equal.second - equal.first + changes.lookup(key);
}

void NodeBuilder::noteErased(StringRef name, unsigned values) {
  if (noted.empty())
    noteNames();
  changes[keyOf(name)] -= values;
}

void NodeBuilder::noteMade(StringRef name) {
  if (noted.empty())
    noteNames();
  ++changes[keyOf(name)];
}

/// Notes the names in all graphs: bodies see those outside.
void NodeBuilder::noteNames() {
  auto note = [&](ValueRange values) {
    for (Value value : values)
      noted.push_back(keyOf(valueName(value)));
  };
  Operation *module = target;
  while (Operation *parent = module->getParentOp())
    module = parent;
  module->walk([&](Operation *op) {
    note(op->getResults());
    for (Region &region : op->getRegions())
      note(region.getArguments());
  });
  llvm::sort(noted);
}
