//===- FoldHook.cpp - Kernels behind Operation::fold ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/FoldHook.h"
#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace onnxfold;
using namespace mlir;

/// A kernel may read an operand as a list, and one value may stand for 2^62.
static bool isTooLong(const Elements &elements) {
  return elements.isSplat() && elements.size() > int64_t(1) << 24;
}

/// A result type whose value may become an attribute.
static bool isSmallStatic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return false;
  DataType element = toDataType(tensor.getElementType());
  std::optional<int64_t> count = checkedNumElements(tensor.getShape());
  return element != DataType::Undefined && count &&
         uint64_t(*count) <= foldHookLimit / byteWidth(element);
}

LogicalResult onnxfold::foldWithKernel(Operation *op,
                                       ArrayRef<Attribute> operands,
                                       SmallVectorImpl<OpFoldResult> &results) {
  const FoldingInterface *dialect = FoldingInterface::of(op);
  if (!dialect || op->getNumResults() == 0 || op->getNumRegions() != 0 ||
      !llvm::all_of(op->getResultTypes(), isSmallStatic) ||
      dialect->mustBeKept(op) || dialect->keptByPolicy(op) ||
      dialect->checkOperands(op))
    return failure();
  int version = dialect->versionOf(op);
  ReasonOr<const Kernel *> found = dialect->kernelOf(op, version);
  if (!found)
    return failure();
  const Kernel *kernel = *found;
  DimExprs exprs;
  SmallVector<ValueState, 4> inputs;
  for (auto [i, attribute] : llvm::enumerate(operands)) {
    inputs.push_back(stateOfType(op->getOperand(i).getType(), exprs));
    inputs.back().value = elementsOf(attribute);
    if (!inputs.back().value && !inputs.back().absent &&
        !Kernel::has(kernel->ignored, i))
      return failure();
    if (inputs.back().value && isTooLong(inputs.back().value))
      return failure();
  }
  SmallVector<ValueState, 1> outputs;
  for (Type type : op->getResultTypes())
    outputs.push_back(stateOfType(type, exprs));
  auto pointers = [](MutableArrayRef<ValueState> states) {
    SmallVector<ValueState *, 4> list;
    for (ValueState &state : states)
      list.push_back(&state);
    return list;
  };
  FoldLimits limits;
  limits.maxResultBytes = foldHookLimit;
  limits.maxWork = foldHookWork;
  SmallVector<ValueState *, 4> inputList = pointers(inputs),
                               outputList = pointers(outputs);
  FoldContext context(op, *kernel, version, inputList, outputList, exprs,
                      limits);
  FoldResult result = context.call(*kernel);
  if (!result || result.values().size() != op->getNumResults())
    return failure();
  SmallVector<OpFoldResult, 1> folded;
  for (auto [computed, type] :
       llvm::zip_equal(result.values(), op->getResultTypes())) {
    auto tensor = cast<RankedTensorType>(type);
    Elements value = computed.tensor;
    if (value && value.type() == DataType::Opaque)
      value = resolveSymbols(value, DataType::Undefined, exprs);
    if (!value || value.shape() != tensor.getShape() ||
        value.type() != toDataType(tensor.getElementType()))
      return failure();
    folded.push_back(Attribute(toAttribute(value, tensor)));
  }
  results.append(folded);
  return success();
}
