//===- LoopShapes.cpp - How Loop, Scan and SequenceMap run a body ---------===//

#include "onnxfold/onnx/folding/LoopShapes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Types.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// The body, if it has one block.
static Region *bodyOf(Operator op) {
  Region *body = op.getGraph("body");
  return body && body->hasOneBlock() && !body->front().empty() ? body : nullptr;
}

static unsigned numGiven(Region &body) {
  return body.front().back().getNumOperands();
}

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

/// Inputs of a Loop before what is carried round, and so are the arguments.
static constexpr unsigned loopHead = 2;

static std::optional<bool> truthOf(const Fact &fact) {
  if (!fact.isConstant() || fact.type != DataType::Bool ||
      fact.value.size() != 1)
    return std::nullopt;
  return fact.value.value<bool>(0);
}

/// What the condition is before the first iteration.
static std::optional<bool> startsTrue(Operator op,
                                      ArrayRef<const Fact *> operands) {
  return op.hasInput(1) ? truthOf(*operands[1]) : true;
}

/// Input M, as a number or a symbol.
static std::optional<SymbolHandle>
limitOf(Operator op, ArrayRef<const Fact *> operands, Symbols &symbols) {
  if (!op.hasInput(0) || operands[0]->type != DataType::Int64 ||
      !operands[0]->value || operands[0]->value.size() != 1)
    return std::nullopt;
  if (operands[0]->isSymbolic())
    return operands[0]->value.value<SymbolHandle>(0);
  return symbols.constant(operands[0]->value.ints()[0]);
}

/// What the condition is in a body that runs: true, as a symbol, because it is
/// better handed on than stated again.
static SymbolHandle toldCondition(Symbols &symbols) {
  constexpr int name = 301; // of this file
  SymbolHandle one = symbols.constant(1);
  return symbols.opaque(name, one, one, SymbolRange::truth());
}

/// The body says that there is another iteration.
static bool goesOn(const Fact &condition, Symbols &symbols) {
  if (!condition.isSymbolic())
    return truthOf(condition) == true;
  return condition.value.size() == 1 &&
         condition.value.value<SymbolHandle>(0) == toldCondition(symbols);
}

/// The condition as the body gets it: runtimes give it as that declares it.
static Fact conditionOf(Type declared, Symbols &symbols) {
  Fact fact;
  fact.type = DataType::Bool;
  auto type = dyn_cast<RankedTensorType>(declared);
  if (!type || type.getRank() > 1)
    return fact;
  fact.shape.emplace(type.getRank(), symbols.constant(1));
  fact.value = Elements::fromValues<SymbolHandle>({}, {toldCondition(symbols)})
                   .expand(Shape(type.getRank(), 1));
  return fact;
}

static std::optional<BodyLoop>
describePlainLoop(Operator op, Region &body, ArrayRef<const Fact *> operands,
                  Symbols &symbols) {
  unsigned carried = op.numInputs() - loopHead;
  if (op.numInputs() < loopHead || body.getNumArguments() != op.numInputs() ||
      numGiven(body) < 1 + carried || op.numOutputs() > numGiven(body) - 1)
    return std::nullopt;
  BodyLoop loop{&body};
  auto limit = limitOf(op, operands, symbols);
  loop.runs = startsTrue(op, operands) == true &&
              (!op.hasInput(0) || (limit && symbols.rangeOf(*limit).least > 0));
  loop.arguments.resize(op.numInputs());
  loop.arguments[0].first.type = DataType::Int64;
  loop.arguments[1].first = conditionOf(body.getArgument(1).getType(), symbols);
  for (unsigned i = loopHead; i < op.numInputs(); ++i)
    loop.arguments[i] = {*operands[i], i - 1};
  return loop;
}

/// How many iterations there are, if that is known.
static std::optional<SymbolHandle> countOf(Operator op, const Fact &condition,
                                           ArrayRef<const Fact *> operands,
                                           Symbols &symbols) {
  if (startsTrue(op, operands) == false)
    return symbols.constant(0);
  auto limit = limitOf(op, operands, symbols);
  if (!limit || startsTrue(op, operands) != true || !goesOn(condition, symbols))
    return std::nullopt;
  return symbols.maximum(*limit, symbols.constant(0));
}

/// Slices of which `slice` is one, along a new axis of that length. What is not
/// known of the slices may be known otherwise.
static Fact stacked(const Fact &slice, int64_t axis,
                    std::optional<SymbolHandle> length, bool runs,
                    const Fact &otherwise, Symbols &symbols) {
  Fact fact;
  fact.type = slice.type;
  if (runs && slice.shape) {
    int64_t rank = int64_t(slice.shape->size()) + 1;
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank)
      return otherwise;
    fact.shape = slice.shape;
    fact.shape->insert(fact.shape->begin() + axis,
                       length ? *length : symbols.freshDimension());
    return fact;
  }
  fact.shape = otherwise.shape;
  if (!fact.shape || !length)
    return fact;
  int64_t rank = fact.shape->size();
  axis += axis < 0 ? rank : 0;
  if (axis >= 0 && axis < rank)
    (*fact.shape)[axis] = *length;
  return fact;
}

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

namespace {

/// Which inputs and outputs of a Scan are what.
struct ScanParts {
  unsigned head = 0;     ///< inputs before the states: lengths
  unsigned states = 0;   ///< then the scan inputs
  bool hasBatch = false; ///< of version 8: all have a first dimension for it
  SmallVector<int64_t> inputAxes, outputAxes;
};

} // namespace

static std::optional<ScanParts> partsOf(Operator op, Region &body) {
  constexpr int64_t ofBatches = 8;
  ScanParts parts;
  parts.hasBatch = op.since() == ofBatches;
  parts.head = parts.hasBatch;
  int64_t scanned = op.getInt("num_scan_inputs", 0);
  if (scanned < 1 || scanned > int64_t(op.numInputs()) - int64_t(parts.head))
    return std::nullopt;
  parts.states = op.numInputs() - parts.head - scanned;
  if (body.getNumArguments() != parts.states + scanned ||
      numGiven(body) < parts.states || op.numOutputs() > numGiven(body))
    return std::nullopt;
  // In a batch the axis of the length is the second of all.
  int64_t usual = parts.hasBatch;
  parts.inputAxes.assign(scanned, usual);
  parts.outputAxes.assign(numGiven(body) - parts.states, 0);
  if (parts.hasBatch)
    return parts;
  for (auto [name, axes] : {std::pair("scan_input_axes", &parts.inputAxes),
                            std::pair("scan_output_axes", &parts.outputAxes)})
    if (auto given = op.getInts(name)) {
      if (given->size() != axes->size())
        return std::nullopt;
      axes->assign(given->begin(), given->end());
    }
  return parts;
}

/// Dimension `axis`, if it is known that there is one.
static std::optional<SymbolHandle> sizeOf(const Fact &fact, int64_t axis) {
  if (!fact.shape)
    return std::nullopt;
  int64_t rank = fact.shape->size();
  axis += axis < 0 ? rank : 0;
  if (axis < 0 || axis >= rank)
    return std::nullopt;
  return (*fact.shape)[axis];
}

/// The fact without a dimension, of which one slice is taken.
static Fact without(const Fact &fact, int64_t axis) {
  Fact slice;
  slice.type = fact.type;
  if (!sizeOf(fact, axis))
    return slice;
  slice.shape = fact.shape;
  axis += axis < 0 ? int64_t(fact.shape->size()) : 0;
  slice.shape->erase(slice.shape->begin() + axis);
  return slice;
}

/// The same in all inputs from `first` on; a number, if one of them has one.
static std::optional<SymbolHandle> commonSize(ArrayRef<const Fact *> operands,
                                              unsigned first,
                                              ArrayRef<int64_t> axes,
                                              const Symbols &symbols) {
  std::optional<SymbolHandle> common;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    auto size = sizeOf(*operands[first + i], axis);
    if (size && (!common || symbols.valueOf(*size)))
      common = size;
  }
  return common;
}

static bool isSomething(std::optional<SymbolHandle> size,
                        const Symbols &symbols) {
  return size && symbols.rangeOf(*size).least > 0;
}

/// The size of a batch, of which all inputs but the first have one.
static std::optional<SymbolHandle> batchOf(ArrayRef<const Fact *> operands,
                                           const Symbols &symbols) {
  SmallVector<int64_t> axes(operands.size() - 1, 0);
  return commonSize(operands, 1, axes, symbols);
}

static std::optional<BodyLoop> describeScan(Operator op, Region &body,
                                            ArrayRef<const Fact *> operands,
                                            Symbols &symbols) {
  std::optional<ScanParts> parts = partsOf(op, body);
  if (!parts)
    return std::nullopt;
  BodyLoop loop{&body};
  unsigned firstInput = parts->head + parts->states;
  loop.runs =
      isSomething(commonSize(operands, firstInput, parts->inputAxes, symbols),
                  symbols) &&
      (!parts->hasBatch || isSomething(batchOf(operands, symbols), symbols));
  for (unsigned i = 0; i < parts->states; ++i) {
    const Fact &state = *operands[parts->head + i];
    loop.arguments.push_back({parts->hasBatch ? without(state, 0) : state, i});
  }
  for (auto [i, axis] : llvm::enumerate(parts->inputAxes)) {
    Fact slice = without(*operands[firstInput + i], axis);
    loop.arguments.push_back(
        {parts->hasBatch ? without(slice, 0) : slice, std::nullopt});
  }
  return loop;
}

/// Runtimes refuse to scan nothing, so of slices all is known that is known of
/// one.
static SmallVector<Fact, 2>
resultsOfScan(Operator op, ArrayRef<const Fact *> operands, ArrayRef<Fact> last,
              ArrayRef<Fact> results, Symbols &symbols) {
  ScanParts parts = *partsOf(op, *bodyOf(op));
  auto length =
      commonSize(operands, parts.head + parts.states, parts.inputAxes, symbols);
  SmallVector<Fact, 2> known(results);
  for (auto [k, fact] : llvm::enumerate(known)) {
    fact = last[k];
    if (k >= parts.states)
      fact = stacked(fact, parts.outputAxes[k - parts.states], length,
                     /*runs=*/true, results[k], symbols);
    if (parts.hasBatch)
      fact = stacked(fact, 0, batchOf(operands, symbols), /*runs=*/true,
                     results[k], symbols);
  }
  return known;
}

//===----------------------------------------------------------------------===//
// SequenceMap
//===----------------------------------------------------------------------===//

/// The type that the tensors of a sequence have, or null.
static Type elementOf(Type type) {
  auto sequence = dyn_cast<OnnxSequenceType>(type);
  return sequence ? sequence.getElementType() : Type();
}

static std::optional<BodyLoop> describeMap(Operator op, Region &body,
                                           ArrayRef<const Fact *> operands) {
  if (body.getNumArguments() != op.numInputs())
    return std::nullopt;
  BodyLoop loop{&body};
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    Type type = op->getOperand(i).getType();
    BodyLoop::Argument argument;
    if (!elementOf(type) && isa<TensorType>(type))
      argument.first = *operands[i]; // each gets it whole
    loop.arguments.push_back(std::move(argument));
  }
  return loop;
}

//===----------------------------------------------------------------------===//

std::optional<BodyLoop> onnxfold::describeLoop(Operator op,
                                               ArrayRef<const Fact *> operands,
                                               Symbols &symbols) {
  if (!op || op->getNumRegions() == 0 || op.isCustom() || op.hasReferences())
    return std::nullopt;
  Region *body = bodyOf(op);
  if (body && op.is("Loop"))
    return describePlainLoop(op, *body, operands, symbols);
  if (body && op.is("Scan"))
    return describeScan(op, *body, operands, symbols);
  if (body && op.is("SequenceMap"))
    return describeMap(op, *body, operands);
  return std::nullopt;
}

Type onnxfold::typeOfLoopArgument(Operator op, unsigned i) {
  Type type = op->getOperand(i).getType();
  if (op.is("SequenceMap"))
    return elementOf(type) ? elementOf(type) : Type();
  // Sizes of what goes round may change.
  bool goesRound = op.is("Loop") && i >= loopHead;
  return goesRound && !isa<TensorType>(type) ? type : Type();
}

SmallVector<Fact, 2> onnxfold::resultsOfLoop(Operator op, bool runs,
                                             ArrayRef<const Fact *> operands,
                                             ArrayRef<Fact> last,
                                             ArrayRef<Fact> results,
                                             Symbols &symbols) {
  if (op.is("Scan"))
    return resultsOfScan(op, operands, last, results, symbols);
  SmallVector<Fact, 2> known(results);
  if (!op.is("Loop"))
    return known;
  unsigned carried = op.numInputs() - loopHead;
  auto count = countOf(op, last[0], operands, symbols);
  for (auto [k, fact] : llvm::enumerate(known))
    fact = k < carried
               ? last[1 + k]
               : stacked(last[1 + k], 0, count, runs, results[k], symbols);
  return known;
}
