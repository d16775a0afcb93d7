//===- InputFusion.cpp - Scales and shifts of inputs in weights -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// What exporters write to normalise an image stands before the first Conv. Its
// factors belong into the weight of each input channel, and what it adds into
// the bias, where no padding of zeros comes between.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace onnxfold;
using namespace mlir;

namespace {

/// A constant by which, or to which, an elementwise operator changes an input.
struct InputConstant {
  unsigned input;   ///< of the operator with the weight
  Value x;          ///< what comes instead of it
  OperatorName by;  ///< Mul, Div, Add or Sub
  Elements factors; ///< in a shape that broadcasts to the weight
  unsigned weight;  ///< the input that is the weight
};

} // namespace

constexpr int broadcastsAlone = 7; // Mul and Add without attributes

/// The constant has one element, or differs only along one axis of the input,
/// which has `channels`.
static bool liesAlong(const Elements &value, int64_t rank, int64_t axis,
                      int64_t channels) {
  if (value.size() == 1)
    return value.rank() <= rank;
  int64_t place = axis - (rank - value.rank());
  return value.rank() <= rank && place >= 0 && place < value.rank() &&
         value.size() == channels && value.dim(place) == channels;
}

/// The numbers of the input channels of a Conv, for its weight.
static Elements forConv(const Elements &value, const Elements &weight,
                        int64_t groups) {
  int64_t outputs = weight.dim(0), each = weight.dim(1);
  Shape shape(weight.rank(), 1);
  shape[0] = groups == 1 ? 1 : outputs;
  shape[1] = each;
  if (groups == 1)
    return value.reshape(shape);
  return value.reshape({groups, 1, each})
      .expand({groups, outputs / groups, each})
      .reshape(shape)
      .materialize();
}

/// The numbers of the input channels of a MatMul, for its weight: they may
/// differ in each matrix of a batch, if the weight does.
static Elements forMatMul(const Elements &value, const Elements &weight,
                          unsigned input, int64_t rank) {
  if (weight.rank() < 2 || rank < 2 || value.rank() > rank)
    return {};
  if (value.size() == 1)
    return value.reshape(Shape());
  Shape shape(std::max<int64_t>(0, weight.rank() - value.rank()), 1);
  llvm::append_range(shape, value.shape());
  auto surplus = shape.begin() + (shape.size() - weight.rank());
  if (std::any_of(shape.begin(), surplus, [](int64_t d) { return d != 1; }))
    return {};
  shape.erase(shape.begin(), surplus);
  // Rows of the input are columns of the weight.
  std::swap(shape.end()[-1], shape.end()[-2]);
  Shape most(weight.shape());
  most.end()[input == 0 ? -1 : -2] = 1;
  bool fits = llvm::all_of(llvm::zip_equal(shape, most), [](auto pair) {
    auto [mine, theirs] = pair;
    return mine == 1 || mine == theirs;
  });
  return fits ? value.reshape(shape) : Elements();
}

/// The constant in a shape that broadcasts to the weight; null if it is not one
/// number for each input channel.
static Elements forWeight(const CleanUpContext &cx, const Elements &value,
                          const Elements &weight, unsigned input,
                          int64_t rank) {
  Operator op = cx.op;
  bool isConv = op.is("Conv"), isTranspose = op.is("ConvTranspose");
  int64_t groups = op.getInt("group", 1);
  if (isConv || isTranspose) {
    if (weight.rank() < 3 || rank != weight.rank() || groups < 1 ||
        weight.dim(0) % groups != 0)
      return {};
    int64_t channels = isConv ? weight.dim(1) * groups : weight.dim(0);
    if (!liesAlong(value, rank, 1, channels))
      return {};
    if (value.size() == 1)
      return value.reshape(Shape());
    Shape shape(weight.rank(), 1);
    shape[0] = channels;
    return isConv ? forConv(value, weight, groups) : value.reshape(shape);
  }
  if (op.is("MatMul"))
    return forMatMul(value, weight, input, rank);
  if (weight.rank() != 2 || rank != 2)
    return {};
  bool isInner = op.getInt("transB", 0) != 0; // channels are columns
  int64_t channels = weight.dim(isInner ? 1 : 0);
  if (!liesAlong(value, rank, op.getInt("transA", 0) == 0 ? 1 : 0, channels))
    return {};
  if (value.size() == 1)
    return value.reshape(Shape());
  return value.reshape(isInner ? Shape{1, channels} : Shape{channels, 1});
}

/// The constant beside x in what makes input #i, if that is one of these two
/// operators, of which the second has it as its second operand.
static std::optional<InputConstant> findConstant(const CleanUpContext &cx,
                                                 unsigned i,
                                                 OperatorName either,
                                                 OperatorName second) {
  Operator made = cx.producer(i);
  unsigned weightInput = 1 - i;
  Elements weight = cx.constant(weightInput);
  if (!made || !weight || !isFloat(weight.type()) ||
      made.since() < broadcastsAlone || made.numInputs() != 2 ||
      (!made.is(either) && !made.is(second)))
    return std::nullopt;
  CleanUpContext before = cx.at(made);
  for (unsigned k : {1u, 0u}) {
    Elements value =
        k == 1 || made.is(either) ? before.constant(k) : Elements();
    Value x = made.input(1 - k);
    if (!value || value.type() != weight.type() || before.constant(1 - k) ||
        !before.isLike(x))
      continue;
    const auto &shape = cx.knownValues().state(x).shape;
    Elements factors = forWeight(cx, value, weight, i, shape->size());
    if (factors)
      return InputConstant{i, x, made.name(), factors, weightInput};
  }
  return std::nullopt;
}

/// The operator with another input and weight.
static Value withWeight(const CleanUpContext &cx, const InputConstant &found) {
  SmallVector<Value, 3> inputs(cx.op->getOperands());
  Value factors = cx.nodes.constant(found.factors);
  inputs[found.input] = found.x;
  inputs[found.weight] =
      cx.nodes.create(found.by, {inputs[found.weight], factors});
  return cx.nodes.create(cx.op.name(), inputs, cx.op->getAttrs());
}

/// Both are written once: a weight that others read would be there twice.
static bool areReadOnce(const CleanUpContext &cx, const InputConstant &found) {
  return cx.isOnlyReader(found.input) &&
         cx.isReadOnce(cx.op.input(found.weight));
}

static unsigned numDataInputs(Operator op) { return op.is("MatMul") ? 2 : 1; }

Value patterns::matchInputScale(const CleanUpContext &cx) {
  for (unsigned i = 0; i < numDataInputs(cx.op); ++i)
    if (auto found = findConstant(cx, i, "Mul", "Div");
        found && bitWidth(found->factors.type()) >= 32 &&
        scalesWell(cx.constant(found->weight), found->factors,
                   StringRef(found->by) == "Div") &&
        areReadOnce(cx, *found))
      return withWeight(cx, *found);
  return {};
}

//===----------------------------------------------------------------------===//
// Powers of two
//===----------------------------------------------------------------------===//

/// A Cast of integers that are so small that no product with a power of two
/// rounds.
static bool isSmallInteger(const CleanUpContext &cx, Value x) {
  constexpr unsigned mostBits = 16;
  Operator cast = Operator::from(x.getDefiningOp());
  if (!cast || cast.isCustom() || cast.hasReferences() || !cast.is("Cast"))
    return false;
  DataType from = cx.typeOf(cast.input(0));
  return (isInteger(from) && bitWidth(from) <= mostBits) ||
         from == DataType::Bool;
}

static bool isPowerOfTwo(double value) {
  constexpr int most = 60;
  int exponent;
  return std::fabs(std::frexp(value, &exponent)) == 0.5 &&
         std::abs(exponent) <= most;
}

/// No product of the weight with its factor is rounded.
static bool isExact(const Elements &weight, const InputConstant &found) {
  constexpr int64_t most = 1 << 22;
  DataType type = weight.type();
  if ((type != DataType::Float32 && type != DataType::Float64) ||
      weight.size() > most)
    return false;
  Elements wide = ops::cast(found.factors, DataType::Float64);
  if (!llvm::all_of(wide.values<double>(), isPowerOfTwo))
    return false;
  double least = type == DataType::Float32 ? 0x1p-126 : 0x1p-1022,
         largest = type == DataType::Float32 ? 0x1p127 : 0x1p1023;
  bool isDiv = StringRef(found.by) == "Div";
  Elements rounds =
      ops::zipTo<bool>(ops::cast(weight, DataType::Float64),
                       wide.expand(weight.shape()), [=](double w, double c) {
                         double size = std::fabs(isDiv ? w / c : w * c);
                         return size != 0 && !(size >= least && size < largest);
                       });
  return !ops::firstWhere<bool>(rounds, [](bool one) { return one; });
}

Value patterns::matchInputPower(const CleanUpContext &cx) {
  for (unsigned i = 0; i < numDataInputs(cx.op); ++i)
    if (auto found = findConstant(cx, i, "Mul", "Div");
        found && isSmallInteger(cx, found->x) &&
        isExact(cx.constant(found->weight), *found) && areReadOnce(cx, *found))
      return withWeight(cx, *found);
  return {};
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

/// Nothing but the input comes into the sums.
static bool readsNoPads(Operator op) {
  StringRef automatic = op.getString("auto_pad", "NOTSET");
  auto pads = op.getInts("pads");
  return automatic == "VALID" ||
         (automatic == "NOTSET" &&
          (!pads || llvm::all_of(*pads, [](int64_t pad) { return pad == 0; })));
}

/// The sums of a weight over all but its output channels.
static Value sumsOf(const CleanUpContext &cx, Value weight, int64_t rank) {
  constexpr int asInput = 13;
  bool isRows =
      cx.op.is("Conv") || (cx.op.is("Gemm") && cx.op.getInt("transB", 0) != 0);
  SmallVector<int64_t> axes;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (axis != (isRows ? 0 : 1))
      axes.push_back(axis);
  NamedAttribute drops = cx.nodes.attribute("keepdims", int64_t(0));
  if (*cx.nodes.sinceOf("ReduceSum") >= asInput)
    return cx.nodes.create("ReduceSum", {weight, cx.nodes.integers(axes)},
                           {drops});
  return cx.nodes.create("ReduceSum", {weight},
                         {cx.nodes.attribute("axes", axes), drops});
}

Value patterns::matchInputShift(const CleanUpContext &cx) {
  bool isConv = cx.op.is("Conv");
  if (isConv ? !readsNoPads(cx.op)
             : !mayMultiply(cx, cx.op.getFloat("alpha", 1)) ||
                   !mayMultiply(cx, cx.op.getFloat("beta", 1)))
    return {};
  auto found = findConstant(cx, 0, "Add", "Sub");
  Elements weight = cx.constant(1), bias = cx.constant(2);
  if (!found || !cx.nodes.sinceOf("ReduceSum") ||
      bitWidth(weight.type()) < 32 || addsToRound(found->factors))
    return {};
  int64_t outputs =
      weight.dim(isConv || cx.op.getInt("transB", 0) != 0 ? 0 : 1);
  if (cx.op.hasInput(2) && (!bias || bias.rank() != 1 ||
                            bias.size() != outputs || addsToRound(bias)))
    return {};
  if (!cx.isOnlyReader(0))
    return {};
  Value factors = cx.nodes.constant(found->factors);
  Value product = cx.nodes.create("Mul", {cx.op.input(1), factors});
  Value shift =
      times(cx, sumsOf(cx, product, weight.rank()), cx.op.getFloat("alpha", 1));
  bool isSub = StringRef(found->by) == "Sub";
  if (bias)
    shift = cx.nodes.create(
        found->by,
        {times(cx, cx.op.input(2), cx.op.getFloat("beta", 1)), shift});
  else if (isSub)
    shift = cx.nodes.create("Neg", shift);
  NamedAttrList attributes(cx.op->getAttrs());
  attributes.erase("beta");
  return cx.nodes.create(cx.op.name(), {found->x, cx.op.input(1), shift},
                         attributes.getAttrs());
}
