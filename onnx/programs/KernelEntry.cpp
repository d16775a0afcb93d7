//===- KernelEntry.cpp - Kernels as compiled programs call them -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/programs/KernelEntry.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/programs/ProgramBytes.h"
#include "onnxfold/onnx/programs/ProgramTensors.h"
#include "onnxfold/onnx/programs/Signature.h"
#include "onnxfold/sequence/runtime/Runtime.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"
#include <atomic>
#include <mutex>

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

namespace {
/// What a text says. It is kept until the process ends. Errors are given back
/// and not said where they are found: a handler may leave by longjmp, which
/// unlocks nothing and frees nothing.
class Node {
public:
  llvm::Error read(StringRef text);
  llvm::Error call(ArrayRef<KernelTensor> inputs,
                   MutableArrayRef<KernelTensor> results);

private:
  llvm::Error error(const Twine &text) const;
  llvm::Error prepareKernel();
  FoldResult run(MutableArrayRef<ValueState> arguments);
  FoldResult runKernel(MutableArrayRef<ValueState> arguments);
  FoldResult runBodies(ArrayRef<ValueState> arguments);
  llvm::Error give(const FoldedValue &value, unsigned number,
                   KernelTensor &result);

  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  Operation *op = nullptr; // null: the function is evaluated as a whole
  std::string name = "a node of the program";
  SmallVector<DataType> argumentTypes;
  SmallVector<int> argumentOf;    // operand of `op`: an argument, or -1
  SmallVector<unsigned> resultOf; // what is returned: a result of `op`
  const Kernel *kernel = nullptr;
  int version = 0;
  FoldLimits limits{.maxResultBytes = ~uint64_t(0) >> 1,
                    .maxWork = ~uint64_t(0) >> 1,
                    .maxTripCount = ~uint64_t(0) >> 1};
  std::mutex mutex; // guards exprs
  DimExprs exprs;
};
} // namespace

llvm::Error Node::error(const Twine &text) const {
  return llvm::createStringError(name + ": " + text);
}

llvm::Error Node::read(StringRef text) {
  std::lock_guard guard(contextMutex());
  module = parseFunction(text, function);
  if (!function)
    return error("its text is not a function");
  for (Type type : function.getArgumentTypes())
    argumentTypes.push_back(
        toDataType(cast<ShapedType>(type).getElementType()));
  for (Operation &candidate : function.front())
    if (Operator onnxOp = Operator::from(&candidate)) {
      name = describeNode(onnxOp);
      op = &candidate;
    }
  // A function that is no kernel gives a constant.
  return op ? prepareKernel() : llvm::Error::success();
}

llvm::Error Node::prepareKernel() {
  const FoldingInterface &dialect = FoldingInterface::orDefault(op);
  if (Reason reason = dialect.mustBeKept(op))
    return error(reason.text);
  if (Reason reason = dialect.checkOperands(op))
    return error(reason.text);
  version = dialect.versionOf(op);
  ReasonOr<const Kernel *> found = dialect.kernelOf(op, version);
  if (op->getNumRegions()) {
    op = nullptr;
    return llvm::Error::success();
  }
  if (!found)
    return error(found.reason().text);
  kernel = *found;
  for (Value operand : op->getOperands()) {
    auto argument = dyn_cast<BlockArgument>(operand);
    argumentOf.push_back(argument ? argument.getArgNumber() : -1);
  }
  for (Value value : function.front().getTerminator()->getOperands())
    resultOf.push_back(cast<OpResult>(value).getResultNumber());
  return llvm::Error::success();
}

FoldResult Node::runKernel(MutableArrayRef<ValueState> arguments) {
  ValueState absent;
  absent.absent = true;
  SmallVector<ValueState *> inputs, results;
  for (int argument : argumentOf)
    inputs.push_back(argument < 0 ? &absent : &arguments[argument]);
  SmallVector<ValueState, 2> states(op->getNumResults(), absent);
  for (unsigned number : resultOf) {
    auto type = dyn_cast<ShapedType>(op->getResult(number).getType());
    states[number].absent = false;
    states[number].type =
        type ? toDataType(type.getElementType()) : DataType::Undefined;
  }
  for (ValueState &state : states)
    results.push_back(&state);
  FoldContext context(op, *kernel, version, inputs, results, exprs, limits);
  FoldResult computed = context.call(*kernel);
  if (!computed)
    return computed;
  SmallVector<FoldedValue, 1> returned;
  for (unsigned number : resultOf)
    returned.push_back(number < computed.values().size()
                           ? computed.values()[number]
                           : FoldedValue());
  return returned;
}

FoldResult Node::runBodies(ArrayRef<ValueState> arguments) {
  std::lock_guard guard(contextMutex());
  EvaluationOptions options = onnxEvaluationOptions();
  auto byType = options.stateOfArgument;
  options.limits = limits;
  options.policy = [](Operation *) -> Reason { return {}; };
  options.stateOfArgument = [&](BlockArgument argument, DimExprs &own) {
    if (argument.getOwner()->getParentOp() != function)
      return byType(argument, own);
    ValueState state = arguments[argument.getArgNumber()];
    state.shape.emplace();
    for (int64_t size : state.value.shape())
      state.shape->push_back(own.constant(size));
    return state;
  };
  Evaluation evaluation(function, options);
  evaluation.run();
  SmallVector<FoldedValue, 1> returned;
  for (Value value : function.front().getTerminator()->getOperands()) {
    returned.push_back(evaluation.state(value).known());
    if (!returned.back())
      return evaluation.reason(value.getDefiningOp());
  }
  return returned;
}

FoldResult Node::run(MutableArrayRef<ValueState> arguments) {
  return op ? runKernel(arguments) : runBodies(arguments);
}

llvm::Error Node::give(const FoldedValue &value, unsigned number,
                       KernelTensor &result) {
  auto declared = cast<ShapedType>(function.getResultTypes()[number]);
  Elements elements = value.tensor;
  if (elements && elements.type() == DataType::Opaque) // sizes, as symbols
    elements =
        resolveSymbols(elements, toDataType(declared.getElementType()), exprs);
  auto describe = [&] {
    return "result #" + std::to_string(number) +
           (elements ? " is " + onnxfold::name(elements.type()).str() +
                           toString(elements.shape())
                     : " is not a tensor");
  };
  if (!elements || elements.type() != toDataType(declared.getElementType()))
    return error(describe() + ", expected " +
                 onnxfold::name(toDataType(declared.getElementType())));
  bool isExpected =
      result.descriptor
          ? DescriptorView(result.descriptor, result.rank).sizes() ==
                elements.shape()
          : result.rank < 0 || result.rank == elements.rank();
  if (isExpected && declared.hasRank())
    for (auto [size, actual] :
         llvm::zip_equal(declared.getShape(), elements.shape()))
      isExpected &= ShapedType::isDynamic(size) || size == actual;
  if (!isExpected) {
    ValueSignature said;
    said.type = elements.type();
    if (auto ranked = dyn_cast<RankedTensorType>(declared))
      said.setShape(ranked);
    return error(describe() + ", but the model says " + said.text());
  }
  std::optional<DescriptorView> view;
  if (result.descriptor)
    view = DescriptorView(result.descriptor, result.rank);
  else
    view = allocateTensor(elements, result.elementBytes);
  if (!view)
    return error("out of memory");
  if (!view->isRowMajor())
    return error(describe() + ", but its buffer is not row-major");
  result.descriptor = view->words;
  result.rank = view->rank;
  writeProgramBytes(elements, view->data(result.elementBytes));
  return llvm::Error::success();
}

llvm::Error Node::call(ArrayRef<KernelTensor> inputs,
                       MutableArrayRef<KernelTensor> results) {
  std::lock_guard guard(mutex);
  SmallVector<ValueState, 4> arguments(inputs.size());
  for (auto [state, type, input] :
       llvm::zip_equal(arguments, argumentTypes, inputs)) {
    DescriptorView view(input.descriptor, input.rank);
    state.value = elementsOfTensor(view, input.elementBytes, type);
    if (!state.value)
      return error("a string is the number of no text");
    state.type = type;
    state.shape.emplace();
    for (int64_t size : state.value.shape())
      state.shape->push_back(exprs.constant(size));
  }
  FoldResult computed = run(arguments);
  if (!computed)
    return error(computed.reason().text);
  for (auto [i, result] : llvm::enumerate(results))
    if (llvm::Error failed = give(computed.values()[i], i, result))
      return failed;
  return llvm::Error::success();
}

/// The node of a slot, which is read once.
static llvm::Expected<Node *> nodeOf(void **slot, StringRef text) {
  std::atomic_ref<void *> place(*slot);
  if (void *node = place.load())
    return static_cast<Node *>(node);
  auto made = std::make_unique<Node>();
  if (llvm::Error error = made->read(text))
    return error;
  void *other = nullptr;
  if (!place.compare_exchange_strong(other, made.get()))
    return static_cast<Node *>(other);
  return made.release();
}

/// The message of an error; null if there is none. It holds until the next one
/// of this thread.
static const char *callNode(void **slot, StringRef text,
                            ArrayRef<KernelTensor> inputs,
                            MutableArrayRef<KernelTensor> results) {
  llvm::Expected<Node *> node = nodeOf(slot, text);
  llvm::Error error = node ? (*node)->call(inputs, results) : node.takeError();
  if (!error)
    return nullptr;
  static thread_local std::string message;
  message = llvm::toString(std::move(error));
  return message.c_str();
}

extern "C" void onnxfoldKernelCall(void **slot, const char *text,
                                   int64_t textBytes, int64_t numInputs,
                                   const KernelTensor *inputs,
                                   int64_t numResults, KernelTensor *results) {
  const char *message =
      callNode(slot, StringRef(text, textBytes), ArrayRef(inputs, numInputs),
               MutableArrayRef(results, numResults));
  if (message)
    onnxfoldSequenceStop(message);
}
