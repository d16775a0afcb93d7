//===- FoldContext.cpp - What a kernel sees of its operation --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/constprop/RunBudget.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <cstdio>
#include <unistd.h>
#include <utility>

using namespace onnxfold;
using namespace mlir;

FoldedValue ValueState::known() const {
  if (isNothing)
    return FoldedValue::nothing();
  if (sequence)
    return sequence;
  return isConstant() ? value : Elements();
}

FoldContext::FoldContext(Operation *op, const Kernel &kernel, int version,
                         ArrayRef<ValueState *> inputs,
                         ArrayRef<ValueState *> results, DimExprs &exprs,
                         const FoldLimits &limits, RunBody bodies,
                         UsedLimits *used)
    : op(op), opVersion(version), inputs(inputs), results(results),
      table(exprs), limits(limits), bodies(bodies), used(used) {
  auto maySymbolic = [&](size_t i) { return Kernel::has(kernel.symbolic, i); };
  for (auto [i, input] : llvm::enumerate(inputs)) {
    values.push_back(input->value);
    anySymbolic |= input->isSymbolic() && maySymbolic(i);
  }
  if (!anySymbolic)
    return;
  for (auto [i, value] : llvm::enumerate(values))
    if (value && maySymbolic(i))
      value = asSymbols(value, table);
}

std::optional<ArrayRef<DimExpr>> FoldContext::inputShape(unsigned i) const {
  if (!inputs[i]->shape)
    return std::nullopt;
  return ArrayRef<DimExpr>(*inputs[i]->shape);
}

bool FoldContext::hasAttribute(StringRef name) const {
  return op->hasAttr(name);
}

/// true is 1, although an i1 read as a signed number would be -1.
static std::optional<int64_t> valueOf(IntegerAttr attribute) {
  const llvm::APInt &value = attribute.getValue();
  if (value.getBitWidth() > 64)
    return std::nullopt;
  bool isUnsigned =
      value.getBitWidth() == 1 || attribute.getType().isUnsignedInteger();
  return isUnsigned ? int64_t(value.getZExtValue()) : value.getSExtValue();
}

std::optional<int64_t> FoldContext::integer(StringRef name) const {
  if (auto attribute = op->getAttrOfType<IntegerAttr>(name))
    return valueOf(attribute);
  return std::nullopt;
}

std::optional<float> FoldContext::real(StringRef name) const {
  if (auto attribute = op->getAttrOfType<FloatAttr>(name))
    return float(attribute.getValueAsDouble());
  return std::nullopt;
}

std::optional<std::string> FoldContext::string(StringRef name) const {
  if (auto attribute = op->getAttrOfType<StringAttr>(name))
    return attribute.getValue().str();
  return std::nullopt;
}

/// array<i64: 1, 2> of any width, array<i1: true>, and [1, 2].
static std::optional<Shape> intsOfList(Attribute attribute) {
  auto dense = [](auto array) {
    return Shape(array.asArrayRef().begin(), array.asArrayRef().end());
  };
  if (auto array = dyn_cast<DenseI64ArrayAttr>(attribute))
    return dense(array);
  if (auto array = dyn_cast<DenseI32ArrayAttr>(attribute))
    return dense(array);
  if (auto array = dyn_cast<DenseI16ArrayAttr>(attribute))
    return dense(array);
  if (auto array = dyn_cast<DenseI8ArrayAttr>(attribute))
    return dense(array);
  if (auto array = dyn_cast<DenseBoolArrayAttr>(attribute))
    return dense(array);
  auto array = dyn_cast<ArrayAttr>(attribute);
  if (!array)
    return std::nullopt;
  Shape ints;
  for (Attribute element : array) {
    auto integer = dyn_cast<IntegerAttr>(element);
    std::optional<int64_t> value;
    if (integer)
      value = valueOf(integer);
    if (!value)
      return std::nullopt;
    ints.push_back(*value);
  }
  return ints;
}

bool FoldContext::isListable(StringRef name, const Elements &elements) const {
  constexpr int64_t mostOfSplat = int64_t(1) << 24;
  if (!elements.isSplat() || elements.size() <= mostOfSplat)
    return true;
  refused = notFolded(ReasonCode::WorkLimit,
                      "attribute '" + name + "' has one value " +
                          Twine(elements.size()) + " times, more than " +
                          Twine(mostOfSplat));
  return false;
}

std::optional<Shape> FoldContext::ints(StringRef name) const {
  Attribute attribute = op->getAttr(name);
  if (!attribute)
    return std::nullopt;
  if (std::optional<Shape> list = intsOfList(attribute))
    return list;
  // Long lists are held as tensors, so that they die with the operation.
  Elements elements = elementsOf(attribute);
  if (elements && isInteger(elements.type()) && isListable(name, elements))
    return Shape(elements.ints());
  return std::nullopt;
}

std::optional<SmallVector<float>> FoldContext::reals(StringRef name) const {
  Attribute attribute = op->getAttr(name);
  if (auto array = dyn_cast_or_null<DenseF32ArrayAttr>(attribute))
    return SmallVector<float>(array.asArrayRef());
  Elements elements = elementsOf(attribute);
  if (elements && elements.type() == DataType::Float32 &&
      isListable(name, elements)) {
    ElementsArray<float> values(elements);
    return SmallVector<float>(values.begin(), values.end());
  }
  return std::nullopt;
}

std::optional<std::vector<std::string>>
FoldContext::strings(StringRef name) const {
  std::vector<std::string> result;
  Elements elements = elementsOf(op->getAttr(name));
  if (elements && elements.type() == DataType::String &&
      isListable(name, elements)) {
    for (StringRef text : ElementsArray<StringRef>(elements))
      result.push_back(text.str());
    return result;
  }
  auto array = op->getAttrOfType<ArrayAttr>(name);
  if (!array)
    return std::nullopt;
  for (auto text : array.getAsRange<StringAttr>())
    result.push_back(text.getValue().str());
  return result;
}

Elements FoldContext::tensor(StringRef name) const {
  return elementsOf(op->getAttr(name));
}

bool FoldContext::needsResult(unsigned i) const {
  return i < op->getNumResults() && !results[i]->absent;
}

Reason FoldContext::checkResult(DataType type, ShapeRef shape) const {
  std::optional<int64_t> count = checkedNumElements(shape);
  unsigned width = std::max(1u, byteWidth(type)); // 0 if it is not known
  if (count && uint64_t(*count) <= limits.maxResultBytes / width)
    return {};
  return notFolded(ReasonCode::ResultLimit,
                   "the result has shape " + toString(shape) + ", more than " +
                       Twine(limits.maxResultBytes) + " bytes");
}

Reason FoldContext::checkText(int64_t bytes) const {
  constexpr double unitsOfCharacter = 20;
  if (Reason large = checkResult(DataType::UInt8, {bytes}))
    return large;
  if (Reason much = checkWork(double(bytes), unitsOfCharacter))
    return much;
  RunBudget *run = RunBudget::current();
  return run ? run->makeText(uint64_t(bytes)) : Reason();
}

Reason FoldContext::checkWork(double operations, double unitsOfEach) const {
  operations *= unitsOfEach;
  RunBudget *run = RunBudget::current();
  if (run && operations <= double(limits.maxWork))
    run->noteWork(operations);
  if (used)
    operations = used->work += operations;
  if (operations <= double(limits.maxWork))
    return {};
  // The work of a hostile model need not fit an integer.
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "takes ";
  if (operations < 0x1p63)
    os << uint64_t(operations);
  else
    os << llvm::format("%.3g", operations);
  os << " units of work, more than " << limits.maxWork;
  return notFolded(ReasonCode::WorkLimit, text);
}

Reason FoldContext::checkTripCount(uint64_t iterations) const {
  if (iterations <= limits.maxTripCount)
    return {};
  return notFolded(ReasonCode::TripLimit, "takes " + Twine(iterations) +
                                              " iterations, more than " +
                                              Twine(limits.maxTripCount));
}

/// Bodies that run in turn, as the two of `scf.while`, are one iteration: the
/// last of them, which runs as often as there are iterations.
static bool countsAsIteration(Region &body) {
  return body.getRegionNumber() + 1 == body.getParentOp()->getNumRegions();
}

FoldResult FoldContext::runBody(Region &body,
                                ArrayRef<FoldedValue> arguments) const {
  if (used)
    used->iterations += countsAsIteration(body);
  if (used && used->iterations > limits.maxTripCount)
    return notFolded(ReasonCode::TripLimit, "takes more iterations than " +
                                                Twine(limits.maxTripCount));
  if (!bodies)
    return notFolded(ReasonCode::ControlFlow, "has a body");
  return bodies(body, arguments);
}

FoldResult FoldContext::runBranch(Region &body) const {
  if (!bodies)
    return notFolded(ReasonCode::ControlFlow, "has a body");
  return bodies(body, {});
}

FoldResult FoldContext::call(const Kernel &kernel) {
  refused = {};
  FoldResult result = kernel.function(*this);
  // A list that was refused looked like an attribute that is not there.
  return refused ? FoldResult(refused) : result;
}

FoldResult FoldContext::runKernel(const Kernel &kernel, int version,
                                  ArrayRef<Elements> inputs) const {
  SmallVector<ValueState, 4> states(inputs.size());
  SmallVector<ValueState, 2> outputs(std::max<size_t>(results.size(), 1));
  SmallVector<ValueState *, 4> given, made;
  for (auto [state, value] : llvm::zip_equal(states, inputs)) {
    state.absent = !value;
    state.value = value;
    if (value) {
      state.type = value.type();
      state.shape.emplace();
      for (int64_t size : value.shape())
        state.shape->push_back(table.constant(size));
    }
    given.push_back(&state);
  }
  for (ValueState &state : outputs) {
    state.absent = !made.empty();
    made.push_back(&state);
  }
  FoldContext inner(op, kernel, version, given, made, table, limits, bodies,
                    used);
  double read = 0;
  for (const Elements &input : inputs)
    read += input ? double(input.size()) : 0;
  if (kernel.unitsOfElement != 0)
    if (Reason much = inner.checkWork(read, kernel.unitsOfElement))
      return much;
  return inner.call(kernel);
}

//===----------------------------------------------------------------------===//
// Limits of all operations together
//===----------------------------------------------------------------------===//

static thread_local RunBudget *currentBudget = nullptr;

RunBudget *RunBudget::current() { return currentBudget; }

const RunBudget *RunBudget::ofTask() {
  return static_cast<const RunBudget *>(currentTask());
}

RunBudgetScope::RunBudgetScope(RunBudget &budget)
    : before(std::exchange(currentBudget, &budget)), task(&budget) {}

RunBudgetScope::~RunBudgetScope() { currentBudget = before; }

RunBudget::RunBudget(const RunBudgetLimits &limits)
    : limits(limits), start(std::chrono::steady_clock::now()) {}

static double secondsSince(std::chrono::steady_clock::time_point start) {
  std::chrono::duration<double> passed =
      std::chrono::steady_clock::now() - start;
  return passed.count();
}

/// Whether this share of what the run may take has been taken.
bool RunBudget::isOver(double share) const {
  return (limits.mostSeconds &&
          secondsSince(start) >= share * *limits.mostSeconds) ||
         (limits.mostWork && work > share * *limits.mostWork);
}

bool RunBudget::isTimeShort() const { return isOver(0.5); }

/// The resident memory of the process without pages of files; 0 if the system
/// does not say.
static uint64_t residentBytesNow() {
  unsigned long long size = 0, resident = 0, shared = 0;
  std::FILE *file = std::fopen("/proc/self/statm", "r");
  if (!file)
    return 0;
  int found = std::fscanf(file, "%llu %llu %llu", &size, &resident, &shared);
  std::fclose(file);
  return found == 3 ? (resident - shared) * uint64_t(sysconf(_SC_PAGESIZE)) : 0;
}

Reason RunBudget::checkMemory(uint64_t bytes) {
  // A look takes some microseconds, as long as a small operation.
  constexpr unsigned operations = 64;
  constexpr uint64_t few = 1 << 20;
  sinceLook += bytes;
  if (looks++ % operations == 0 || sinceLook >= few) {
    residentBytes = residentBytesNow();
    sinceLook = bytes;
  }
  if (residentBytes + sinceLook <= *limits.mostBytes)
    return {};
  return notFolded(
      ReasonCode::MemoryLimit,
      "needs " + llvm::Twine(bytes) + " bytes beside the " +
          llvm::Twine(residentBytes) +
          " that the run has, more than its limit of memory, which is " +
          llvm::Twine(*limits.mostBytes));
}

Reason RunBudget::begin(uint64_t bytes) {
  if (limits.mostWork && work > *limits.mostWork)
    return notFolded(ReasonCode::TimeLimit,
                     "the run has computed ten times the limit of work of a "
                     "result, and a thousand for each byte of the model");
  if (isOver(1))
    return notFolded(
        ReasonCode::TimeLimit,
        "the run has computed for the seconds of its limit of time");
  return limits.mostBytes ? checkMemory(bytes) : Reason();
}

Reason RunBudget::makeText(uint64_t bytes) {
  if (!limits.mostText || bytes <= *limits.mostText - text) {
    text += bytes;
    return limits.mostBytes ? checkMemory(bytes) : Reason();
  }
  return notFolded(ReasonCode::MemoryLimit,
                   "makes " + llvm::Twine(bytes) + " bytes of text beside " +
                       llvm::Twine(text) +
                       ", more than the limit of a result, which is " +
                       llvm::Twine(*limits.mostText));
}

std::string RunBudget::runningOperation() const {
  return running && limits.describe ? limits.describe(running) : "";
}

void RunBudget::noteFailure(mlir::Operation *op) {
  if (failed.empty() && limits.describe)
    failed = limits.describe(op);
}
