//===- OpsetConversion.cpp - A model in another opset ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/opset/OpsetConversion.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/ConstantTypes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/FreshNames.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/NodeFault.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/transforms/opset/internal/NodeConverter.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

namespace {

class OpsetConverter {
public:
  OpsetConverter(ModuleOp module, int64_t target, const NoteConverted &note)
      : module(module), target(target), note(note), names(module) {}

  llvm::Error run();
  OpsetConversion takeResult() { return std::move(done); }

private:
  void convertAll(Operation *function, int64_t from);
  void checkCustom(Operator op, int64_t from, bool isThere);
  void convert(Operator op, int64_t from);
  void convertBack(Operator op);
  void restate(OnnxConstantOp constant);
  SmallVector<Operation *> replace(Operator op, SchemaBody body);
  void bury(Operation *op);
  Value named(Operator op, unsigned result, Value value);
  void problem(Operator op, const llvm::Twine &why);
  void problem(OnnxConstantOp constant);
  void checkMade(Operation *function);
  std::string versions(Operator op) const;
  void setOpset(Operation *moduleOrFunction);

  ModuleOp module;
  int64_t target;
  const NoteConverted &note;
  NodeConverter nodes;
  FreshNames names;
  OpsetConversion done;
  llvm::DenseSet<Value> taken;        // of the node at hand: results
  llvm::DenseSet<Operation *> copies; // and new operations
  llvm::DenseSet<Operation *> given;  // constants that were there
  std::vector<ModelFault> problems;
};

} // namespace

void OpsetConverter::problem(Operator op, const llvm::Twine &why) {
  problems.push_back(atNode(op).says(": " + why));
}

void OpsetConverter::problem(OnnxConstantOp constant) {
  auto type = toDataType(getElementTypeOrSelf(constant.getType()));
  problems.push_back(
      ModelFault("constant '" + printableName(constant.getOutput().get()) + "'")
          .says(": Constant of opset " + llvm::Twine(target) + " has no " +
                name(type) +
                ", and it can be no initializer of a function, nor before IR "
                "version 4"));
}

/// Tables know operations by their addresses, so none is freed.
void OpsetConverter::bury(Operation *op) {
  if (!done.replaced)
    done.replaced = ModuleOp::create(op->getLoc());
  Block *graveyard = done.replaced->getBody();
  op->setOperands(ValueRange());
  op->moveBefore(graveyard, graveyard->end());
}

/// The value that takes the place of a result, under its name.
Value OpsetConverter::named(Operator op, unsigned result, Value value) {
  auto made = dyn_cast<OpResult>(value);
  bool isFree = made && taken.insert(value).second &&
                made.getOwner()->getBlock() == op->getBlock() &&
                copies.contains(made.getOwner()) &&
                !isa<OnnxConstantOp>(made.getOwner());
  if (!isFree) {
    OpBuilder builder(op.getOperation());
    OperatorId identity{"", "Identity", *resolveSince("", "Identity", target)};
    registerOperator(*op->getContext(), identity.domain, identity.opType);
    made = Operator::create(builder, op->getLoc(), identity, value,
                            op->getResult(result).getType())
               ->getResult(0);
  }
  made.setType(op->getResult(result).getType());
  nameResult(made, op.outputName(result));
  // Names of nodes are unique, and one node may become several.
  if (Operator node = Operator::from(made.getOwner()); node && result == 0)
    node.setNodeName(op.nodeName());
  return made;
}

/// The body's operations take the place of `op`; its results keep their names.
SmallVector<Operation *> OpsetConverter::replace(Operator op, SchemaBody body) {
  OpBuilder builder(op.getOperation());
  Operation *before = op->getPrevNode();
  IRMapping values;
  taken.clear();
  copies.clear();
  for (BlockArgument argument : body.block().getArguments())
    if (argument.getArgNumber() < op.numInputs() &&
        op.hasInput(argument.getArgNumber()))
      values.map(argument, op.input(argument.getArgNumber()));
  for (Operation &inner : body.block().without_terminator()) {
    if (&inner == body.end)
      continue;
    Operation *copy = builder.clone(inner, values);
    copies.insert(copy);
    for (OpResult result : copy->getResults())
      if (!isa<NoneType>(result.getType()))
        nameResult(result, names.makeNumbered(op.outputName(0)));
  }
  SmallVector<Value> given;
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    Value value = values.lookupOrDefault(body.end->getOperand(i));
    if (!isa<NoneType>(result.getType()))
      value = named(op, i, value);
    given.push_back(value);
  }
  SmallVector<Operation *> made;
  for (Operation *one = before ? before->getNextNode()
                               : &op->getBlock()->front();
       one != op.getOperation(); one = one->getNextNode())
    made.push_back(one);
  if (note)
    if (std::string why = note(op.getOperation(), made, given); !why.empty())
      problem(op, why);
  op->replaceAllUsesWith(given);
  bury(op.getOperation());
  return made;
}

/// A call of a function, a node that breaks the standard, or nothing that the
/// standard knows at this opset.
void OpsetConverter::checkCustom(Operator op, int64_t from, bool isThere) {
  bool isCall =
      llvm::any_of(ArrayRef<StringRef>{"", "ai.onnx"}, [&](auto name) {
        return module.lookupSymbol(
            functionSymbol(name, op.opType(), op.overload()));
      });
  if (!isCall && resolveSince("", op.opType(), from))
    return problem(op, faultOf(op).text);
  if (isThere)
    problem(op, "is not an operator of opset " + llvm::Twine(from) +
                    ", but one of opset " + llvm::Twine(target));
}

std::string OpsetConverter::versions(Operator op) const {
  std::optional<int> then = resolveSince("", op.opType(), target);
  return ("has version " + llvm::Twine(op.since()) + ", opset " +
          llvm::Twine(target) + " has " +
          (then ? "version " + llvm::Twine(*then)
                : llvm::Twine("no such operator")))
      .str();
}

static bool hasFloats(Operator op) {
  return llvm::any_of(op->getResultTypes(), [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || isa<FloatType, ComplexType>(shaped.getElementType());
  });
}

/// To an earlier opset: by a version at a time. What the node becomes may have
/// to be converted further.
void OpsetConverter::convertBack(Operator op) {
  SmallVector<Operator> waiting = {op};
  ModelFault node = atNode(op);
  while (!waiting.empty()) {
    Operator one = waiting.pop_back_val();
    std::optional<int> then = resolveSince("", one.opType(), target);
    if (then && *then >= one.since())
      continue;
    llvm::Expected<NodeConverter::Earlier> earlier = nodes.stepBack(one);
    if (!earlier) {
      bool isInner = one.getOperation() != op.getOperation();
      problems.push_back(std::move(node).says(
          ": " + (isInner ? "becomes " + one.opType() + ", which " : "") +
          versions(one) + ": " + llvm::toString(earlier.takeError())));
      return;
    }
    if (earlier->node.isSame) {
      setSince(one, *resolveSince("", one.opType(), earlier->opset));
      waiting.push_back(one);
      continue;
    }
    if (earlier->isFunction && hasFloats(one))
      ++done.rounded[op.opType().str()];
    for (Operation *made : replace(one, std::move(earlier->node.body)))
      made->walk([&](Operation *inner) {
        if (Operator next = Operator::from(inner))
          waiting.push_back(next);
      });
  }
}

void OpsetConverter::convert(Operator op, int64_t from) {
  bool isParameter = op.opType() == "Constant" && op.hasReferences();
  if (!op.domain().empty() || isParameter ||
      (op.opType() == "Constant" && !op.isCustom()))
    return;
  std::optional<int> then = resolveSince("", op.opType(), target);
  if (op.isCustom())
    return checkCustom(op, from, then.has_value());
  if (then == op.since())
    return;
  if (target < from)
    return convertBack(op);
  if (!then)
    return problem(op, versions(op));
  llvm::Expected<ConvertedNode> converted = nodes.convert(op, from, target);
  if (!converted)
    return problem(op, llvm::toString(converted.takeError()));
  if (!converted->isSame) {
    replace(op, std::move(converted->body));
    return;
  }
  if (llvm::Error error =
          checkAgainst(op, *schemaSince("", op.opType(), *then)))
    return problem(op, "would break " + op.opType() + "-" + llvm::Twine(*then) +
                           ": " + llvm::toString(std::move(error)));
  setSince(op, *then);
}

static bool hasLaterType(OnnxConstantOp constant, int64_t target) {
  Type element = getElementTypeOrSelf(constant.getType());
  int64_t from = importedOpset(constant, "").value_or(target);
  return constantHolds(from, element) && !constantHolds(target, element);
}

/// Before opset 12 a Constant node holds a tensor. What the file says is lists
/// and numbers too, which the IR does not tell from small tensors.
static bool mayBeList(OnnxConstantOp constant, int64_t target) {
  auto type = dyn_cast<RankedTensorType>(constant.getType());
  return target < 12 && importedOpset(constant, "").value_or(0) >= 12 && type &&
         type.getRank() <= 1 && type.getNumElements() <= 1024;
}

bool onnxfold::isLaterConstant(OnnxConstantOp constant, int64_t target) {
  return constant.getNode() &&
         (mayBeList(constant, target) || hasLaterType(constant, target));
}

void OpsetConverter::restate(OnnxConstantOp constant) {
  if (hasLaterType(constant, target))
    return problem(constant);
  OpBuilder builder(constant);
  auto fresh =
      OnnxConstantOp::create(builder, constant.getLoc(), constant.getValue(),
                             constant.getOutput().get());
  constant.replaceAllUsesWith(fresh.getResult());
  bury(constant);
}

void OpsetConverter::convertAll(Operation *function, int64_t from) {
  SmallVector<Operator> all;
  SmallVector<OnnxConstantOp> constants;
  function->walk([&](Operation *op) {
    if (Operator node = Operator::from(op))
      all.push_back(node);
    else if (auto constant = dyn_cast<OnnxConstantOp>(op);
             constant && isLaterConstant(constant, target))
      constants.push_back(constant);
    else if (constant)
      given.insert(constant);
  });
  for (OnnxConstantOp constant : constants)
    restate(constant);
  for (Operator op : all)
    convert(op, from);
}

/// Constants that were made, where they have to be nodes whose opset lacks the
/// type. REQUIRES: the function has its new opset.
void OpsetConverter::checkMade(Operation *function) {
  function->walk([&](OnnxConstantOp constant) {
    if (!given.contains(constant) &&
        !mayState(constant, getElementTypeOrSelf(constant.getType())))
      problem(constant);
  });
}

/// The import of ai.onnx, in its spelling.
void OpsetConverter::setOpset(Operation *moduleOrFunction) {
  auto imports =
      moduleOrFunction->getAttrOfType<ArrayAttr>(opsetImportsAttrName);
  if (!imports)
    return;
  SmallVector<std::pair<StringRef, int64_t>> changed;
  for (auto import : imports.getAsRange<OnnxOpsetAttr>())
    changed.emplace_back(import.getDomain(),
                         canonicalDomain(import.getDomain()).empty()
                             ? target
                             : import.getVersion());
  setOpsetImports(moduleOrFunction, changed);
}

llvm::Error OpsetConverter::run() {
  std::optional<int64_t> own = importedOpset(module, "");
  if (!own)
    return ModelFault("the model imports no opset of ai.onnx")
        .expected("one to convert");
  int64_t newest = latestOpset("");
  if (target > newest || *own > newest)
    return ModelFault("opset " + llvm::Twine(std::max(target, *own)) +
                      " is not known")
        .expected("at most " + llvm::Twine(newest));
  SmallVector<Operation *> converted;
  for (Operation &function : *module.getBody()) {
    std::optional<int64_t> from = importedOpset(&function, "");
    if (isa<FunctionOpInterface>(&function) && from && *from != target) {
      convertAll(&function, *from);
      setOpset(&function);
      converted.push_back(&function);
    }
  }
  setOpset(module); // and of the main graph, which has no imports of its own
  for (Operation *function : converted)
    checkMade(function);
  if (problems.empty())
    return llvm::Error::success();
  constexpr size_t most = 10;
  ModelFault result =
      ModelFault("cannot be converted from opset " + llvm::Twine(*own) +
                 " to " + llvm::Twine(target))
          .says(":")
          .append(problems.front());
  for (const ModelFault &one : ArrayRef(problems).take_front(most).drop_front())
    result = std::move(result).says("; " + one.text());
  if (problems.size() > most)
    result = std::move(result).says(
        "; and " + llvm::Twine(problems.size() - most) + " more");
  return result;
}

llvm::Expected<OpsetConversion>
onnxfold::convertOpset(ModuleOp module, int64_t target,
                       const NoteConverted &note) {
  OpsetConverter converter(module, target, note);
  if (llvm::Error error = converter.run())
    return error;
  return converter.takeResult();
}
