//===- Products.cpp - Constant kernels of products and convolutions -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Sums of products: of floats computed in double and rounded once, of integers
// wrapping in the type of the result. The precision that an attribute asks for
// is the least that is.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/nn/Convolution.h"
#include "onnxfold/elements/ops/Contraction.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/ops/ReduceWith.h"
#include "onnxfold/stablehlo/ir/Fields.h"
#include "onnxfold/stablehlo/support/Complex.h"
#include "onnxfold/stablehlo/support/Movement.h"
#include "onnxfold/stablehlo/support/Operands.h"
#include "onnxfold/upstream/support/TensorKernels.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace onnxfold::hlo;
using llvm::Twine;

namespace {

/// The dimensions of two tensors that go together.
struct Pairs {
  Shape lhsBatch, rhsBatch, lhsSummed, rhsSummed;
};

} // namespace

static Reason checkDims(const Pairs &pairs, const Elements &x,
                        const Elements &y) {
  for (auto [dims, rank] : {std::pair(&pairs.lhsBatch, x.rank()),
                            {&pairs.lhsSummed, x.rank()},
                            {&pairs.rhsBatch, y.rank()},
                            {&pairs.rhsSummed, y.rank()}})
    if (Reason wrong = checkDimensions(*dims, rank, "dimensions"))
      return wrong;
  auto fit = [&](ShapeRef a, ShapeRef b) {
    if (a.size() != b.size())
      return false;
    for (size_t i = 0; i < a.size(); ++i)
      if (x.dim(a[i]) != y.dim(b[i]))
        return false;
    return true;
  };
  auto apart = [](ShapeRef a, ShapeRef b) {
    return llvm::none_of(a,
                         [&](int64_t d) { return llvm::is_contained(b, d); });
  };
  if (fit(pairs.lhsBatch, pairs.rhsBatch) &&
      fit(pairs.lhsSummed, pairs.rhsSummed) &&
      apart(pairs.lhsBatch, pairs.lhsSummed) &&
      apart(pairs.rhsBatch, pairs.rhsSummed))
    return {};
  return invalid("shapes " + toString(x.shape()) + " and " +
                 toString(y.shape()) + " do not fit");
}

/// Labels of the dimensions of both: batch, x alone, y alone, summed.
static std::pair<ops::Labels, ops::Labels>
labelsOf(const Pairs &pairs, int64_t xRank, int64_t yRank) {
  ops::Labels x(xRank, -1), y(yRank, -1);
  int next = 0;
  for (size_t i = 0; i < pairs.lhsBatch.size(); ++i, ++next)
    x[pairs.lhsBatch[i]] = y[pairs.rhsBatch[i]] = next;
  for (size_t i = 0; i < pairs.lhsSummed.size(); ++i, ++next)
    x[pairs.lhsSummed[i]] = y[pairs.rhsSummed[i]] = next;
  for (ops::Labels *labels : {&x, &y})
    for (int &label : *labels)
      if (label < 0)
        label = next++;
  return {x, y};
}

/// Products of complex numbers, element by element, then summed.
static Elements complexProduct(const Elements &x, const Elements &y,
                               const ops::Labels &xs, const ops::Labels &ys,
                               const ops::Labels &kept, DataType type) {
  ops::Labels all(kept);
  for (int label : xs)
    if (!llvm::is_contained(all, label))
      all.push_back(label);
  auto spread = [&](const Elements &value, const ops::Labels &labels) {
    Shape order, shape;
    for (int label : all) {
      auto found = llvm::find(labels, label);
      if (found != labels.end())
        order.push_back(found - labels.begin());
      shape.push_back(found != labels.end() ? value.dim(order.back()) : 1);
    }
    return inDouble(value).transpose(order).reshape(shape);
  };
  Elements products = ops::zipAs<Complex, Complex, Complex>(
      spread(x, xs), spread(y, ys), hlo::product);
  Shape axes;
  for (size_t d = kept.size(); d < all.size(); ++d)
    axes.push_back(d);
  return ops::cast(ops::reduceWith<Complex>(products, axes, false, Complex(),
                                            std::plus<Complex>()),
                   type);
}

/// Whether the types are all of floats, of integers, or of bools, where a sum
/// other than 0 is true.
static bool haveSums(DataType x, DataType y, DataType result) {
  auto isBool = [](DataType type) { return type == DataType::Bool; };
  return (isFloat(x) && isFloat(y) && isFloat(result)) ||
         (isInteger(x) && isInteger(y) && isInteger(result)) ||
         (isBool(x) && isBool(y) && isBool(result));
}

/// The result has the batch dimensions, those of x alone, those of y alone.
static FoldResult product(FoldContext &cx, const Pairs &pairs) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (Reason wrong = checkDims(pairs, x, y))
    return wrong;
  auto [xs, ys] = labelsOf(pairs, x.rank(), y.rank());
  ops::Labels kept;
  double terms = 1;
  for (int64_t d : pairs.lhsBatch)
    kept.push_back(xs[d]);
  for (int64_t d = 0; d < x.rank(); ++d)
    if (!llvm::is_contained(ys, xs[d]))
      kept.push_back(xs[d]);
  for (int64_t d = 0; d < y.rank(); ++d) {
    if (llvm::is_contained(xs, ys[d]))
      continue;
    kept.push_back(ys[d]);
    terms *= double(y.dim(d));
  }
  if (Reason much = cx.checkWork(double(x.size()) * terms))
    return much;
  DataType type = cx.resultType();
  if (isComplex(type) && x.type() == type && y.type() == type)
    return complexProduct(x, y, xs, ys, kept, type);
  if (!haveSums(x.type(), y.type(), type))
    return Elements();
  // Floats are multiplied in their own type, or in one that holds their values.
  DataType in = isFloat(type)      ? DataType::Float64
                : isUnsigned(type) ? DataType::UInt64
                                   : DataType::Int64;
  ops::Labelled sums =
      ops::contract({ops::cast(x, in), xs}, {ops::cast(y, in), ys}, kept);
  Elements result = ops::arranged(sums, kept);
  return ops::cast(result, type, {.saturate = false});
}

/// Whether an algorithm multiplies the operands once and as they are, and sums
/// in f32 or f64: it may not be less precise than what is computed here.
/// Others round the operands, which XLA for the CPU does not.
static bool isPlain(mlir::Operation *op, mlir::Attribute algorithm) {
  auto isTypeOf = [&](unsigned operand, llvm::StringRef field) {
    std::string type;
    llvm::raw_string_ostream(type)
        << mlir::getElementTypeOrSelf(op->getOperand(operand));
    return fieldOf(algorithm, field) == type;
  };
  auto isOne = [&](llvm::StringRef field) {
    return integerOf(algorithm, field) == 1;
  };
  llvm::StringRef sums = fieldOf(algorithm, "accumulation_type");
  return isTypeOf(0, "lhs_precision_type") &&
         isTypeOf(1, "rhs_precision_type") &&
         (sums == "f32" || sums == "f64") && isOne("lhs_component_count") &&
         isOne("rhs_component_count") && isOne("num_primitive_operations");
}

static FoldResult foldDotGeneral(FoldContext &cx) {
  if (Reason wrong = checkCount(cx, 2))
    return wrong;
  mlir::Attribute algorithm = cx.operation()->getAttr("algorithm");
  if (algorithm && !isPlain(cx.operation(), algorithm))
    return notFolded(ReasonCode::UnsupportedType,
                     "its algorithm is given by an attribute");
  mlir::Attribute numbers = cx.operation()->getAttr("dot_dimension_numbers");
  auto a = intsOf(numbers, "lhs_batching_dimensions");
  auto b = intsOf(numbers, "rhs_batching_dimensions");
  auto c = intsOf(numbers, "lhs_contracting_dimensions");
  auto d = intsOf(numbers, "rhs_contracting_dimensions");
  if (!a || !b || !c || !d)
    return invalid("attribute 'dot_dimension_numbers' is not readable");
  return product(cx, {*a, *b, *c, *d});
}

/// Sums over the last dimension of the first operand and the first of the
/// second.
static FoldResult foldDot(FoldContext &cx) {
  if (Reason wrong = checkCount(cx, 2))
    return wrong;
  if (cx.input(0).rank() == 0 || cx.input(1).rank() == 0)
    return invalid("an operand has rank 0");
  return product(cx, {{}, {}, {cx.input(0).rank() - 1}, {0}});
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {

struct Convolution {
  Shape input, kernel, output; // batch, feature, spatial; kernel: in, out, ...
  Shape strides, low, high, lhsDilation, rhsDilation, reversal;
  int64_t featureGroups = 1, batchGroups = 1;
  Shape sums; // batch, feature, spatial of the result; may be of no elements
};

} // namespace

/// Of each spatial dimension before and behind, from an attribute or, for
/// dynamic_conv, from the third operand.
static ReasonOr<Shape> paddingOf(FoldContext &cx, int64_t spatial) {
  if (cx.numInputs() < 3)
    return listOf(cx, "padding", 2 * spatial, 0);
  const Elements &pads = cx.input(2);
  if (isInteger(pads.type()) && pads.shape() == ShapeRef({spatial, 2}))
    return Shape(cx.intsOf(2));
  return invalid("operand #2 is not a pair of integers for each of " +
                 Twine(spatial) + " dimensions");
}

/// The size of dimension d of the image where its elements are spread and it
/// is padded, which may be negative; none where it is no 64-bit integer.
static std::optional<int64_t> paddedSize(const Convolution &c, size_t d,
                                         int64_t size) {
  if (size > 0 && (llvm::MulOverflow(size - 1, c.lhsDilation[d], size) ||
                   llvm::AddOverflow<int64_t>(size, 1, size)))
    return std::nullopt;
  if (llvm::AddOverflow(size, c.low[d], size) ||
      llvm::AddOverflow(size, c.high[d], size))
    return std::nullopt;
  return size;
}

/// The shape of the sums, of operands that may be empty.
static ReasonOr<Shape> sumsShape(const Convolution &c, ShapeRef lhs,
                                 ShapeRef rhs) {
  int64_t features = lhs[c.input[1]], filters = rhs[c.kernel[1]];
  int64_t groups = c.featureGroups * c.batchGroups; // one of them is 1
  if (lhs[c.input[0]] % c.batchGroups != 0)
    return invalid("'batch_group_count' does not divide the batch");
  if (features % c.featureGroups != 0 || filters % groups != 0 ||
      features / c.featureGroups != rhs[c.kernel[0]])
    return invalid("the shapes do not fit: " + toString(lhs) + " and " +
                   toString(rhs));
  Shape shape = {lhs[c.input[0]] / c.batchGroups, filters};
  for (size_t d = 0; d < c.strides.size(); ++d) {
    auto image = paddedSize(c, d, lhs[c.input[d + 2]]);
    int64_t window = rhs[c.kernel[d + 2]];
    if (!image || window < 1)
      return invalid("no windows of " + toString(rhs) + " are in " +
                     toString(lhs) + " with the padding " + toString(c.low) +
                     " and " + toString(c.high));
    shape.push_back(
        numPositions(*image, window, c.rhsDilation[d], c.strides[d]));
  }
  return shape;
}

static ReasonOr<Convolution> convolutionOf(FoldContext &cx) {
  auto layout =
      hlo::convolutionOf(cx.operation()->getAttr("dimension_numbers"));
  int64_t rank = cx.input(0).rank(), spatial = rank - 2;
  if (!layout || cx.input(1).rank() != rank || spatial < 0)
    return invalid("attribute 'dimension_numbers' is not readable");
  Convolution c;
  c.input = (*layout)[0], c.kernel = (*layout)[1], c.output = (*layout)[2];
  for (const Shape &dims : {c.input, c.kernel, c.output})
    if (!isPermutation(dims, rank))
      return invalid("attribute 'dimension_numbers' is not of " + Twine(rank) +
                     " dimensions");
  ReasonOr<Shape> strides = listOf(cx, "window_strides", spatial, 1);
  ReasonOr<Shape> lhs = listOf(cx, "lhs_dilation", spatial, 1);
  ReasonOr<Shape> rhs = listOf(cx, "rhs_dilation", spatial, 1);
  ReasonOr<Shape> reversal = listOf(cx, "window_reversal", spatial, 0);
  ReasonOr<Shape> pads = paddingOf(cx, spatial);
  for (const ReasonOr<Shape> *list : {&strides, &lhs, &rhs, &reversal, &pads})
    if (!*list)
      return list->reason();
  c.strides = *strides, c.lhsDilation = *lhs, c.rhsDilation = *rhs;
  c.reversal = *reversal;
  for (int64_t d = 0; d < spatial; ++d) {
    c.low.push_back((*pads)[2 * d]);
    c.high.push_back((*pads)[2 * d + 1]);
    if (c.strides[d] < 1 || c.lhsDilation[d] < 1 || c.rhsDilation[d] < 1)
      return invalid("a stride or dilation is not positive");
  }
  c.featureGroups = cx.integer("feature_group_count").value_or(1);
  c.batchGroups = cx.integer("batch_group_count").value_or(1);
  if (c.featureGroups < 1 || c.batchGroups < 1 ||
      (c.featureGroups > 1 && c.batchGroups > 1))
    return invalid("the counts of groups are " + Twine(c.featureGroups) +
                   " and " + Twine(c.batchGroups));
  ReasonOr<Shape> sums = sumsShape(c, cx.input(0).shape(), cx.input(1).shape());
  if (!sums)
    return sums.reason();
  c.sums = *sums;
  return c;
}

/// Groups of batches as groups of features: [g n, c, ...] as [n, g c, ...].
static Elements batchesAsFeatures(const Elements &x, int64_t groups) {
  Shape split = {groups, x.dim(0) / groups}, order = {1, 0}, joined;
  for (int64_t d = 1; d < x.rank(); ++d) {
    split.push_back(x.dim(d));
    order.push_back(d + 1);
  }
  joined = {x.dim(0) / groups, groups * x.dim(1)};
  joined.append(x.shape().begin() + 2, x.shape().end());
  return x.reshape(split).transpose(order).reshape(joined);
}

/// Sums of integers are exact in double up to 2^53.
static Reason checkExact(const Elements &x, const Elements &w, double terms) {
  auto largest = [](const Elements &values) {
    Elements sizes = ops::map(values, [](double a) { return std::fabs(a); });
    Shape axes;
    for (int64_t d = 0; d < sizes.rank(); ++d)
      axes.push_back(d);
    return sizes.size() == 0
               ? 0.0
               : ops::reduce(sizes, axes, false, ops::Reduction::Max)
                     .value<double>();
  };
  if (largest(x) * largest(w) * terms < 0x1p53)
    return {};
  return notFolded(ReasonCode::WorkLimit,
                   "its sums may be beyond 2^53, which double does not hold");
}

/// x [n, c, ...] and w [o, c / groups, ...], both f64 and dilated as they are.
static FoldResult convolved(FoldContext &cx, Elements x, Elements w,
                            const Convolution &c, bool isExact) {
  bool isFlat = x.rank() == 2; // no dimension to slide along
  if (isFlat)
    x = x.unsqueeze({2}), w = w.unsqueeze({2});
  ops::SlidingWindows windows;
  windows.image.assign(x.shape().begin() + 2, x.shape().end());
  windows.kernel.assign(w.shape().begin() + 2, w.shape().end());
  windows.strides = isFlat ? Shape{1} : c.strides;
  windows.dilations = isFlat ? Shape{1} : c.rhsDilation;
  windows.padsBegin = windows.padsEnd = Shape(windows.rank(), 0);
  windows.positions =
      isFlat ? Shape{1} : Shape(c.sums.begin() + 2, c.sums.end());
  double taps = double(w.dim(1)) * double(numElements(windows.kernel));
  double places = 1;
  for (int64_t size : c.sums)
    places *= double(size);
  if (Reason much = cx.checkWork(places * taps))
    return much;
  if (!isExact)
    if (Reason large = checkExact(x, w, taps))
      return large;
  Elements y = ops::convolve(x, w, windows, c.featureGroups * c.batchGroups);
  return isFlat ? y.squeeze({2}) : y;
}

/// Sums in f64 of numbers of any real type.
static FoldResult realConvolution(FoldContext &cx, const Convolution &c,
                                  const Elements &lhs, const Elements &rhs) {
  bool isExact = isFloat(lhs.type());
  Elements x = ops::cast(lhs, DataType::Float64).transpose(c.input);
  // Kernels in StableHLO are [in, out, ...].
  Shape order(c.kernel);
  std::swap(order[0], order[1]);
  Elements w = ops::cast(rhs, DataType::Float64).transpose(order);
  Shape starts(w.rank(), 0), steps(w.rank(), 1);
  Padding pads{{0, 0}, {0, 0}, {0, 0}};
  for (int64_t d = 2; d < w.rank(); ++d) {
    if (c.reversal[d - 2])
      starts[d] = w.dim(d) - 1, steps[d] = -1;
    pads.low.push_back(c.low[d - 2]);
    pads.high.push_back(c.high[d - 2]);
    pads.interior.push_back(c.lhsDilation[d - 2] - 1);
  }
  w = w.slice(starts, w.shape(), steps);
  FoldResult wide = padded(cx, x, Elements::splat<double>({}, 0), pads);
  if (!wide)
    return wide;
  x = wide.values()[0].tensor;
  if (c.batchGroups > 1)
    x = batchesAsFeatures(x, c.batchGroups);
  FoldResult result = convolved(cx, x, w, c, isExact);
  if (!result)
    return result;
  // The result is [n, o, ...]; dimension output[k] of the type is its k-th.
  return result.values()[0].tensor.transpose(upstream::inverseOf(c.output));
}

/// (a + ib) (c + id) = ac - bd + i (ad + bc), of sums.
static FoldResult complexConvolution(FoldContext &cx, const Convolution &c) {
  Elements sums[2][2];
  for (int i : {0, 1})
    for (int k : {0, 1}) {
      Elements lhs = i ? imagOf(cx.input(0)) : realOf(cx.input(0));
      Elements rhs = k ? imagOf(cx.input(1)) : realOf(cx.input(1));
      FoldResult part = realConvolution(cx, c, lhs, rhs);
      if (!part)
        return part;
      sums[i][k] = part.values()[0].tensor;
    }
  auto subtract = [](double a, double b) { return a - b; };
  auto add = [](double a, double b) { return a + b; };
  using ops::zipAs;
  return fromParts(
      zipAs<double, double, double>(sums[0][0], sums[1][1], subtract),
      zipAs<double, double, double>(sums[0][1], sums[1][0], add),
      cx.resultType());
}

static FoldResult convolution(FoldContext &cx, const Convolution &c) {
  DataType type = cx.resultType();
  const Elements &lhs = cx.input(0), &rhs = cx.input(1);
  bool isOfComplex =
      isComplex(type) && lhs.type() == type && rhs.type() == type;
  if (!isOfComplex && !haveSums(lhs.type(), rhs.type(), type))
    return Elements();
  // A sum of nothing is 0.
  if (lhs.size() == 0 || rhs.size() == 0 || llvm::is_contained(c.sums, 0)) {
    if (Reason large = cx.checkResult(type, c.sums))
      return large;
    return zerosOf(type, c.sums).transpose(upstream::inverseOf(c.output));
  }
  if (isOfComplex)
    return complexConvolution(cx, c);
  FoldResult sums = realConvolution(cx, c, lhs, rhs);
  if (!sums)
    return sums;
  const Elements &y = sums.values()[0].tensor;
  return isInteger(type) ? ops::cast(ops::cast(y, DataType::Int64), type)
                         : ops::cast(y, type, {.saturate = false});
}

/// Any number of spatial dimensions, layouts, groups, dilations.
static FoldResult foldConvolution(FoldContext &cx) {
  ReasonOr<Convolution> c = convolutionOf(cx);
  return c ? convolution(cx, *c) : FoldResult(c.reason());
}

namespace onnxfold::hlo {
void registerProducts(KernelRegistry &registry) {
  registry.add("dot_general", {1}, foldDotGeneral);
  registry.add("dot", {1}, foldDot);
  registry.add("convolution", {1}, counted<foldConvolution, 2>);
  registry.add("dynamic_conv", {1}, counted<foldConvolution, 3>);
}
} // namespace onnxfold::hlo
