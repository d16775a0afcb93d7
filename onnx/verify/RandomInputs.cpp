//===- RandomInputs.cpp - Inputs to run a model on ------------------------===//

#include "onnxfold/onnx/verify/internal/RandomInputs.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnxfold/onnx/verify/internal/IndexRanges.h"
#include "onnxfold/onnx/verify/internal/RandomTensor.h"
#include "llvm/Support/xxhash.h"

using namespace onnxfold;
using namespace mlir;

namespace {

/// How the sizes of dynamic dimensions are chosen.
enum class Sizes {
  ByName,     // one for each name, and for each dimension without one
  ByPosition, // one for each position in a shape: batch, sequence ...
  Equal,      // one for all
};

/// Which integers.
enum class Integers { FromReaders, Zeros, Ones };

struct Choice {
  Sizes sizes;
  int64_t least; // of the sizes
  Integers integers;
};

} // namespace

/// Models of pictures want larger sizes than others; equal names are the rule
/// and unequal names of equal sizes the exception.
static const Choice choices[] = {
    {Sizes::ByName, 2, Integers::FromReaders},
    {Sizes::ByPosition, 2, Integers::FromReaders},
    {Sizes::Equal, 2, Integers::FromReaders},
    {Sizes::ByName, 32, Integers::FromReaders},
    {Sizes::ByPosition, 64, Integers::FromReaders},
    {Sizes::ByName, 2, Integers::Zeros},
    {Sizes::ByPosition, 2, Integers::Ones},
    {Sizes::Equal, 1, Integers::FromReaders},
};

unsigned onnxfold::numInputChoices() { return std::size(choices); }

namespace {

class Maker {
public:
  Maker(FunctionOpInterface graph, const FoldLimits &limits, uint64_t seed,
        unsigned trial, const Choice &choice,
        const llvm::StringMap<FoldedValue> *given)
      : graph(graph), limits(limits), seed(seed), trial(trial), choice(choice),
        given(given) {}

  llvm::Expected<std::vector<FoldedValue>> make();

private:
  FoldedValue givenValue(BlockArgument argument) const {
    return given ? given->lookup(valueName(argument)) : FoldedValue();
  }
  ArrayAttr namesOf(BlockArgument argument) {
    return graph.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(),
                                             dimsAttrName);
  }
  void noteGivenSizes();
  int64_t sizeOf(unsigned argument, unsigned position, StringRef name);
  std::optional<Shape> shapeOf(BlockArgument argument, Type type);
  llvm::Error checkSize(BlockArgument argument) const;
  void inferShapes();
  FoldedValue valueOf(BlockArgument argument, Type type, unsigned depth);
  Elements tensor(BlockArgument argument, DataType type, ShapeRef shape,
                  Random &random);
  NumberRange rangeOf(BlockArgument argument, DataType type);

  FunctionOpInterface graph;
  const FoldLimits &limits;
  uint64_t seed;
  unsigned trial;
  const Choice &choice;
  const llvm::StringMap<FoldedValue> *given;
  llvm::StringMap<int64_t> sizes, givenSizes; // of dimensions by name
  std::vector<std::optional<Shape>> shapes;   // of arguments that are tensors
  std::optional<Evaluation> evaluation;       // of shapes alone
};

} // namespace

/// Different trials have different sizes; different names too, mostly.
int64_t Maker::sizeOf(unsigned argument, unsigned position, StringRef name) {
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
  auto [it, isNew] = sizes.try_emplace(key, 0);
  if (isNew)
    it->second =
        choice.least == 1
            ? 1
            : choice.least + (trial + sizes.size() - 1) % 4 *
                                 std::max<int64_t>(1, choice.least / 4);
  return it->second;
}

/// The shape of a tensor, or of the tensors in a sequence.
std::optional<Shape> Maker::shapeOf(BlockArgument argument, Type type) {
  auto tensorType = dyn_cast<TensorType>(type);
  if (!tensorType)
    return std::nullopt;
  if (FoldedValue value = givenValue(argument); value.tensor)
    return Shape(value.tensor.shape());
  if (!tensorType.hasRank())
    return Shape{2, 3};
  ArrayAttr names = namesOf(argument);
  Shape shape(tensorType.getShape());
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (!ShapedType::isDynamic(size))
      continue;
    StringRef name;
    if (names && i < names.size())
      name = cast<StringAttr>(names[i]).getValue();
    size = sizeOf(argument.getArgNumber(), i, name);
  }
  return shape;
}

/// Random numbers are made as f64.
llvm::Error Maker::checkSize(BlockArgument argument) const {
  const std::optional<Shape> &shape = shapes[argument.getArgNumber()];
  if (!shape || givenValue(argument))
    return llvm::Error::success();
  std::optional<int64_t> count = checkedNumElements(*shape);
  if (count && uint64_t(*count) <= limits.maxResultBytes / sizeof(double))
    return llvm::Error::success();
  return llvm::createStringError("input '" + valueName(argument) +
                                 "' has shape " + toString(*shape) +
                                 ", random values would take more than " +
                                 llvm::Twine(limits.maxResultBytes) + " bytes");
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

NumberRange Maker::rangeOf(BlockArgument argument, DataType type) {
  if (!isFloat(type) && choice.integers != Integers::FromReaders) {
    double only = choice.integers == Integers::Ones;
    return {only, only};
  }
  if (auto range = rangeForReaders(argument, *evaluation))
    return *range;
  if (isFloat(type))
    return {-1, 1};
  // Pictures, and quantised values.
  if (type == DataType::UInt8)
    return {0, 255};
  if (type == DataType::Int8)
    return {-128, 127};
  // Masks mostly.
  return {0, 1};
}

Elements Maker::tensor(BlockArgument argument, DataType type, ShapeRef shape,
                       Random &random) {
  if (isInteger(type) && shape.size() == 1 && isListOfAxes(argument))
    return ops::cast(ops::iota(shape, 0), type);
  if (!isInteger(type) || numElements(shape) == 0 || !isTargetShape(argument))
    return randomTensor(type, shape, rangeOf(argument, type), random);
  std::vector<int64_t> values(numElements(shape), 1);
  values.back() = -1;
  return ops::cast(Elements::fromValues<int64_t>(shape, values), type);
}

/// Null if there are no values of the type.
FoldedValue Maker::valueOf(BlockArgument argument, Type type, unsigned depth) {
  StringRef name = valueName(argument);
  Random random(seed ^ llvm::xxh3_64bits(name) ^ uint64_t(trial) << 32 ^ depth);
  if (auto tensorType = dyn_cast<TensorType>(type)) {
    DataType element = DataType(onnxElementType(tensorType.getElementType()));
    if (element == DataType::Undefined)
      return {};
    return tensor(argument, element, *shapeOf(argument, type), random);
  }
  if (auto optional = dyn_cast<OnnxOptionalType>(type))
    return valueOf(argument, optional.getElementType(), depth);
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

/// What the given values say of dimensions that other inputs have too.
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

llvm::Expected<std::vector<FoldedValue>> Maker::make() {
  noteGivenSizes();
  for (BlockArgument argument : graph.getArguments()) {
    shapes.push_back(shapeOf(argument, argument.getType()));
    if (llvm::Error error = checkSize(argument))
      return error;
  }
  inferShapes();
  std::vector<FoldedValue> values;
  for (BlockArgument argument : graph.getArguments()) {
    FoldedValue value = givenValue(argument);
    values.push_back(value ? value : valueOf(argument, argument.getType(), 0));
    if (!values.back())
      return llvm::createStringError(
          "input '" + valueName(argument) +
          "' has a type that random values cannot be made of");
  }
  return values;
}

llvm::Expected<std::vector<FoldedValue>>
onnxfold::randomInputs(FunctionOpInterface graph, const FoldLimits &limits,
                       uint64_t seed, unsigned trial, unsigned choice,
                       const llvm::StringMap<FoldedValue> *given) {
  return Maker(graph, limits, seed, trial, choices[choice], given).make();
}
