//===- TypeRewriter.cpp - The classes that are converted, in the IR -------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/convert/internal/TypeRewriter.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Annotations.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/ShapeInference.h"
#include "onnxfold/onnx/transforms/convert/internal/ConstantCheck.h"
#include "onnxfold/onnx/transforms/rewrite/ExactCasts.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace onnxfold;
using namespace mlir;

/// Operations are known by their addresses, so none is freed.
void TypeRewriter::bury(Operation *op) {
  if (!done.replaced)
    done.replaced = ModuleOp::create(op->getLoc());
  op->setOperands(ValueRange());
  op->moveBefore(done.replaced->getBody(), done.replaced->getBody()->end());
}

/// An erased operation may have had the address.
void TypeRewriter::noteNew(Operation *op) {
  (void)session.noteReplacedBy(op, {op}, op->getResults());
}

void TypeRewriter::noteKept() {
  auto reasonOf = [&](std::optional<Id> id) {
    return id && classes.isKept(*id) ? classes.whyKept(*id) : std::string();
  };
  for (Operation *function : collector.functions())
    function->walk([&](Operation *op) {
      Operator node = Operator::from(op);
      if (!node)
        return;
      std::string reason;
      for (Value result : op->getResults())
        if (reason.empty())
          reason = reasonOf(classes.of(result));
      for (OpOperand &place : op->getOpOperands())
        if (reason.empty())
          reason = reasonOf(classes.of(place));
      if (!reason.empty())
        done.kept.push_back({nodeText(node), reason});
    });
}

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

void TypeRewriter::setTypes() {
  llvm::DenseSet<Operation *> nodes;
  for (const auto &[id, members] : classes.members()) {
    if (classes.isKept(id))
      continue;
    for (Value value : members.values) {
      value.setType(withElements(value.getType(), classes.pairOf(id).to));
      if (Operation *maker = value.getDefiningOp()) {
        nodes.insert(maker);
        changed.insert(maker);
      }
    }
    for (OpOperand *place : members.places)
      if (Operator::from(place->getOwner()))
        changed.insert(place->getOwner());
  }
  done.nodes = nodes.size();
}

/// The node is written anew, with the texts of the one in the file.
void TypeRewriter::setAttributes() {
  for (const StatedType &stated : collector.stated()) {
    if (classes.isKept(stated.id))
      continue;
    Operator op = stated.op;
    op->setAttr(stated.attribute.getName(), stated.attribute.getValue());
    noteNew(op.getOperation());
    op.setNode(std::nullopt);
  }
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// A place of no class follows the other operands of its node.
TypeRewriter::Wish TypeRewriter::wishOf(OpOperand &place) const {
  if (std::optional<Id> id = classes.of(place))
    return classes.isKept(*id) ? Wish::From : Wish::To;
  const TypePair *pair = classes.pairOf(place.get().getType());
  for (OpOperand &other : place.getOwner()->getOpOperands())
    if (std::optional<Id> id = classes.of(other);
        id && &classes.pairOf(*id) == pair && classes.isKept(*id))
      return Wish::From;
  return Wish::Either;
}

OnnxConstantOp TypeRewriter::copyOf(OnnxConstantOp constant, StringRef suffix) {
  OpBuilder builder(constant);
  builder.setInsertionPointAfter(constant);
  std::string name =
      names.make((constant.getOutput().get() + "_" + suffix).str());
  auto copy = OnnxConstantOp::create(builder, constant.getLoc(),
                                     constant.getValue(), name);
  noteNew(copy);
  return copy;
}

void TypeRewriter::setValue(OnnxConstantOp constant, const TypePair &pair,
                            const ConvertedTensor &losses) {
  Elements value =
      convertConstant(fromAttribute(constant.getValue()), pair, losses);
  auto type = cast<ShapedType>(withElements(constant.getType(), pair.to));
  constant.setValueAttr(toAttribute(value, type));
  constant.getResult().setType(type);
}

/// The name stays with what a graph gives under it, or else with the new value
/// if nothing needs the old one.
void TypeRewriter::convert(OnnxConstantOp constant, const TypePair &pair) {
  SmallVector<OpOperand *> before, after, either;
  for (OpOperand &place : constant->getUses())
    switch (wishOf(place)) {
    case Wish::From:
      before.push_back(&place);
      break;
    case Wish::To:
      after.push_back(&place);
      break;
    case Wish::Either:
      either.push_back(&place);
      break;
    }
  if (after.empty() && (either.empty() || !before.empty()))
    return;
  const ConvertedTensor &tensor = decision.check(constant);
  if (!tensor.kept.empty())
    return;
  after.append(either);
  auto isEnd = [](OpOperand *place) {
    return place->getOwner()->hasTrait<OpTrait::IsTerminator>();
  };
  done.tensors.push_back(tensor);
  for (OpOperand *place : after)
    if (Operator::from(place->getOwner()))
      changed.insert(place->getOwner());
  OnnxConstantOp converted = constant;
  ArrayRef<OpOperand *> moved;
  if (!before.empty()) {
    bool takesName = llvm::any_of(after, isEnd);
    OnnxConstantOp copy =
        copyOf(constant, name(takesName ? pair.from : pair.to));
    converted = takesName ? constant : copy;
    moved = takesName ? before : after;
    for (OpOperand *place : moved) {
      place->set(copy);
      session.noteRewired(place->getOwner());
    }
  }
  setValue(converted, pair, tensor);
  if (converted == constant)
    done.newValues.insert(constant);
}

void TypeRewriter::convertConstants() {
  for (Operation *function : collector.functions())
    function->walk([&](OnnxConstantOp constant) {
      const TypePair *pair = classes.pairOf(constant.getType());
      if (pair && decision.whyFixed(constant.getResult()).empty())
        convert(constant, *pair);
    });
  for (const ConvertedTensor &tensor : decision.lost())
    done.tensors.push_back(tensor);
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// Gives the result another name, and those that read it.
void TypeRewriter::rename(OpResult result, StringRef name) {
  std::string kept = name.str(); // it may be that of an operation in change
  session.changes().rename(result);
  nameResult(result, kept);
}

Value TypeRewriter::makeCast(Value value, DataType to, StringRef name) {
  OpBuilder builder(value.getContext());
  if (Operation *maker = value.getDefiningOp())
    builder.setInsertionPointAfter(maker);
  else
    builder.setInsertionPointToStart(value.getParentBlock());
  Value from = value;
  // One Cast does what two do where the type between loses nothing.
  Operator first = Operator::from(value.getDefiningOp());
  if (first && first.is("Cast") &&
      isWider(elementTypeOf(first->getOperand(0).getType()),
              elementTypeOf(value.getType())))
    from = first->getOperand(0);
  registerOperator(*value.getContext(), "", "Cast");
  OperatorId id{
      "", "Cast",
      *resolveSince("", "Cast",
                    *importedOpset(value.getParentBlock()->getParentOp(), ""))};
  NamedAttribute attribute =
      builder.getNamedAttr("to", builder.getI64IntegerAttr(int64_t(to)));
  Operator made =
      Operator::create(builder, value.getLoc(), id, from,
                       withElements(value.getType(), to), {attribute});
  noteNew(made.getOperation());
  changed.insert(made.getOperation());
  ++done.casts;
  auto result = cast<OpResult>(made->getResult(0));
  nameResult(result, name);
  return result;
}

/// The value in the other type: one Cast for all that need it.
Value TypeRewriter::castOf(Value value, DataType to) {
  Value &known = casts[{value, unsigned(to)}];
  if (known)
    return known;
  Operator maker = Operator::from(value.getDefiningOp());
  if (maker && maker.is("Cast") &&
      elementTypeOf(maker->getOperand(0).getType()) == to &&
      isWider(to, elementTypeOf(value.getType())))
    return known = maker->getOperand(0);
  std::string fresh = names.make((valueName(value) + "_" + name(to)).str());
  return known = makeCast(value, to, fresh);
}

std::optional<DataType> TypeRewriter::wantedAt(OpOperand &place) const {
  std::optional<Id> id = classes.of(place);
  if (!id)
    return std::nullopt;
  const TypePair &pair = classes.pairOf(*id);
  DataType wanted = classes.isKept(*id) ? pair.from : pair.to;
  return elementTypeOf(place.get().getType()) == wanted ? std::nullopt
                                                        : std::optional(wanted);
}

/// Directly, or by a Cast.
static bool readsOtherBlock(Operation *op) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    Operation *maker = operand.getDefiningOp();
    if (!Operator::from(maker))
      return !maker;
    return maker->getBlock() != op->getBlock() ||
           (Operator::from(maker).is("Cast") &&
            isa<BlockArgument>(maker->getOperand(0)));
  });
}

/// An output of a graph keeps its name: the value before the Cast gets another.
void TypeRewriter::castEnd(OpOperand &place) {
  DataType wanted = *wantedAt(place);
  auto value = cast<OpResult>(place.get());
  done.foldable += readsOtherBlock(value.getOwner());
  std::string name = valueName(value).str();
  rename(
      value,
      names.make(
          (name + "_" + onnxfold::name(elementTypeOf(value.getType()))).str()));
  Value made = makeCast(value, wanted, name);
  casts[{value, unsigned(wanted)}] = made;
  place.set(made);
}

void TypeRewriter::addCasts() {
  SmallVector<OpOperand *> inner;
  for (Operation *function : collector.functions())
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (OpOperand &place : op->getOpOperands()) {
        if (!wantedAt(place))
          continue;
        if (op->hasTrait<OpTrait::IsTerminator>())
          castEnd(place);
        else
          inner.push_back(&place);
      }
    });
  for (OpOperand *place : inner) {
    place->set(castOf(place->get(), *wantedAt(*place)));
    session.noteRewired(place->getOwner());
  }
}

//===----------------------------------------------------------------------===//
// Casts that change nothing any more
//===----------------------------------------------------------------------===//

static bool isGiven(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *reader) {
    return reader->hasTrait<OpTrait::IsTerminator>();
  });
}

/// The readers of the Cast read what it reads; if a graph gives its result,
/// that has the name now.
void TypeRewriter::drop(Operator cast) {
  Value from = cast->getOperand(0), to = cast->getResult(0);
  Operator maker = Operator::from(from.getDefiningOp());
  bool isNamed = isGiven(to);
  if (isNamed && (!maker || maker->getBlock() != cast->getBlock() ||
                  isGiven(from) || !quantizationOf(to).empty()))
    return;
  done.foldable += maker && llvm::any_of(to.getUsers(), [](Operation *reader) {
                     return bool(Operator::from(reader));
                   });
  std::string name = valueName(to).str();
  session.changes().rename(to);
  to.replaceAllUsesWith(from);
  bury(cast.getOperation());
  ++done.droppedCasts;
  if (isNamed)
    rename(::cast<OpResult>(from), name);
}

void TypeRewriter::dropCasts() {
  for (Operator cast : collector.plain()) {
    bool isChanged =
        cast.is("Cast") && (classes.isConverted(cast->getOperand(0)) ||
                            classes.isConverted(cast->getResult(0)));
    if (isChanged && !cast.annotations() &&
        elementTypeOf(cast->getOperand(0).getType()) ==
            elementTypeOf(cast->getResult(0).getType()))
      drop(cast);
  }
}

/// The decision was made by schemas; this is the proof.
llvm::Error TypeRewriter::checkNodes() const {
  for (Operator op : collector.plain())
    if (changed.contains(op.getOperation()) && op->getBlock() &&
        op->getParentOfType<ModuleOp>() == module)
      if (llvm::Error error = checkInputTypes(op))
        return atNode(op).says(": the conversion of types breaks it: " +
                               llvm::toString(std::move(error)));
  return llvm::Error::success();
}

/// A copy of a constant, for example, that is no copy of the new one.
void TypeRewriter::countFoldable() {
  for (Operation *op : changed)
    if (op->getNumOperands() != 0 && op->getBlock() &&
        op->getParentOfType<ModuleOp>() == module &&
        llvm::all_of(op->getOperands(), [](Value operand) {
          return operand.getDefiningOp<OnnxConstantOp>() != nullptr;
        }))
      ++done.foldable;
}

llvm::Error TypeRewriter::run() {
  noteKept();
  convertConstants();
  setTypes();
  setAttributes();
  addCasts();
  dropCasts();
  for (Operation *function : collector.functions())
    updateType(cast<FunctionOpInterface>(function));
  countFoldable();
  return checkNodes();
}
