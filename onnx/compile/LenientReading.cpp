//===- LenientReading.cpp - What ONNX Runtime overlooks -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/compile/internal/LenientReading.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/NodeFault.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "mlir/IR/Builders.h"

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

/// The version of the operator that the node is of, if only the import of its
/// domain is missing. (A call of a function of the model needs none.)
static std::optional<int> sinceWithImport(Operator node) {
  StringRef domain = node.domain();
  if (!node.isCustom() || node.since() != 0 ||
      importedOpset(node.getOperation(), domain) ||
      SymbolTable::lookupNearestSymbolFrom(
          node.getOperation(),
          StringAttr::get(
              node->getContext(),
              functionSymbol(domain, node.opType(), node.overload()))))
    return std::nullopt;
  if (domain ==
      "com.microsoft") // ONNX Runtime's own, which has no schemas here
    return 1;
  return resolveSince(domain, node.opType(), latestOpset(domain));
}

static void replaceByKnown(Operator node, int since) {
  Operation *op = node.getOperation();
  registerOperator(*op->getContext(), node.domain(), node.opType());
  OpBuilder builder(op);
  Operator known = Operator::create(
      builder, op->getLoc(), {node.domain(), node.opType(), since},
      op->getOperands(), op->getResultTypes(),
      op->getDiscardableAttrDictionary().getValue());
  known.setNodeName(node.nodeName());
  SmallVector<StringRef> names;
  for (unsigned i = 0; i < node.numOutputs(); ++i)
    names.push_back(node.outputName(i));
  known.setOutputNames(names);
  known.setNode(node.node());
  op->replaceAllUsesWith(known.getOperation());
  op->erase();
}

/// A node that breaks the schema of its name stays as it is.
static bool isValid(Operator node, int since) {
  const auto *schema = schemaSince(node.domain(), node.opType(), since);
  if (!schema)
    return true;
  llvm::Error error = checkAgainst(node, *schema);
  bool isValid = !error;
  llvm::consumeError(std::move(error));
  return isValid;
}

void onnxfold::importKnownDomains(ModuleOp module) {
  SmallVector<std::pair<Operator, int>> found;
  module->walk([&](Operation *op) {
    Operator node = Operator::from(op);
    if (!node || op->getNumRegions() != 0)
      return;
    if (std::optional<int> since = sinceWithImport(node);
        since && isValid(node, *since))
      found.push_back({node, *since});
  });
  for (auto [node, since] : found)
    replaceByKnown(node, since);
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

static OperandRange outputsOf(FunctionOpInterface graph) {
  return graph->getRegion(0).front().getTerminator()->getOperands();
}

static bool isScalar(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return ranked && ranked.getRank() == 0;
}

/// A tensor is of any rank from now on. An output has an unknown type until one
/// is inferred, since the function's type follows that.
static void forgetRank(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return;
  bool isOutput = llvm::any_of(value.getUsers(), [](Operation *user) {
    return isa<FunctionOpInterface>(user->getParentOp()) &&
           user->hasTrait<OpTrait::IsTerminator>();
  });
  if (isOutput)
    value.setType(OnnxUnknownType::get(value.getContext()));
  else
    value.setType(UnrankedTensorType::get(type.getElementType()));
}

/// Whether a type of the value that the model declares may be wrong: it is no
/// output of a body of a Loop or Scan, whose types hold (but for scalars).
static bool isForgotten(Value value) {
  Operator from = Operator::from(value.getDefiningOp());
  if (!from || from.isCustom())
    return false;
  Operator owner = Operator::from(value.getParentRegion()->getParentOp());
  if (!owner || owner.is("If") ||
      (owner.is("Loop") && isScalar(value.getType())))
    return true;
  Operation *end = value.getParentBlock()->getTerminator();
  return !llvm::is_contained(end->getOperands(), value);
}

/// Inner values get the shape that is inferred, or any: models declare the
/// sizes of an example, and PaddleOCR scalars where it gives one element.
static void forgetInner(FunctionOpInterface graph) {
  graph->walk([](Operation *op) {
    for (Value result : op->getResults())
      if (isForgotten(result))
        forgetRank(result);
  });
}

/// What a Loop carries is no scalar for being declared as one if the body gives
/// something else: neither is it, nor what is computed from it.
static bool openCarried(Operation *loop) {
  Block &body = loop->getRegion(0).front();
  OperandRange yielded = body.getTerminator()->getOperands();
  bool isOpened = false;
  for (unsigned i = 2; i < body.getNumArguments() && i <= yielded.size(); ++i) {
    Value carried = body.getArgument(i);
    if (!isScalar(carried.getType()) ||
        (isScalar(yielded[i - 1].getType()) &&
         isScalar(loop->getOperand(i).getType())))
      continue;
    forgetRank(carried);
    forgetRank(loop->getResult(i - 2));
    isOpened = true;
  }
  if (isOpened)
    body.walk([](Operation *inner) {
      if (Operator op = Operator::from(inner); op && !op.isCustom())
        llvm::for_each(inner->getResults(), forgetRank);
    });
  return isOpened;
}

bool DeclaredOutputs::openCarriedScalars() {
  bool isOpened = false;
  graph->walk([&](Operation *owner) {
    if (Operator op = Operator::from(owner); op && op.is("Loop"))
      isOpened |= openCarried(owner);
  });
  return isOpened;
}

DeclaredOutputs::DeclaredOutputs(FunctionOpInterface graph) : graph(graph) {
  llvm::append_range(declared, outputsOf(graph).getTypes());
  forgetInner(graph);
  for (auto [output, type] : llvm::zip_equal(outputsOf(graph), declared))
    if (Operator op = Operator::from(output.getDefiningOp());
        op && !op.isCustom() && isa<RankedTensorType>(type))
      output.setType(OnnxUnknownType::get(output.getContext()));
  updateType(graph);
}

/// The type without its sizes, which may be those of an example.
static Type withOpenSizes(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked)
    return type;
  SmallVector<int64_t> open(ranked.getRank(), ShapedType::kDynamic);
  return ranked.clone(open);
}

void DeclaredOutputs::restore() {
  for (auto [output, type] : llvm::zip_equal(outputsOf(graph), declared))
    if (isa<OnnxUnknownType, UnrankedTensorType>(output.getType()) &&
        output.getDefiningOp())
      output.setType(Operator::from(output.getDefiningOp()).isCustom()
                         ? type
                         : withOpenSizes(type));
  updateType(graph);
}

static bool contradict(const ValueSignature &left,
                       const ValueSignature &right) {
  if (!left.shape || !right.shape)
    return false;
  if (left.shape->size() != right.shape->size())
    return true;
  return llvm::any_of(llvm::zip_equal(*left.shape, *right.shape),
                      [](auto sizes) {
                        auto [first, second] = sizes;
                        return first >= 0 && second >= 0 && first != second;
                      });
}

std::vector<std::string> onnxfold::contradictions(const Signature &declared,
                                                  const Signature &found) {
  std::vector<std::string> texts;
  for (auto [said, is] : llvm::zip_equal(declared.outputs, found.outputs))
    if (contradict(said, is))
      texts.push_back("output '" + printableName(is.name) + "' is " +
                      is.text() + ", but the model says " + said.text() +
                      "; the program has what was inferred");
  return texts;
}
