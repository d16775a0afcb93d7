//===- Expansion.cpp - Nodes taken apart into those of a body -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/export/internal/Expansion.h"
#include "onnxfold/dml/export/internal/GraphExport.h"
#include "onnxfold/onnx/folding/CallAttributes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/ShapeInference.h"
#include "onnxfold/onnx/transforms/functions/SchemaBody.h"
#include "mlir/IR/IRMapping.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace onnxfold::dml;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Where nodes come from
//===----------------------------------------------------------------------===//

static FusedLocWith<ArrayAttr> originLocation(Operator op) {
  return dyn_cast<FusedLocWith<ArrayAttr>>(op->getLoc());
}

std::optional<Origin> dml::originOf(Operator op) {
  FusedLocWith<ArrayAttr> location = originLocation(op);
  if (!location)
    return std::nullopt;
  auto text = [&](unsigned i) {
    return cast<StringAttr>(location.getMetadata()[i]).str();
  };
  return Origin{text(0), text(1), text(2), text(3)};
}

/// What is taken apart twice comes from the first.
static Location locationFor(Operator op, StringRef reason, StringRef help) {
  if (auto location = originLocation(op))
    return location;
  Builder builder(op->getContext());
  ArrayAttr origin =
      builder.getStrArrayAttr({operatorName(op), nodeLabel(op), reason, help});
  return FusedLoc::get({builder.getUnknownLoc()}, origin, op->getContext());
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// The operations of `body` up to its end move in front of the node.
static void splice(Operator op, Block &body, Operation *end,
                   Location location) {
  while (&body.front() != end) {
    Operation &inner = body.front();
    inner.walk([&](Operation *each) { each->setLoc(location); });
    inner.moveBefore(op.getOperation());
  }
}

/// What read a result reads `value`, which takes the name of the result.
static void giveResult(Operator op, unsigned i, Value value,
                       Operation *firstNew) {
  Value old = op->getResult(i);
  if (old.use_empty())
    return;
  Operation *maker = value.getDefiningOp();
  Operator node = maker ? Operator::from(maker) : Operator();
  bool isNew = node && maker->getBlock() == op->getBlock() && firstNew &&
               !maker->isBeforeInBlock(firstNew);
  if (isNew && !op.outputName(i).empty()) {
    SmallVector<StringRef> names;
    for (unsigned k = 0; k < node.numOutputs(); ++k)
      names.push_back(node.outputName(k));
    names[cast<OpResult>(value).getResultNumber()] = op.outputName(i);
    node.setOutputNames(names);
    value.setType(old.getType());
  }
  old.replaceAllUsesWith(value);
}

static void replace(Operator op, Block &body, Operation *end, ValueRange given,
                    Location location) {
  for (auto [argument, value] : llvm::zip(body.getArguments(), given))
    argument.replaceAllUsesWith(value);
  SmallVector<Value> results(end->getOperands());
  Operation *firstNew = &body.front() == end ? nullptr : &body.front();
  splice(op, body, end, location);
  for (unsigned i = 0; i < op.numOutputs(); ++i)
    giveResult(op, i, results[i], firstNew);
}

/// Values in the body of an operator have short names, "X" or "Shape": they get
/// the name of the result as a prefix.
static void prefixNames(Block &body, StringRef prefix) {
  body.walk([&](Operation *inner) {
    Operator node = Operator::from(inner);
    if (!node)
      return;
    SmallVector<std::string> names;
    for (unsigned i = 0; i < node.numOutputs(); ++i)
      names.push_back(node.outputName(i).empty()
                          ? ""
                          : (prefix + "_" + node.outputName(i)).str());
    node.setOutputNames(SmallVector<StringRef>(names.begin(), names.end()));
  });
}

/// The bodies of an operator for the opset, the best one first.
static SmallVector<int64_t> opsetsOfBodies(Operator op, int64_t opset) {
  SmallVector<int64_t> opsets = {opset};
  for (const std::vector<int> &list :
       {op.schema()->function_opset_versions(),
        op.schema()->context_dependent_function_opset_versions()})
    for (int version : llvm::reverse(list))
      if (version != opset)
        opsets.push_back(version);
  return opsets;
}

static SchemaBody bodyOf(Operator op, const KnownTypes &types) {
  std::vector<onnx::TypeProto> protos(op.numInputs());
  SmallVector<InferenceInput, 4> known(op.numInputs());
  SmallVector<std::optional<unsigned>, 4> arguments(op.numInputs());
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    if (!op.hasInput(i))
      continue;
    arguments[i] = i;
    if (types.fill(op.input(i), protos[i]))
      known[i].type = &protos[i];
  }
  int64_t opset =
      importedOpset(op.getOperation(), "").value_or(latestOpset(""));
  unsigned used = op.numOutputs();
  while (used > 0 && op->getResult(used - 1).use_empty())
    --used;
  bool isPlain = op.domain().empty(); // other domains have opsets of their own
  for (int64_t candidate :
       opsetsOfBodies(op, isPlain ? opset : int64_t(op.since()))) {
    auto proto = functionBody(op, known, candidate);
    if (!proto) {
      llvm::consumeError(proto.takeError());
      continue;
    }
    if (!*proto)
      continue;
    if (SchemaBody body = SchemaBody::import(
            op, **proto, isPlain ? candidate : opset, arguments, used);
        body.end)
      return body;
  }
  return {};
}

static bool expandSchema(Operator op, const KnownTypes &types,
                         Location location) {
  // A body may be made for the graphs of an operator, which are not handed on.
  if (!op.schema() || op->getNumRegions() != 0 ||
      (!op.schema()->HasFunction() &&
       !op.schema()->HasContextDependentFunction()))
    return false;
  SchemaBody body = bodyOf(op, types);
  if (!body.end)
    return false;
  std::string first = nodeLabel(op).str();
  for (unsigned i = op.numOutputs(); i-- > 0;)
    if (!op.outputName(i).empty())
      first = op.outputName(i).str();
  prefixNames(body.block(), first);
  replace(op, body.block(), body.end, op->getOperands(), location);
  return true;
}

static bool expandCall(Operator op, Location location) {
  auto symbol =
      StringAttr::get(op->getContext(),
                      functionSymbol(op.domain(), op.opType(), op.overload()));
  Operation *function =
      SymbolTable::lookupNearestSymbolFrom(op.getOperation(), symbol);
  if (!function || !mayBeCalled(function))
    return false;
  Block &body = function->getRegion(0).front();
  if (body.getNumArguments() < op.numInputs() ||
      body.back().getNumOperands() < op.numOutputs())
    return false;
  IRMapping copies;
  OwningOpRef<Operation *> copy =
      copyForCall(function, op.getOperation(), copies);
  Block &block = (*copy)->getRegion(0).front();
  replace(op, block, block.getTerminator(), op->getOperands(), location);
  return true;
}

bool dml::expand(Operator op, const KnownTypes &types, StringRef reason,
                 StringRef help) {
  Location location = locationFor(op, reason, help);
  bool isDone = op.isCustom() ? expandCall(op, location)
                              : expandSchema(op, types, location);
  if (isDone)
    op->erase();
  return isDone;
}
