//===- TypeDecision.cpp - Which classes are converted ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/convert/internal/TypeDecision.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/ConstantTypes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "onnxfold/onnx/transforms/convert/internal/ConstantCheck.h"
#include "onnxfold/onnx/transforms/convert/internal/SchemaTypes.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace onnxfold;
using namespace mlir;

static std::string quoted(Value value) {
  return "'" + printableName(valueName(value)) + "'";
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

const ConvertedTensor &TypeDecision::check(Operation *op) {
  auto constant = cast<OnnxConstantOp>(op);
  auto [known, isNew] = checks.try_emplace(op);
  if (!isNew)
    return known->second;
  const TypePair &pair = *classes.pairOf(constant.getType());
  if (Elements value = fromAttribute(constant.getValue()))
    known->second = checkConstant(value, pair);
  else
    known->second.kept = "its value is not known";
  if (known->second.kept.empty() &&
      !mayState(op, toElementType(pair.to, op->getContext())))
    known->second.kept =
        "a Constant node of this opset does not take " + name(pair.to).str();
  known->second.from = pair.from;
  known->second.to = pair.to;
  known->second.name = constant.getOutput().get().str();
  if (!known->second.kept.empty())
    losses.push_back(known->second);
  return known->second;
}

void TypeDecision::keepLosses() {
  for (const auto &[id, members] : classes.members()) {
    if (classes.isKept(id))
      continue;
    for (OpOperand *place : members.places)
      if (auto constant = place->get().getDefiningOp<OnnxConstantOp>())
        if (const ConvertedTensor &tensor = check(constant);
            !tensor.kept.empty())
          classes.keep(id, "constant " + quoted(constant) + ": " + tensor.kept);
  }
  for (const StatedType &stated : collector.stated()) {
    auto before = dyn_cast_or_null<ElementsAttr>(
        stated.op.attribute(stated.attribute.getName()));
    Elements value = before ? fromAttribute(before) : Elements();
    if (!value)
      continue;
    ConvertedTensor tensor = checkConstant(value, classes.pairOf(stated.id));
    if (!tensor.kept.empty())
      classes.keep(stated.id, "attribute '" +
                                  stated.attribute.getName().getValue() +
                                  "': " + tensor.kept);
  }
}

/// Whether an operator makes a number as large of one beyond the new type.
static bool passesOn(Operator op) {
  return !movedInputs(op).empty() ||
         op.isAny({"Add", "Sub", "Mul", "Div", "Neg", "Abs", "Sum", "Clip"});
}

/// A mask of -3.4e38 is added to scores: as infinity it would make NaN of a row
/// that is masked as a whole, so all of it stays up to the Softmax.
void TypeDecision::keepLarge() {
  llvm::DenseMap<Value, std::string> large; // and why
  auto whyLarge = [&](OpOperand &place) -> std::string {
    if (auto known = large.find(place.get()); known != large.end())
      return known->second;
    auto found = checks.find(place.get().getDefiningOp());
    bool isLarge = found != checks.end() && found->second.overflows != 0 &&
                   isFloat(found->second.from) && !found->second.kept.empty() &&
                   classes.of(place);
    return isLarge ? "it may be as large as constant " + quoted(place.get())
                   : "";
  };
  for (Operator op : collector.plain())
    for (OpOperand &place : op->getOpOperands()) {
      std::string why = whyLarge(place);
      if (why.empty() || !classes.of(place))
        continue;
      classes.keep(*classes.of(place), why);
      for (Value result : op->getResults())
        if (classes.of(result) && passesOn(op)) {
          large.try_emplace(result, why);
          classes.keep(*classes.of(result), why);
        }
    }
}

/// An input is in range where it is read only as indices of known axes.
bool TypeDecision::isProved(Value value, DataType to,
                            const ValueRanges &ranges) {
  // A value that is passed on is of the same class, and looked at there.
  if (ranges.fits(value, to) || collector.isPassedOn(value))
    return true;
  int64_t most = (int64_t(1) << (bitWidth(to) - isSigned(to))) - 1;
  return isa<BlockArgument>(value) && !value.use_empty() &&
         llvm::all_of(value.getUses(), [&](OpOperand &place) {
           std::optional<int64_t> bound = boundOfIndices(place);
           return bound && *bound <= most;
         });
}

static bool narrows(const TypePair &pair) {
  if (!isInteger(pair.from) || pair.saturates)
    return false;
  bool isWider = bitWidth(pair.to) > bitWidth(pair.from);
  return isSigned(pair.from) == isSigned(pair.to)
             ? !isWider
             : !(isWider && isSigned(pair.to));
}

void TypeDecision::keepOutOfRange() {
  std::optional<ValueRanges> ranges;
  for (const auto &[id, members] : classes.members()) {
    const TypePair &pair = classes.pairOf(id);
    if (classes.isKept(id) || !narrows(pair))
      continue;
    if (!ranges)
      ranges.emplace(module);
    auto refuse = [&](Value value) {
      classes.keep(id, "the numbers of " + quoted(value) +
                           " are not known to be in the range of " +
                           name(pair.to));
    };
    for (Value value : members.values)
      if (!isProved(value, pair.to, *ranges))
        refuse(value);
    for (OpOperand *place : members.places)
      if (!place->get().getDefiningOp<OnnxConstantOp>() &&
          !isProved(place->get(), pair.to, *ranges) && !boundOfIndices(*place))
        refuse(place->get());
  }
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static bool isSmall(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() <= 1;
}

/// A scalar or a list that is computed of integers and constants alone.
bool TypeDecision::isOfSizes(Operator op, OpResult result,
                             const llvm::DenseSet<Value> &sizes) const {
  const TypePair *pair = classes.pairOf(result.getType());
  if (!pair || !isSmall(result))
    return false;
  bool isSource = collector.isSource(result);
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    DataType type = elementTypeOf(operand.getType());
    bool isOfKind = isFloat(pair->from) ? isFloat(type) : type == pair->from;
    if (!isOfKind || (isSource && isInteger(pair->from)) ||
        sizes.contains(operand))
      return true;
    return isSmall(operand) && operand.getDefiningOp<OnnxConstantOp>();
  });
}

/// It is read where its type is fixed, or as an integer, or becomes such.
bool TypeDecision::leadsToSizes(Value value,
                                const llvm::DenseSet<Value> &leading) const {
  return llvm::any_of(value.getUses(), [&](OpOperand &place) {
    Operator reader = Operator::from(place.getOwner());
    if (!reader || reader.numGraphs() != 0)
      return false;
    std::optional<Id> id = classes.of(place);
    if (id && classes.isKept(*id))
      return true;
    if (reader.is("Cast"))
      return isFloat(elementTypeOf(value.getType())) &&
             isInteger(elementTypeOf(reader->getResult(0).getType()));
    return llvm::any_of(reader->getResults(),
                        [&](Value result) { return leading.contains(result); });
  });
}

/// A half has few digits, so a size that is computed in floats would be another
/// one; and integers between a Shape and a Reshape, which both have i64, would
/// only be cast back and forth.
void TypeDecision::keepSizes() {
  llvm::DenseSet<Value> sizes, leading;
  for (Operator op : collector.plain())
    for (OpResult result : op->getResults())
      if (isOfSizes(op, result, sizes))
        sizes.insert(result);
  for (Operator op : llvm::reverse(collector.plain()))
    for (Value result : op->getResults())
      if (sizes.contains(result) && leadsToSizes(result, leading))
        leading.insert(result);
  for (Operator op : collector.plain())
    for (Value result : op->getResults())
      if (leading.contains(result) && classes.of(result))
        classes.keep(*classes.of(result), "sizes are computed with it");
}

//===----------------------------------------------------------------------===//
// What would gain nothing, and what ONNX refuses
//===----------------------------------------------------------------------===//

namespace {

/// Classes between which values pass without a Cast.
struct Island {
  bool hasWeight = false;
  bool isOpen = false; ///< it meets something else than a node that is kept
};

} // namespace

/// Whether the node is a Cast between a value that gets the type `to` and one
/// that has it, so that it is dropped.
static bool isCastFromOrTo(Operation *node, DataType to) {
  Operator op = Operator::from(node);
  return op && op.is("Cast") &&
         (elementTypeOf(op.input(0).getType()) == to ||
          elementTypeOf(op->getResult(0).getType()) == to);
}

/// Classes that are converted, with those that values come from: as they are,
/// or by a Cast to the type that they have, which is dropped.
static llvm::EquivalenceClasses<TypeClasses::Id>
connected(const TypeClasses &classes) {
  llvm::EquivalenceClasses<TypeClasses::Id> groups;
  for (const auto &[id, list] : classes.members()) {
    if (classes.isKept(id))
      continue;
    groups.insert(id);
    auto connect = [&](Value source) {
      if (classes.isConverted(source))
        groups.unionSets(id, classes.root(*classes.of(source)));
    };
    for (OpOperand *place : list.places)
      connect(place->get());
    for (Value value : list.values)
      if (Operator cast = Operator::from(value.getDefiningOp());
          cast && cast.is("Cast") &&
          elementTypeOf(cast.input(0).getType()) ==
              elementTypeOf(value.getType()))
        connect(cast.input(0));
  }
  return groups;
}

/// Nodes without weights that stand between nodes that are kept (a Conv between
/// DequantizeLinear and QuantizeLinear) would only get Casts around them.
void TypeDecision::keepIslands() {
  constexpr int64_t fewElements = 16;
  auto members = classes.members();
  llvm::EquivalenceClasses<Id> groups = connected(classes);
  auto isKeptNode = [&](std::optional<Id> id) {
    return id && classes.isKept(*id) && !classes.whyKept(*id).empty();
  };
  llvm::DenseMap<Id, Island> islands;
  for (const auto &[id, list] : members) {
    if (classes.isKept(id))
      continue;
    Island &island = islands[groups.getLeaderValue(id)];
    for (OpOperand *place : list.places) {
      Value value = place->get();
      if (auto constant = value.getDefiningOp<OnnxConstantOp>())
        island.hasWeight |= constant.getValue().getNumElements() > fewElements;
      else if (!classes.isConverted(value) && !isKeptNode(classes.of(value)))
        island.isOpen = true;
    }
    DataType to = classes.pairOf(id).to;
    for (Value value : list.values) {
      island.isOpen |= isa<BlockArgument>(value) ||
                       isCastFromOrTo(value.getDefiningOp(), to);
      for (OpOperand &place : value.getUses())
        if (isCastFromOrTo(place.getOwner(), to))
          island.isOpen = true;
        else if (classes.of(place) && !isConverted(place) &&
                 !isKeptNode(classes.of(place)))
          island.isOpen = true;
    }
  }
  for (const auto &[id, list] : members)
    if (!classes.isKept(id)) {
      const Island &island = islands[groups.getLeaderValue(id)];
      if (!island.hasWeight && !island.isOpen)
        classes.keep(id, "all nodes around it keep their types");
    }
}

/// A value whose users all need its type is not made with another
/// one.
void TypeDecision::keepUnread() {
  for (const auto &[id, members] : classes.members()) {
    if (classes.isKept(id) || !members.places.empty())
      continue;
    bool isWanted = llvm::any_of(members.values, [&](Value value) {
      return !collector.isSource(value) ||
             llvm::any_of(value.getUses(), [&](OpOperand &place) {
               return classes.of(place) && isConverted(place);
             });
    });
    if (!isWanted)
      classes.keep(id, "");
  }
}

/// Nodes of which inference says something else than was decided. True if
/// there are any.
bool TypeDecision::keepRefused() {
  llvm::DenseMap<Operation *, SmallVector<NamedAttribute, 1>> stated;
  for (const StatedType &one : collector.stated())
    if (!classes.isKept(one.id))
      stated[one.op.getOperation()].push_back(one.attribute);
  bool isRefused = false;
  for (Operator op : collector.plain()) {
    bool changes =
        llvm::any_of(op->getOpOperands(),
                     [&](OpOperand &place) { return isConverted(place); }) ||
        llvm::any_of(op->getResults(),
                     [&](Value result) { return classes.isConverted(result); });
    if (!changes)
      continue;
    OwningOpRef<Operation *> copy(op->clone());
    for (NamedAttribute attribute : stated.lookup(op.getOperation()))
      (*copy)->setAttr(attribute.getName(), attribute.getValue());
    auto types = inferElements(Operator::from(*copy), [&](unsigned operand) {
      OpOperand &place = op->getOpOperand(operand);
      const TypePair *pair = classes.pairOf(place.get().getType());
      return pair && isConverted(place) ? pair->to : DataType::Undefined;
    });
    if (!types &&
        !inferElements(op, [](unsigned) { return DataType::Undefined; }))
      continue; // nothing is known of it, whatever its types
    for (OpResult result : op->getResults()) {
      const TypePair *pair = classes.pairOf(result.getType());
      DataType inferred =
          types ? (*types)[result.getResultNumber()] : DataType::Undefined;
      if (types &&
          (!pair || inferred == DataType::Undefined ||
           inferred == (classes.isConverted(result) ? pair->to : pair->from)))
        continue;
      std::string why = types ? ("it would give " + name(inferred)).str()
                              : "its attributes do not allow other types";
      auto keep = [&](std::optional<Id> id) {
        isRefused |= id && !classes.isKept(*id);
        if (id)
          classes.keep(*id, why);
      };
      keep(classes.of(result));
      for (OpOperand &place : op->getOpOperands())
        keep(classes.of(place) ? classes.of(place) : classes.of(place.get()));
    }
  }
  return isRefused;
}

void TypeDecision::run() {
  keepLosses();
  keepLarge();
  keepOutOfRange();
  keepSizes();
  keepIslands();
  for (unsigned round = 0; round != 4; ++round)
    keepUnread();
  while (keepRefused())
    keepUnread();
}
