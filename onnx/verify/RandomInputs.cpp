//===- RandomInputs.cpp - Inputs to run a model on ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/verify/internal/RandomInputs.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnxfold/onnx/verify/RandomTensor.h"
#include "onnxfold/onnx/verify/internal/IndexRanges.h"
#include "llvm/Support/xxhash.h"

using namespace onnxfold;
using namespace mlir;

namespace {

class Maker {
public:
  Maker(FunctionOpInterface graph, const InputSource &source, unsigned trial,
        const InputChoice &choice, const ValueKinds &kinds,
        const llvm::StringMap<FoldedValue> *given)
      : graph(graph), source(source), trial(trial), choice(choice),
        kinds(kinds), given(given) {}

  llvm::Expected<RandomInputs> make();

private:
  FoldedValue givenValue(BlockArgument argument) const {
    return given ? given->lookup(valueName(argument)) : FoldedValue();
  }
  ArrayAttr namesOf(BlockArgument argument) {
    return graph.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(),
                                             dimsAttrName);
  }
  void noteGivenSizes();
  int64_t openSize(const Twine &key, unsigned argument, int64_t byDefault,
                   bool isRank = false);
  int64_t sizeOf(unsigned argument, unsigned position, StringRef name,
                 bool isBatch);
  std::optional<Shape> shapeOf(BlockArgument argument, Type type);
  llvm::Error checkSize(BlockArgument argument) const;
  void inferShapes();
  FoldedValue valueOf(BlockArgument argument, Type type, unsigned depth);
  Elements tensor(BlockArgument argument, DataType type, ShapeRef shape,
                  Random &random);
  Elements chosenIntegers(BlockArgument argument, DataType type,
                          ShapeRef shape) const;
  Draw drawOf(DataType type, const std::optional<AcceptedNumbers> &accepted);

  FunctionOpInterface graph;
  const InputSource &source;
  unsigned trial;
  const InputChoice &choice;
  const ValueKinds &kinds;
  const llvm::StringMap<FoldedValue> *given;
  RandomInputs result;
  llvm::StringMap<size_t> places; // in result.openSizes, by key
  llvm::StringMap<int64_t> givenSizes;
  std::vector<std::optional<Shape>> shapes; // of arguments that are tensors
  std::optional<Evaluation> evaluation;     // of shapes alone
};

} // namespace

/// The chosen size of this key, or the default, which counts for all that have
/// the key.
int64_t Maker::openSize(const Twine &key, unsigned argument, int64_t byDefault,
                        bool isRank) {
  auto [it, isNew] = places.try_emplace(key.str(), result.openSizes.size());
  if (isNew) {
    auto chosen = choice.chosen.find(it->first());
    int64_t size = chosen == choice.chosen.end() ? byDefault : chosen->second;
    result.openSizes.push_back({it->first().str(), {}, size, isRank});
  }
  OpenSize &open = result.openSizes[it->second];
  if (!llvm::is_contained(open.inputs, argument))
    open.inputs.push_back(argument);
  return open.size;
}

/// Different trials have different sizes; different names too, mostly. Sides of
/// pictures are multiples of 32, of which a batch has few.
int64_t Maker::sizeOf(unsigned argument, unsigned position, StringRef name,
                      bool isBatch) {
  if (auto known = givenSizes.find(name);
      known != givenSizes.end() && !name.empty())
    return known->second;
  std::string key;
  if (choice.sizes == Sizes::ByPosition)
    key = "#" + std::to_string(position);
  else if (choice.sizes == Sizes::ByName)
    key = !name.empty()
              ? name.str()
              : "#" + std::to_string(argument) + "," + std::to_string(position);
  unsigned change = (trial + places.size()) % 4;
  bool isLarge = choice.least >= 32;
  int64_t byDefault = choice.least == 1    ? 1
                      : isLarge && isBatch ? 1 + trial % 3
                      : isLarge            ? choice.least + 32 * change
                                           : choice.least + change;
  return openSize(key, argument, byDefault);
}

/// The shape of a tensor, or of the tensors in a sequence.
std::optional<Shape> Maker::shapeOf(BlockArgument argument, Type type) {
  auto tensorType = dyn_cast<TensorType>(type);
  if (!tensorType)
    return std::nullopt;
  if (FoldedValue value = givenValue(argument); value.tensor)
    return Shape(value.tensor.shape());
  unsigned number = argument.getArgNumber();
  if (!tensorType.hasRank()) {
    // Sizes of dimensions that no input states are those of positions.
    Shape shape(
        openSize("rank of " + Twine(number), number, 2, /*isRank=*/true));
    for (auto [i, size] : llvm::enumerate(shape))
      size = openSize("#" + Twine(number) + "," + Twine(i), number, 2 + i);
    return shape;
  }
  ArrayAttr names = namesOf(argument);
  Shape shape(tensorType.getShape());
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (!ShapedType::isDynamic(size))
      continue;
    StringRef name;
    if (names && i < names.size())
      name = cast<StringAttr>(names[i]).getValue();
    size = sizeOf(number, i, name, /*isBatch=*/i == 0 && shape.size() > 1);
  }
  return shape;
}

/// Random numbers are made as f64.
llvm::Error Maker::checkSize(BlockArgument argument) const {
  const std::optional<Shape> &shape = shapes[argument.getArgNumber()];
  if (!shape || givenValue(argument))
    return llvm::Error::success();
  std::optional<int64_t> count = checkedNumElements(*shape);
  if (count &&
      uint64_t(*count) <= source.limits.maxResultBytes / sizeof(double))
    return llvm::Error::success();
  return ModelFault()
      .input(valueName(argument))
      .has("shape " + toString(*shape))
      .says(", random values would take more than " +
            llvm::Twine(source.limits.maxResultBytes) + " bytes");
}

/// Evaluates the graph for arguments of these shapes, whatever their values.
void Maker::inferShapes() {
  EvaluationOptions options = onnxEvaluationOptions();
  options.refinesTypes = true;
  auto byType = options.stateOfArgument;
  options.stateOfArgument = [this, byType](BlockArgument argument,
                                           DimExprs &exprs) {
    ValueState state = byType(argument, exprs);
    if (argument.getOwner()->getParentOp() != graph.getOperation() ||
        !shapes[argument.getArgNumber()])
      return state;
    state.shape.emplace();
    for (int64_t size : *shapes[argument.getArgNumber()])
      state.shape->push_back(exprs.constant(size));
    return state;
  };
  evaluation.emplace(graph, options);
  evaluation->run();
}

/// The integers of the choice for an input; null: those that its users accept.
Elements Maker::chosenIntegers(BlockArgument argument, DataType type,
                               ShapeRef shape) const {
  auto own = choice.integersOf.find(valueName(argument));
  auto [integers, number] = own == choice.integersOf.end()
                                ? std::pair(choice.integers, 0u)
                                : own->second;
  switch (integers) {
  case Integers::FromReaders:
    return {};
  case Integers::Zeros:
  case Integers::Ones:
    return Elements::splat(type, shape,
                           WideNum::widen(int64_t(integers == Integers::Ones)));
  case Integers::Ascending:
    return ops::cast(ops::iota(Shape{numElements(shape)}, 0).reshape(shape),
                     type);
  case Integers::FromModel:
    return Elements::splat(type, shape,
                           WideNum::widen(source.model.integers[number]));
  }
  llvm_unreachable("all kinds are listed");
}

Draw Maker::drawOf(DataType type,
                   const std::optional<AcceptedNumbers> &accepted) {
  Draw draw;
  draw.numbers =
      isFloat(type) || isComplex(type) ? kinds.floats : kinds.integers;
  draw.round = kinds.round;
  draw.model = &source.model;
  if (accepted) {
    draw.usual = accepted->range;
    draw.isBound = accepted->isBound;
    draw.wraps = accepted->wraps;
  } else if (type == DataType::UInt8) // pictures, and quantised values
    draw.usual = {0, 255};
  else if (type == DataType::Int8)
    draw.usual = {-128, 127};
  else if (!isFloat(type)) // masks mostly
    draw.usual = {0, 1};
  return draw;
}

/// Other tuples in each trial, and none twice as long as there are enough.
static Elements distinctTuples(const DistinctIndices &wanted, ShapeRef shape,
                               Random &random) {
  int64_t depth = wanted.indices.empty() ? 0 : wanted.indices.back();
  if (depth < 1 || depth > int64_t(wanted.data.size()))
    return {};
  ShapeRef sizes = ShapeRef(wanted.data).take_front(depth);
  int64_t count = numElements(sizes), rows = numElements(shape) / depth;
  if (count == 0 || rows * depth != numElements(shape))
    return {};
  int64_t first = random.integer({0, double(count - 1)});
  std::vector<int64_t> values(rows * depth);
  for (int64_t row = 0; row != rows; ++row) {
    int64_t rest = (first + row) % count;
    for (int64_t i = depth; i-- != 0; rest /= sizes[i])
      values[row * depth + i] = rest % sizes[i];
  }
  return Elements::fromValues<int64_t>(shape, values);
}

/// Elements on one line along the axis are different.
static Elements distinctAlong(const DistinctIndices &wanted, ShapeRef shape,
                              Random &random) {
  int64_t rank = wanted.indices.size(), count = numElements(shape);
  if (wanted.axis >= rank || numElements(wanted.indices) != count)
    return {};
  int64_t size = wanted.data[wanted.axis], inner = 1;
  for (int64_t i = wanted.axis + 1; i < rank; ++i)
    inner *= wanted.indices[i];
  if (size == 0 || count == 0)
    return {};
  int64_t first = random.integer({0, double(size - 1)});
  std::vector<int64_t> values(count);
  for (int64_t i = 0; i != count; ++i)
    values[i] = (first + i / inner % wanted.indices[wanted.axis]) % size;
  return Elements::fromValues<int64_t>(shape, values);
}

Elements Maker::tensor(BlockArgument argument, DataType type, ShapeRef shape,
                       Random &random) {
  auto accepted = acceptedByReaders(argument, *evaluation);
  if (!isInteger(type))
    return randomTensor(type, shape, drawOf(type, accepted), random);
  if (Elements chosen = chosenIntegers(argument, type, shape))
    return chosen;
  if (shape.size() == 1 && isListOfAxes(argument))
    return ops::cast(ops::iota(shape, 0), type);
  if (accepted && accepted->distinct) {
    const DistinctIndices &wanted = *accepted->distinct;
    if (Elements indices = wanted.axis < 0
                               ? distinctTuples(wanted, shape, random)
                               : distinctAlong(wanted, shape, random))
      return ops::cast(indices, type);
  }
  if (numElements(shape) == 0 || !isTargetShape(argument))
    return randomTensor(type, shape, drawOf(type, accepted), random);
  std::vector<int64_t> values(numElements(shape), 1);
  values.back() = -1;
  return ops::cast(Elements::fromValues<int64_t>(shape, values), type);
}

/// Null if there are no values of the type.
FoldedValue Maker::valueOf(BlockArgument argument, Type type, unsigned depth) {
  StringRef name = valueName(argument);
  Random random(source.seed ^ llvm::xxh3_64bits(name) ^ uint64_t(trial) << 32 ^
                uint64_t(kinds.floats) << 56 ^ uint64_t(kinds.integers) << 60 ^
                uint64_t(kinds.round) << 40 ^ depth);
  if (auto tensorType = dyn_cast<TensorType>(type)) {
    DataType element = DataType(onnxElementType(tensorType.getElementType()));
    if (element == DataType::Undefined)
      return {};
    return tensor(argument, element, *shapeOf(argument, type), random);
  }
  bool isNothing = kinds.floats == Numbers::Same && kinds.round % 2;
  if (auto optional = dyn_cast<OnnxOptionalType>(type))
    return isNothing ? FoldedValue::nothing()
                     : valueOf(argument, optional.getElementType(), depth);
  auto sequence = dyn_cast<OnnxSequenceType>(type);
  if (!sequence || !isa<TensorType>(sequence.getElementType()))
    return {};
  std::vector<Elements> tensors;
  for (unsigned i = 0; i != 2; ++i) {
    FoldedValue one =
        valueOf(argument, sequence.getElementType(), depth + i + 1);
    if (!one)
      return {};
    tensors.push_back(one.tensor);
  }
  return makeSequence(tensors);
}

/// Notes the sizes of given values for dimensions that other inputs have too.
void Maker::noteGivenSizes() {
  for (BlockArgument argument : graph.getArguments()) {
    FoldedValue value = givenValue(argument);
    ArrayAttr names = namesOf(argument);
    if (!value.tensor || !names || int64_t(names.size()) != value.tensor.rank())
      continue;
    for (auto [name, size] :
         llvm::zip_equal(names.getAsRange<StringAttr>(), value.tensor.shape()))
      givenSizes[name.getValue()] = size;
  }
}

llvm::Expected<RandomInputs> Maker::make() {
  noteGivenSizes();
  for (BlockArgument argument : graph.getArguments()) {
    shapes.push_back(shapeOf(argument, argument.getType()));
    if (llvm::Error error = checkSize(argument))
      return error;
  }
  inferShapes();
  for (BlockArgument argument : graph.getArguments()) {
    FoldedValue value = givenValue(argument);
    result.values.push_back(value ? value
                                  : valueOf(argument, argument.getType(), 0));
    if (!result.values.back())
      return ModelFault()
          .input(valueName(argument))
          .has("a type that random values cannot be made of");
  }
  return std::move(result);
}

double onnxfold::workOfDrawing(ArrayRef<FoldedValue> values) {
  constexpr double unitsOfNumber = 200;
  double numbers = 0;
  for (const FoldedValue &value : values) {
    if (value.tensor)
      numbers += double(value.tensor.size());
    if (value.sequence)
      for (const Elements &tensor : value.sequence->tensors())
        numbers += double(tensor.size());
  }
  return unitsOfNumber * numbers;
}

llvm::Expected<RandomInputs>
onnxfold::randomInputs(FunctionOpInterface graph, const InputSource &source,
                       unsigned trial, const InputChoice &choice,
                       const ValueKinds &kinds,
                       const llvm::StringMap<FoldedValue> *given) {
  return Maker(graph, source, trial, choice, kinds, given).make();
}
