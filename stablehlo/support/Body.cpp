//===- Body.cpp - Bodies of scalars, run on tensors -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/stablehlo/support/Body.h"
#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/constprop/RunOnTensors.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Operation.h"

using namespace onnxfold;
using namespace onnxfold::hlo;

mlir::Region &hlo::bodyOf(FoldContext &cx) {
  return cx.operation()->getRegion(0);
}

static bool hasBody(mlir::Region &body) {
  return body.hasOneBlock() && body.front().mightHaveTerminator();
}

namespace {

/// The values of a body whose arguments are known.
class BodyRun {
public:
  explicit BodyRun(FoldContext &cx) : cx(cx) {}

  void set(mlir::Value value, Elements elements) {
    values[value] = std::move(elements);
  }
  Reason run(mlir::Operation &op);
  ReasonOr<Elements> of(mlir::Value value) const;

private:
  FoldContext &cx;
  llvm::DenseMap<mlir::Value, Elements> values;
};

} // namespace

ReasonOr<Elements> BodyRun::of(mlir::Value value) const {
  if (auto found = values.find(value); found != values.end())
    return found->second;
  mlir::Attribute attribute;
  if (matchPattern(value, mlir::m_Constant(&attribute)))
    if (Elements constant = elementsOf(attribute);
        constant && constant.rank() == 0)
      return constant;
  return notFolded(ReasonCode::InputNotConstant,
                   "its body reads a value that is not constant");
}

/// Whether an operation on a scalar gives the scalar itself.
static bool isCopy(mlir::Operation &op) {
  llvm::StringRef name = op.getName().getStringRef();
  return name == "stablehlo.broadcast_in_dim" || name == "stablehlo.reshape";
}

static bool isScalar(mlir::Type type) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return tensor && tensor.getRank() == 0;
}

Reason BodyRun::run(mlir::Operation &op) {
  if (matchPattern(&op, mlir::m_Constant()))
    return {};
  auto refuse = [&](const llvm::Twine &why) {
    return notFolded(ReasonCode::NoKernel, "its body has a '" +
                                               op.getName().getStringRef() +
                                               "'" + why);
  };
  if (op.getNumResults() != 1 || op.getNumRegions() != 0 ||
      !llvm::all_of(op.getOperandTypes(), isScalar) ||
      !isScalar(op.getResult(0).getType()))
    return refuse(", which is not of scalars");
  llvm::SmallVector<Elements> operands;
  for (mlir::Value operand : op.getOperands()) {
    ReasonOr<Elements> value = of(operand);
    if (!value)
      return value.reason();
    operands.push_back(*value);
  }
  if (isCopy(op) && operands.size() == 1) {
    set(op.getResult(0), operands[0]);
    return {};
  }
  const FoldingInterface &dialect = FoldingInterface::orDefault(&op);
  ReasonOr<const Kernel *> kernel =
      dialect.kernelOf(&op, dialect.versionOf(&op));
  if (!kernel || !(*kernel)->isElementwise)
    return refuse("");
  ReasonOr<Elements> value = runOnTensors(&op, operands, cx.exprs());
  if (!value)
    return Reason{value.reason().code,
                  "'" + op.getName().getStringRef().str() +
                      "' in its body: " + value.reason().text};
  set(op.getResult(0), *value);
  return {};
}

ReasonOr<Values> hlo::runBody(FoldContext &cx, mlir::Region &body,
                              llvm::ArrayRef<Elements> arguments) {
  if (!hasBody(body) || body.getNumArguments() != arguments.size())
    return invalid("its body does not take " + llvm::Twine(arguments.size()) +
                   " arguments");
  BodyRun run(cx);
  for (auto [argument, value] :
       llvm::zip_equal(body.getArguments(), arguments)) {
    if (!isScalar(argument.getType()))
      return invalid("an argument of its body is no scalar");
    run.set(argument, value);
  }
  for (mlir::Operation &op : body.front().without_terminator())
    if (Reason kept = run.run(op))
      return kept;
  Values results;
  for (mlir::Value value : body.front().back().getOperands()) {
    ReasonOr<Elements> result = run.of(value);
    if (!result)
      return result.reason();
    results.push_back(*result);
  }
  return results;
}

llvm::StringRef hlo::combinationOf(mlir::Region &body) {
  if (!hasBody(body) || body.getNumArguments() != 2 ||
      body.front().back().getNumOperands() != 1)
    return {};
  mlir::Value returned = body.front().back().getOperand(0);
  mlir::Operation *op = returned.getDefiningOp();
  if (!op || op->getBlock() != &body.front() || op->getNumOperands() != 2 ||
      op->getNumResults() != 1)
    return {};
  mlir::Value a = op->getOperand(0), b = op->getOperand(1);
  mlir::Value first = body.getArgument(0), second = body.getArgument(1);
  if (!((a == first && b == second) || (a == second && b == first)))
    return {};
  llvm::StringRef name = op->getName().getStringRef();
  return name.consume_front("stablehlo.") ? name : llvm::StringRef();
}

std::optional<unsigned> hlo::returnedArgument(mlir::Region &body) {
  if (!hasBody(body) || body.front().back().getNumOperands() != 1)
    return std::nullopt;
  auto argument =
      mlir::dyn_cast<mlir::BlockArgument>(body.front().back().getOperand(0));
  if (!argument || argument.getOwner() != &body.front())
    return std::nullopt;
  return argument.getArgNumber();
}

/// Elements `first`, first + 2, ... of dimension 0, `count` of them.
static Elements everySecond(const Elements &x, int64_t first, int64_t count) {
  Shape starts(x.rank(), 0), sizes(x.shape()), steps(x.rank(), 1);
  starts[0] = first, sizes[0] = count, steps[0] = 2;
  return x.slice(starts, sizes, steps);
}

ReasonOr<Values> hlo::combineFirst(FoldContext &cx, mlir::Region &body,
                                   Values values) {
  while (values[0].dim(0) > 1) {
    int64_t count = values[0].dim(0), pairs = count / 2;
    llvm::SmallVector<Elements> sides;
    for (int64_t side : {0, 1})
      for (const Elements &x : values)
        sides.push_back(everySecond(x, side, pairs));
    ReasonOr<Values> combined = runBody(cx, body, sides);
    if (!combined)
      return combined.reason();
    if (combined->size() != values.size())
      return invalid("its body has " + llvm::Twine(combined->size()) +
                     " results, expected " + llvm::Twine(values.size()));
    for (auto [x, made] : llvm::zip_equal(values, *combined)) {
      if (made.type() != x.type())
        return invalid("its body changes the type of an argument");
      Shape shape(x.shape());
      shape[0] = pairs;
      Elements rest = x.slice(0, count - 1, count % 2);
      made = made.expand(shape);
      // Each level is computed: a tree of deferred ones would be as large as x.
      x = (count % 2 ? ops::concat({made, rest}, 0) : made).materialize();
    }
  }
  return values;
}
