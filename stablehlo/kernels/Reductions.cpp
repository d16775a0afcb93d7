//===- Reductions.cpp - Constant kernels of reductions and maps -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Bodies of one operation are reductions of the library: sums and products of
// f32 and narrower are computed in double. Other bodies combine pairs of
// elements, in order, in a tree. StableHLO leaves the tree to implementations.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/stablehlo/support/Body.h"
#include "onnxfold/stablehlo/support/Complex.h"
#include "onnxfold/stablehlo/support/Movement.h"
#include "onnxfold/stablehlo/support/Operands.h"
#include "onnxfold/upstream/support/TensorKernels.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringSwitch.h"

using namespace onnxfold;
using namespace onnxfold::hlo;
using llvm::Twine;

/// The reduction that a body is, where its results are the body's. Of floats
/// the larger of two zeros depends on their signs.
static std::optional<ops::Reduction> reductionOf(mlir::Region &body,
                                                 DataType type) {
  using ops::Reduction;
  bool isReal = isFloat(type), isBool = type == DataType::Bool;
  auto kind =
      llvm::StringSwitch<std::optional<Reduction>>(combinationOf(body))
          .Case("add", isBool ? Reduction::Or : Reduction::Sum)
          .Case("multiply", isBool ? Reduction::And : Reduction::Product)
          .Case("and", Reduction::And)
          .Case("or", Reduction::Or)
          .Case("xor", Reduction::Xor)
          .Case("maximum", Reduction::Max)
          .Case("minimum", Reduction::Min)
          .Default(std::nullopt);
  bool isExtreme = kind == Reduction::Max || kind == Reduction::Min;
  return isExtreme && isReal ? std::nullopt : kind;
}

/// Sums and products of floats of 8 bits: the sum of 24 numbers may be a quarter
/// larger in another order.
static bool dependsOnOrder(FoldContext &cx) {
  auto isSmall = [&](unsigned i) {
    return typeClass(cx.input(i).type()) == TypeClass::SmallFloat;
  };
  auto rounds = [](mlir::Operation &op) {
    llvm::StringRef name = op.getName().getStringRef();
    return name == "stablehlo.add" || name == "stablehlo.multiply";
  };
  mlir::Region &body = bodyOf(cx);
  return llvm::any_of(llvm::seq(cx.numInputs()), isSmall) && !body.empty() &&
         llvm::any_of(body.front(), rounds);
}

/// Values and their first values, as many of each, checked against each other.
static Reason checkPairs(FoldContext &cx) {
  unsigned n = cx.numInputs() / 2;
  if (cx.numInputs() != 2 * n || n == 0 || cx.operation()->getNumRegions() != 1)
    return invalid("it has " + Twine(cx.numInputs()) + " operands and " +
                   Twine(cx.operation()->getNumRegions()) + " bodies");
  for (unsigned i = 0; i < n; ++i)
    if (cx.input(i).shape() != cx.input(0).shape() ||
        cx.input(n + i).size() != 1 ||
        cx.input(n + i).type() != cx.input(i).type())
      return invalid("operand #" + Twine(i) +
                     " does not fit the others, or has no first value");
  if (dependsOnOrder(cx))
    return undefined("sums of " + name(cx.input(0).type()) +
                     " depend on their order, which is left open");
  return {};
}

static Values firstValues(FoldContext &cx) {
  Values inits;
  for (unsigned i = cx.numInputs() / 2; i < cx.numInputs(); ++i)
    inits.push_back(cx.input(i).reshape({}));
  return inits;
}

/// The results where there is nothing to combine.
static FoldResult expanded(const Values &inits, ShapeRef shape) {
  llvm::SmallVector<Elements, 1> values;
  for (const Elements &init : inits)
    values.push_back(init.expand(shape));
  return values;
}

/// The first values combined with `values`, each of `shape`.
static FoldResult withFirst(FoldContext &cx, const Values &inits,
                            const Values &values, ShapeRef shape) {
  Values arguments(inits);
  arguments.append(values.begin(), values.end());
  ReasonOr<Values> results = runBody(cx, bodyOf(cx), arguments);
  if (!results)
    return results.reason();
  llvm::SmallVector<Elements, 1> all;
  for (const Elements &x : *results)
    all.push_back(x.expand(shape));
  return all;
}

/// The elements of `dims` combined with each other and the first value.
static FoldResult foldReduce(FoldContext &cx) {
  if (Reason wrong = checkPairs(cx))
    return wrong;
  const Elements &x = cx.input(0);
  ReasonOr<Shape> dims = listOf(cx, "dimensions", -1);
  if (!dims)
    return dims.reason();
  if (Reason wrong = checkDimensions(*dims, x.rank(), "dimensions"))
    return wrong;
  llvm::sort(*dims);
  Shape shape = reducedShape(x.shape(), *dims, /*keepDims=*/false);
  Values inits = firstValues(cx);
  if (x.size() == 0)
    return expanded(inits, shape);
  if (inits.size() == 1)
    if (auto kind = reductionOf(bodyOf(cx), x.type()))
      if (Elements reduced = ops::reduce(x, *dims, /*keepDims=*/false, *kind);
          reduced && !dims->empty())
        return withFirst(cx, inits, {reduced}, shape);
  if (Reason much = cx.checkWork(double(x.size()), unitsOfComposite))
    return much;
  Values values;
  Shape first = upstream::permutationTo(*dims, x.rank()), flat(shape);
  flat.insert(flat.begin(), shape.empty() || numElements(shape) != 0
                                ? x.size() / numElements(shape)
                                : 0);
  for (unsigned i = 0; i < inits.size(); ++i)
    values.push_back(cx.input(i).transpose(first).reshape(flat));
  ReasonOr<Values> combined = combineFirst(cx, bodyOf(cx), values);
  if (!combined)
    return combined.reason();
  for (Elements &value : *combined)
    value = value.reshape(shape);
  return withFirst(cx, inits, *combined, shape);
}

/// The body for the elements of all inputs at each place.
static FoldResult foldMap(FoldContext &cx) {
  if (cx.operation()->getNumRegions() != 1 || cx.numInputs() == 0)
    return invalid("it has no body or no operands");
  llvm::SmallVector<Elements> arguments;
  for (unsigned i = 0; i < cx.numInputs(); ++i) {
    if (cx.input(i).shape() != cx.input(0).shape())
      return invalid("operand #" + Twine(i) + " has another shape");
    arguments.push_back(cx.input(i));
  }
  ReasonOr<Values> results = runBody(cx, bodyOf(cx), arguments);
  if (!results)
    return results.reason();
  if (results->size() != 1)
    return invalid("its body has " + Twine(results->size()) + " results");
  return (*results)[0].expand(cx.input(0).shape());
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

namespace {

/// The windows of reduce_window, one entry for each dimension.
struct Windows {
  Shape sizes, strides, baseDilations, dilations;
  Padding padding; // the dilation of the base is its interior
};

} // namespace

static ReasonOr<Windows> windowsOf(FoldContext &cx, int64_t rank) {
  ReasonOr<Shape> sizes = listOf(cx, "window_dimensions", rank);
  ReasonOr<Shape> strides = listOf(cx, "window_strides", rank, 1);
  ReasonOr<Shape> base = listOf(cx, "base_dilations", rank, 1);
  ReasonOr<Shape> dilations = listOf(cx, "window_dilations", rank, 1);
  ReasonOr<Shape> pads = listOf(cx, "padding", 2 * rank, 0);
  for (const ReasonOr<Shape> *list :
       {&sizes, &strides, &base, &dilations, &pads})
    if (!*list)
      return list->reason();
  Windows windows{*sizes, *strides, *base, *dilations, {}};
  for (int64_t d = 0; d < rank; ++d) {
    if (windows.sizes[d] < 1 || windows.strides[d] < 1 ||
        windows.baseDilations[d] < 1 || windows.dilations[d] < 1)
      return invalid("a size, stride or dilation of its windows is not "
                     "positive");
    windows.padding.low.push_back((*pads)[2 * d]);
    windows.padding.high.push_back((*pads)[2 * d + 1]);
    windows.padding.interior.push_back(windows.baseDilations[d] - 1);
  }
  return windows;
}

static int64_t positionsOf(const Windows &w, size_t d, int64_t size) {
  return numPositions(size, w.sizes[d], w.dilations[d], w.strides[d]);
}

/// x with the elements of the windows along dimension d combined: those of each
/// tap are a slice of it.
static ReasonOr<Values> combineWindows(FoldContext &cx, const Windows &w,
                                       size_t d, const Values &values) {
  int64_t positions = positionsOf(w, d, values[0].dim(d));
  auto tapOf = [&](const Elements &x, int64_t tap) {
    Shape starts(x.rank(), 0), sizes(x.shape()), steps(x.rank(), 1);
    starts[d] = tap * w.dilations[d];
    sizes[d] = positions;
    steps[d] = w.strides[d];
    return x.slice(starts, sizes, steps);
  };
  Values all;
  for (const Elements &x : values) {
    std::vector<Elements> taps;
    taps.reserve(w.sizes[d]);
    for (int64_t tap = 0; tap < w.sizes[d]; ++tap)
      taps.push_back(tapOf(x, tap).unsqueeze({0}));
    all.push_back(ops::concat(taps, 0));
  }
  ReasonOr<Values> combined = combineFirst(cx, bodyOf(cx), all);
  if (!combined)
    return combined;
  for (Elements &value : *combined)
    value = value.squeeze({0});
  return combined;
}

/// Where two tensors of one type have different numbers.
static Elements differences(const Elements &x, const Elements &y) {
  auto differ = [](auto a, auto b) { return a != b && (a == a || b == b); };
  if (x.type() == DataType::Bool)
    return zipBools(x, y, differ);
  if (isComplex(x.type()))
    return ops::zipAs<bool, Complex, Complex>(inDouble(x), inDouble(y), differ);
  return ops::zipTo<bool>(computable(x), computable(y), differ);
}

/// Implementations differ in whether the padding is combined with the elements:
/// it must make no difference.
static Reason checkNeutral(FoldContext &cx, const Values &inits) {
  Values arguments(inits);
  for (unsigned i = 0; i < inits.size(); ++i)
    arguments.push_back(cx.input(i));
  ReasonOr<Values> combined = runBody(cx, bodyOf(cx), arguments);
  if (!combined)
    return combined.reason();
  if (combined->size() != inits.size())
    return invalid("its body has " + Twine(combined->size()) + " results");
  for (auto [i, made] : llvm::enumerate(*combined)) {
    const Elements &x = cx.input(i);
    Elements differs = differences(x, made);
    if (!differs || ops::firstWhere<bool>(differs, [](bool is) { return is; }))
      return undefined("its windows are padded, and the first value is not "
                       "neutral");
  }
  return {};
}

/// The elements of each window combined with each other and the first value:
/// along one dimension after the other, from the last one, which keeps their
/// order.
static FoldResult foldReduceWindow(FoldContext &cx) {
  if (Reason wrong = checkPairs(cx))
    return wrong;
  int64_t rank = cx.input(0).rank();
  ReasonOr<Windows> windows = windowsOf(cx, rank);
  if (!windows)
    return windows.reason();
  auto isZero = [](int64_t n) { return n == 0; };
  const Padding &pads = windows->padding;
  Values inits = firstValues(cx), values;
  if (!llvm::all_of(pads.low, isZero) || !llvm::all_of(pads.high, isZero) ||
      !llvm::all_of(pads.interior, isZero))
    if (Reason open = checkNeutral(cx, inits))
      return open;
  for (unsigned i = 0; i < inits.size(); ++i) {
    FoldResult wide = padded(cx, cx.input(i), inits[i], pads);
    if (!wide)
      return wide;
    values.push_back(wide.values()[0].tensor);
  }
  Shape shape;
  double work = double(values[0].size());
  for (int64_t d = 0; d < rank; ++d)
    shape.push_back(positionsOf(*windows, d, values[0].dim(d)));
  for (int64_t size : windows->sizes)
    if (Reason much = cx.checkWork(work * double(size), unitsOfComposite))
      return much;
  if (numElements(shape) == 0) // no window fits
    return expanded(inits, shape);
  for (size_t d = rank; d-- > 0;) {
    if (windows->sizes[d] == 1 && windows->strides[d] == 1)
      continue;
    // The taps of one dimension are in memory together.
    if (Reason large = cx.checkResult(values[0].type(),
                                      {windows->sizes[d], values[0].size()}))
      return large;
    ReasonOr<Values> combined = combineWindows(cx, *windows, d, values);
    if (!combined)
      return combined.reason();
    values = *combined;
  }
  return withFirst(cx, inits, values, shape);
}

namespace onnxfold::hlo {
void registerReductions(KernelRegistry &registry) {
  registry.add("reduce", {1}, foldReduce);
  registry.add("reduce_window", {1}, foldReduceWindow);
  registry.add("map", {1}, foldMap);
}
} // namespace onnxfold::hlo
