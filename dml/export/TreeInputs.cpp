//===- TreeInputs.cpp - Trees that read what is not scaled yet ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/export/internal/TreeInputs.h"
#include "onnxfold/dml/export/internal/Makers.h"
#include "onnxfold/dml/support/Probe.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::dml;
using namespace mlir;

static constexpr float infinite = std::numeric_limits<float>::infinity();
/// Elements of a matrix that a node is tried with.
static constexpr int64_t mostTried = 1 << 22;
static constexpr llvm::StringLiteral missingName =
    "nodes_missing_value_tracks_true";

//===----------------------------------------------------------------------===//
// Numbers in their order
//===----------------------------------------------------------------------===//

/// The place of a number among all of float32, which are in the order of their
/// bits, those below zero backwards. -0 has the place of 0.
static int64_t placeOf(float value) {
  int32_t bits = std::bit_cast<int32_t>(value);
  return bits < 0 ? int64_t(INT32_MIN) - bits : bits;
}

static float numberAt(int64_t place) {
  return std::bit_cast<float>(
      int32_t(place < 0 ? int64_t(INT32_MIN) - place : place));
}

static bool isYes(StringRef mode, float value, float split) {
  if (mode == "BRANCH_LEQ")
    return value <= split;
  if (mode == "BRANCH_LT")
    return value < split;
  return mode == "BRANCH_GTE" ? value >= split : value > split;
}

//===----------------------------------------------------------------------===//
// Nodes before trees
//===----------------------------------------------------------------------===//

static bool isNotFinite(float number) { return !std::isfinite(number); }

/// Whether each of its rows is computed with the same finite numbers. An infinite
/// factor makes NaN of 0, between two infinite results.
static bool isFiniteRow(const Elements &numbers) {
  return numbers.type() == DataType::Float32 &&
         (numbers.shape().empty() ||
          numElements(numbers.shape().drop_back()) == 1) &&
         !ops::firstWhere<float>(numbers, isNotFinite);
}

static bool hasFiniteRows(Operator op) {
  for (Value input : op->getOperands())
    if (Elements known = constantOf(input); known && !isFiniteRow(known))
      return false;
  auto isZero = [](float number) { return number == 0; };
  return !op.is("Div") ||
         !ops::firstWhere<float>(constantOf(op.input(1)), isZero);
}

/// Whether its result in a column rises, or falls, with its only input that is not
/// constant, in the same column. An Imputer that replaces a number does not.
static bool keepsOrder(Operator op) {
  if (op.domain() == "ai.onnx.ml")
    return op.opType() == "Scaler" ||
           (op.opType() == "Imputer" &&
            std::isnan(op.getFloat("replaced_value_float", 0)));
  if (op.is("Div") && !constantOf(op.input(1)))
    return false;
  return op.isAny(
             {"Add", "Clip", "Div", "Identity", "Mul", "Neg", "Relu", "Sub"}) &&
         hasFiniteRows(op);
}

/// The number of the input that is not constant; none if there are two.
static std::optional<unsigned> variableInput(Operator op) {
  std::optional<unsigned> found;
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    if (!op.hasInput(i) || constantOf(op.input(i)))
      continue;
    if (found)
      return std::nullopt;
    found = i;
  }
  return found;
}

/// The columns, of `count`, that the node takes from its input.
static std::optional<SmallVector<int64_t>> takenColumns(Operator op,
                                                        int64_t count) {
  bool isGather = op.is("Gather") && op.getInt("axis", 0) == 1;
  if (!isGather &&
      !(op.domain() == "ai.onnx.ml" && op.opType() == "ArrayFeatureExtractor"))
    return std::nullopt;
  Elements columns = constantOf(op.input(1));
  if (!columns || (isGather && columns.shape().size() != 1))
    return std::nullopt;
  SmallVector<int64_t> taken = columns.ints();
  for (int64_t &column : taken) {
    if (isGather && column < 0)
      column += count;
    if (column < 0 || column >= count)
      return std::nullopt;
  }
  return taken;
}

static Value withInputs(Operator op, ArrayRef<Value> inputs) {
  OpBuilder builder(op.getOperation());
  Operation *made = builder.clone(*op.getOperation());
  made->setOperands(inputs);
  Operator::from(made).setOutputNames(StringRef()); // of another value
  return made->getResult(0);
}

/// (x - offset) * scale with the two roundings of runtimes: the kernel has one.
static std::optional<std::vector<float>>
scaledTwice(Operator scaler, ArrayRef<float> matrix, int64_t columns) {
  auto offset = scaler.getFloats("offset"), scale = scaler.getFloats("scale");
  if (!offset || !scale || offset->size() != scale->size() ||
      (offset->size() != 1 && int64_t(offset->size()) != columns) ||
      llvm::any_of(llvm::concat<float>(*offset, *scale), isNotFinite))
    return std::nullopt;
  std::vector<float> result;
  for (auto [i, value] : llvm::enumerate(matrix)) {
    size_t k = offset->size() == 1 ? 0 : i % columns;
    float moved = value - (*offset)[k];
    result.push_back(moved * (*scale)[k]);
  }
  return result;
}

/// Result 0 of the node where one input is the matrix and all others are known.
static std::optional<std::vector<float>> resultFor(Operator op, unsigned input,
                                                   ArrayRef<float> matrix,
                                                   int64_t columns) {
  if (op.opType() == "Scaler")
    return scaledTwice(op, matrix, columns);
  int64_t rows = matrix.size() / columns;
  std::vector<Elements> inputs;
  for (unsigned i = 0; i < op.numInputs(); ++i)
    inputs.push_back(i == input
                         ? Elements::fromValues<float>({rows, columns}, matrix)
                         : constantOf(op.input(i)));
  ReasonOr<Elements> made = probed(op, inputs);
  if (!made || made->type() != DataType::Float32 ||
      made->shape() != ShapeRef({rows, columns}))
    return std::nullopt;
  return made->values<float>();
}

//===----------------------------------------------------------------------===//
// The input of one node of trees
//===----------------------------------------------------------------------===//

namespace {

class TreeInput {
public:
  TreeInput(Operator trees, const KnownTypes &types)
      : trees(trees), types(types) {}
  /// False if nothing stands before the trees that they can do without.
  bool readUnscaled();

private:
  /// Of each feature, the column of a value; -1 if it is in another one.
  using Places = std::vector<int64_t>;
  /// A node of a tree, and where its feature is tried.
  struct Asked {
    size_t node;
    int64_t row, column;
  };

  bool readLists();
  std::optional<int64_t> columnsOf(Value value) const;
  Value before(Value value, const Places &places);
  Value beforeParts(Operator concat, const Places &places);
  Value beforeTaken(Operator op, ArrayRef<int64_t> taken, const Places &places);
  bool move(Operator op, unsigned input, int64_t columns, const Places &places);
  bool findNodes(int64_t columns, const Places &places);
  std::optional<std::vector<float>> tried(Operator op, unsigned input,
                                          ArrayRef<float> numbers) const;
  std::vector<bool> answers(ArrayRef<float> values) const;
  std::optional<std::vector<int64_t>> lastPlaces(Operator op, unsigned input,
                                                 std::vector<bool> atLeast);
  void write();

  Operator trees;
  const KnownTypes &types;
  SmallVector<int64_t> features, missing;
  SmallVector<float> splits;
  SmallVector<StringRef> modes;
  std::vector<std::vector<size_t>> nodesOf; ///< of each feature
  std::vector<Asked> asked;                 ///< by the node that is tried
  int64_t rows = 0, columns = 0;
};

} // namespace

bool TreeInput::readLists() {
  auto featureList = trees.getInts("nodes_featureids");
  auto splitList = trees.getFloats("nodes_values");
  auto modeList = trees.getStrings("nodes_modes");
  if (!featureList || !splitList || !modeList)
    return false;
  features = *featureList;
  splits = *splitList;
  modes = *modeList;
  missing = trees.getInts(missingName).value_or(SmallVector<int64_t>());
  if (missing.empty())
    missing.resize(features.size());
  return llvm::all_equal(
      {features.size(), splits.size(), modes.size(), missing.size()});
}

/// Of a matrix of float32.
std::optional<int64_t> TreeInput::columnsOf(Value value) const {
  auto type = dyn_cast<RankedTensorType>(types.typeOf(value));
  if (!type || type.getRank() != 2 || type.isDynamicDim(1) ||
      !type.getElementType().isF32())
    return std::nullopt;
  return type.getDimSize(1);
}

/// The nodes that ask for a feature of the value. False if there are too many, or
/// one asks for anything but the order of numbers.
bool TreeInput::findNodes(int64_t count, const Places &places) {
  std::vector<int64_t> used(count);
  asked.clear();
  rows = 1;
  columns = count;
  for (auto [column, nodes] : llvm::zip_equal(places, nodesOf)) {
    if (column < 0)
      continue;
    for (size_t node : nodes) {
      if (!llvm::is_contained(
              {"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT"},
              modes[node]))
        return false;
      asked.push_back({node, used[column]++, column});
      rows = std::max(rows, used[column]);
    }
  }
  return rows <= mostTried / std::max<int64_t>(columns, 1);
}

/// What the node makes of a number for each node of a tree.
std::optional<std::vector<float>>
TreeInput::tried(Operator op, unsigned input, ArrayRef<float> numbers) const {
  std::vector<float> matrix(rows * columns);
  for (auto [one, number] : llvm::zip_equal(asked, numbers))
    matrix[one.row * columns + one.column] = number;
  auto all = resultFor(op, input, matrix, columns);
  if (!all)
    return std::nullopt;
  std::vector<float> result;
  for (const Asked &one : asked)
    result.push_back((*all)[one.row * columns + one.column]);
  return result;
}

std::vector<bool> TreeInput::answers(ArrayRef<float> values) const {
  std::vector<bool> result;
  for (auto [one, value] : llvm::zip_equal(asked, values))
    result.push_back(isYes(modes[one.node], value, splits[one.node]));
  return result;
}

/// The last number with the answer that -infinity has: the interval that it is in
/// is halved 32 times.
std::optional<std::vector<int64_t>>
TreeInput::lastPlaces(Operator op, unsigned input, std::vector<bool> atLeast) {
  size_t count = asked.size();
  std::vector<int64_t> last(count, placeOf(-infinite)),
      end(count, placeOf(infinite));
  for (int bit = 0; bit < 32; ++bit) {
    std::vector<float> numbers;
    for (auto [a, b] : llvm::zip_equal(last, end))
      numbers.push_back(numberAt(a + (b - a) / 2));
    auto values = tried(op, input, numbers);
    if (!values)
      return std::nullopt;
    std::vector<bool> now = answers(*values);
    for (size_t i = 0; i < count; ++i)
      (now[i] == atLeast[i] ? last : end)[i] = placeOf(numbers[i]);
  }
  return last;
}

/// Lets the trees ask for what the node reads. False, and nothing is changed, if
/// some answer is the same for all numbers, for which no mode stands.
bool TreeInput::move(Operator op, unsigned input, int64_t count,
                     const Places &places) {
  if (!findNodes(count, places))
    return false;
  auto allTried = [&](float number) {
    return tried(op, input, std::vector<float>(asked.size(), number));
  };
  auto least = allTried(-infinite), most = allTried(infinite),
       none = allTried(std::numeric_limits<float>::quiet_NaN());
  auto isNumber = [](float value) { return !std::isnan(value); };
  if (!least || !most || !none || !llvm::all_of(*least, isNumber) ||
      !llvm::all_of(*most, isNumber))
    return false;
  std::vector<bool> atLeast = answers(*least), atMost = answers(*most),
                    atNone = answers(*none);
  for (size_t i = 0; i < asked.size(); ++i)
    if (atLeast[i] == atMost[i])
      return false;
  auto last = lastPlaces(op, input, atLeast);
  if (!last)
    return false;
  for (auto [i, one] : llvm::enumerate(asked)) {
    modes[one.node] = atLeast[i] ? "BRANCH_LEQ" : "BRANCH_GT";
    splits[one.node] = numberAt((*last)[i]);
    if (isNumber((*none)[i])) // an imputer has replaced it
      missing[one.node] = atNone[i];
  }
  return true;
}

Value TreeInput::beforeParts(Operator concat, const Places &places) {
  SmallVector<Value> parts(concat->getOperands());
  int64_t first = 0;
  for (Value &part : parts) {
    std::optional<int64_t> count = columnsOf(part);
    if (!count)
      break;
    Places ofPart;
    for (int64_t place : places)
      ofPart.push_back(place >= first && place < first + *count ? place - first
                                                                : -1);
    part = before(part, ofPart);
    first += *count;
  }
  return llvm::equal(parts, concat->getOperands()) ? Value(concat->getResult(0))
                                                   : withInputs(concat, parts);
}

Value TreeInput::beforeTaken(Operator op, ArrayRef<int64_t> taken,
                             const Places &places) {
  Places from;
  for (int64_t place : places)
    from.push_back(place < 0 ? -1 : taken[place]);
  Value all = op.input(0), unscaled = before(all, from);
  return unscaled == all ? op->getResult(0)
                         : withInputs(op, {unscaled, op.input(1)});
}

/// What the trees can read in the place of the value.
Value TreeInput::before(Value value, const Places &places) {
  Operator op = makerOf(value);
  std::optional<int64_t> count = columnsOf(value);
  if (!op || !count)
    return value;
  if (op.is("Concat") && llvm::is_contained({1, -1}, op.getInt("axis", 0)))
    return beforeParts(op, places);
  if (std::optional<int64_t> all = columnsOf(op.input(0)))
    if (auto taken = takenColumns(op, *all))
      return beforeTaken(op, *taken, places);
  std::optional<unsigned> input = variableInput(op);
  bool isAlike =
      keepsOrder(op) && input && columnsOf(op.input(*input)) == count;
  if (!isAlike || !move(op, *input, *count, places))
    return value;
  return before(op.input(*input), places);
}

void TreeInput::write() {
  Builder builder(trees->getContext());
  trees->setAttr("nodes_values", builder.getDenseF32ArrayAttr(splits));
  trees->setAttr("nodes_modes", builder.getStrArrayAttr(modes));
  trees->setAttr(missingName, builder.getDenseI64ArrayAttr(missing));
}

bool TreeInput::readUnscaled() {
  std::optional<int64_t> count = columnsOf(trees.input(0));
  auto isThere = [&](int64_t feature) {
    return feature >= 0 && feature < *count;
  };
  if (!count || !readLists() || !llvm::all_of(features, isThere))
    return false;
  nodesOf.resize(*count);
  for (auto [node, feature] : llvm::enumerate(features))
    if (modes[node] != "LEAF")
      nodesOf[feature].push_back(node);
  Places places(*count);
  std::iota(places.begin(), places.end(), 0);
  Value unscaled = before(trees.input(0), places);
  if (unscaled == trees.input(0))
    return false;
  write();
  trees->setOperand(0, unscaled);
  return true;
}

bool dml::readUnscaled(Region &graph, const KnownTypes &types) {
  bool isChanged = false;
  for (Operation &one : llvm::make_early_inc_range(graph.front())) {
    Operator op = Operator::from(&one);
    if (op && op.domain() == "ai.onnx.ml" && op.hasInput(0) &&
        llvm::is_contained({"TreeEnsembleClassifier", "TreeEnsembleRegressor"},
                           op.opType()))
      isChanged |= TreeInput(op, types).readUnscaled();
  }
  return isChanged;
}
