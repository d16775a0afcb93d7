//===- Indexing.cpp - Constant kernels of gather and scatter --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Both are computed from the row-major number of the element of the operand
// that each element of the result, or of the updates, belongs to.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/stablehlo/ir/Fields.h"
#include "onnxfold/stablehlo/support/Body.h"
#include "onnxfold/stablehlo/support/Complex.h"
#include "onnxfold/stablehlo/support/Movement.h"
#include "onnxfold/stablehlo/support/Operands.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringSwitch.h"

using namespace onnxfold;
using namespace onnxfold::hlo;
using llvm::Twine;

namespace {

/// How places of a tensor of slices (the result of gather, the updates of
/// scatter) belong to elements of the operand. The names are those of gather.
struct Places {
  Shape offsetDims, collapsed, operandBatch, indexBatch, startMap;
  int64_t indexVectorDim = 0;
  Shape sizes; // of the slices, one for each dimension of the operand
};

/// For each dimension of the operand: where a slice starts, and the offset in
/// it; both broadcast to the tensor of slices.
struct Coordinates {
  llvm::SmallVector<Elements> starts, offsets;
};

} // namespace

static ReasonOr<Places> placesOf(FoldContext &cx, llvm::StringRef attribute,
                                 llvm::ArrayRef<llvm::StringRef> names) {
  mlir::Attribute numbers = cx.operation()->getAttr(attribute);
  Places places;
  Shape *lists[] = {&places.offsetDims, &places.collapsed, &places.operandBatch,
                    &places.indexBatch, &places.startMap};
  for (auto [list, name] : llvm::zip_equal(lists, names)) {
    auto ints = intsOf(numbers, name);
    if (!ints)
      return invalid("attribute '" + attribute + "' is not readable");
    *list = *ints;
  }
  auto dim = integerOf(numbers, "index_vector_dim");
  if (!dim)
    return invalid("attribute '" + attribute + "' is not readable");
  places.indexVectorDim = *dim;
  return places;
}

/// `indices` with the dimension of its vectors last.
static ReasonOr<Elements> vectorsLast(Elements indices, const Places &p) {
  if (!isInteger(indices.type()) || p.indexVectorDim < 0 ||
      p.indexVectorDim > indices.rank())
    return invalid("the indices are not integers with 'index_vector_dim'");
  if (p.indexVectorDim == indices.rank())
    indices = indices.unsqueeze({indices.rank()});
  Shape order;
  for (int64_t d = 0; d < indices.rank(); ++d)
    if (d != p.indexVectorDim)
      order.push_back(d);
  order.push_back(p.indexVectorDim);
  indices = asIndices(indices.transpose(order));
  if (indices.dim(indices.rank() - 1) != int64_t(p.startMap.size()))
    return invalid("the indices are vectors of " +
                   Twine(indices.dim(indices.rank() - 1)) + ", expected " +
                   Twine(p.startMap.size()));
  return indices;
}

static Reason checkPlaces(const Places &p, ShapeRef operand, int64_t rank,
                          int64_t indexRank) {
  int64_t window = int64_t(operand.size()) - int64_t(p.collapsed.size()) -
                   int64_t(p.operandBatch.size());
  if (window != int64_t(p.offsetDims.size()) ||
      rank - window != indexRank - 1 || p.sizes.size() != operand.size() ||
      p.operandBatch.size() != p.indexBatch.size())
    return invalid("the dimension numbers do not fit the shapes");
  Shape dropped(p.collapsed);
  dropped.append(p.operandBatch);
  if (Reason wrong = checkDimensions(p.offsetDims, rank, "offset_dims"))
    return wrong;
  if (Reason wrong = checkDimensions(dropped, operand.size(), "collapsed"))
    return wrong;
  if (Reason wrong = checkDimensions(p.startMap, operand.size(), "index_map"))
    return wrong;
  for (size_t d = 0; d < operand.size(); ++d)
    if (p.sizes[d] < 0 || p.sizes[d] > operand[d] ||
        (llvm::is_contained(dropped, int64_t(d)) && p.sizes[d] > 1))
      return invalid("a slice of " + toString(p.sizes) + " is not inside of " +
                     toString(operand));
  return {};
}

/// `slices`: the shape of the tensor of slices.
static ReasonOr<Coordinates> coordinatesOf(const Places &p, ShapeRef operand,
                                           const Elements &given,
                                           ShapeRef slices) {
  int64_t rank = slices.size();
  ReasonOr<Elements> indices = vectorsLast(given, p);
  if (!indices)
    return indices.reason();
  int64_t last = indices->rank() - 1;
  if (Reason wrong = checkPlaces(p, operand, rank, last + 1))
    return wrong;
  Shape batchDims, spread(rank, 1);
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(p.offsetDims, d)) {
      spread[d] = slices[d];
      if (indices->dim(batchDims.size()) != slices[d])
        return invalid("the indices do not fit shape " + toString(slices));
      batchDims.push_back(d);
    }
  // A batch dimension of the indices, whose vectors have one less before them.
  auto placeOf = [&](int64_t dim) {
    return batchDims[dim > p.indexVectorDim ? dim - 1 : dim];
  };
  Coordinates coordinates;
  size_t window = 0;
  Elements zero = Elements::splat<int64_t>({}, 0);
  for (int64_t d = 0; d < int64_t(operand.size()); ++d) {
    Elements start = zero, offset = zero;
    if (auto at = llvm::find(p.startMap, d); at != p.startMap.end())
      start = indices->slice(last, at - p.startMap.begin(), 1)
                  .squeeze({last})
                  .reshape(spread);
    if (auto at = llvm::find(p.operandBatch, d); at != p.operandBatch.end()) {
      int64_t dim = p.indexBatch[at - p.operandBatch.begin()];
      if (dim < 0 || dim > last || dim == p.indexVectorDim ||
          slices[placeOf(dim)] != operand[d])
        return invalid("the batching dimensions do not fit the shapes");
      start = counterAlong(placeOf(dim), operand[d], rank);
    } else if (!llvm::is_contained(p.collapsed, d)) {
      int64_t dim = p.offsetDims[window++];
      if (slices[dim] > p.sizes[d])
        return invalid("a slice of " + toString(p.sizes) +
                       " does not fit shape " + toString(slices));
      offset = counterAlong(dim, slices[dim], rank);
    }
    coordinates.starts.push_back(start);
    coordinates.offsets.push_back(offset);
  }
  return coordinates;
}

static Elements sumOf(const Elements &a, const Elements &b) {
  return ops::zipAs<int64_t, int64_t, int64_t>(
      a, b, [](int64_t u, int64_t v) { return ops::add(u, v); });
}

static FoldResult gathered(FoldContext &cx, const ReasonOr<Shape> &sizes) {
  ReasonOr<Places> places =
      placesOf(cx, "dimension_numbers",
               {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
                "start_indices_batching_dims", "start_index_map"});
  if (!places || !sizes)
    return places ? sizes.reason() : places.reason();
  places->sizes = *sizes;
  ReasonOr<Shape> shape = resultShape(cx);
  if (!shape)
    return shape.reason();
  const Elements &x = cx.input(0);
  if (numElements(*shape) == 0)
    return zerosOf(x.type(), *shape);
  ReasonOr<Coordinates> c =
      coordinatesOf(*places, x.shape(), cx.input(1), *shape);
  if (!c)
    return c.reason();
  llvm::SmallVector<Elements> indices;
  for (auto [d, start] : llvm::enumerate(c->starts)) {
    Elements inside = ops::mapAs<int64_t, int64_t>(
        start, [most = x.dim(d) - places->sizes[d]](int64_t i) {
          return std::clamp<int64_t>(i, 0, most);
        });
    indices.push_back(sumOf(inside, c->offsets[d]));
  }
  Elements numbers = rowMajorNumbers(indices, x.shape());
  Elements flat = ops::broadcast(numbers, zerosOf(DataType::Int64, *shape))
                      .first.reshape({numElements(*shape)});
  return ops::gather(x.reshape({x.size()}), flat, 0).reshape(*shape);
}

/// Slices of x that start at the indices, moved so that they are inside.
static FoldResult foldGather(FoldContext &cx) {
  if (Reason wrong = checkCount(cx, 2))
    return wrong;
  return gathered(cx, listOf(cx, "slice_sizes", cx.input(0).rank()));
}

static FoldResult foldDynamicGather(FoldContext &cx) {
  if (Reason wrong = checkCount(cx, 3))
    return wrong;
  const Elements &sizes = cx.input(2);
  if (!isInteger(sizes.type()) || sizes.rank() != 1 ||
      sizes.dim(0) != cx.input(0).rank())
    return invalid("operand #2 is not the sizes of a slice");
  return gathered(cx, Shape(cx.intsOf(2)));
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

namespace {

/// The updates that are applied, and the elements that they are applied to.
struct Updates {
  Elements numbers; // [n], row-major numbers of elements
  Values values;    // each [n]
};

} // namespace

static Elements bothOf(const Elements &a, const Elements &b) {
  return zipBools(a, b, [](bool u, bool v) { return u && v; });
}

/// Whether a number is in [0, limit].
static Elements isWithin(const Elements &x, int64_t limit) {
  return ops::mapAs<bool, int64_t>(
      x, [limit](int64_t i) { return i >= 0 && i <= limit; });
}

/// The updates whose elements are inside. Of a slice that is partly outside the
/// specification takes a part, and XLA takes nothing.
static ReasonOr<Updates> insideOf(FoldContext &cx, const Places &places,
                                  const Coordinates &c, unsigned n) {
  const Elements &x = cx.input(0), &first = cx.input(n + 1);
  Elements isInside = Elements::splat<bool>({}, true), isWhole = isInside;
  llvm::SmallVector<Elements> indices;
  for (auto [d, start] : llvm::enumerate(c.starts)) {
    indices.push_back(sumOf(start, c.offsets[d]));
    isInside = bothOf(isInside, isWithin(indices.back(), x.dim(d) - 1));
    isWhole = bothOf(isWhole, isWithin(start, x.dim(d) - places.sizes[d]));
  }
  Elements isPartial =
      zipBools(isInside, isWhole, [](bool in, bool all) { return in && !all; });
  if (ops::firstWhere<bool>(isPartial, [](bool is) { return is; }))
    return undefined("a slice of the updates is partly outside");
  int64_t count = first.size();
  auto flat = [&](const Elements &values, DataType type) {
    return ops::broadcast(values, zerosOf(type, first.shape()))
        .first.reshape({count});
  };
  Elements kept = flat(isInside, DataType::Bool);
  Updates updates;
  updates.numbers = ops::compress(
      flat(rowMajorNumbers(indices, x.shape()), DataType::Int64), kept, 0);
  for (unsigned i = 0; i < n; ++i)
    updates.values.push_back(
        ops::compress(cx.input(n + 1 + i).reshape({count}), kept, 0));
  return updates;
}

/// x with values at the numbers of its elements; of complex numbers that are
/// added the parts are added.
static Elements scattered(const Elements &x, const Elements &numbers,
                          const Elements &values,
                          ops::ScatterReduction reduction) {
  auto of = [&](const Elements &to, const Elements &from) {
    return ops::scatterElements(to, numbers, from, 0, reduction);
  };
  if (isComplex(x.type()) && reduction == ops::ScatterReduction::Add)
    return fromParts(of(realOf(x), realOf(values)),
                     of(imagOf(x), imagOf(values)), x.type());
  return of(x, values);
}

static FoldResult applied(FoldContext &cx, const Updates &updates, unsigned n) {
  using ops::ScatterReduction;
  mlir::Region &body = bodyOf(cx);
  Values flat;
  for (unsigned i = 0; i < n; ++i)
    flat.push_back(cx.input(i).reshape({cx.input(i).size()}));
  bool isBool = flat[0].type() == DataType::Bool;
  auto kind =
      llvm::StringSwitch<std::optional<ScatterReduction>>(combinationOf(body))
          .Case("add", ScatterReduction::Add)
          .Case("multiply", ScatterReduction::Mul)
          .Case("maximum", ScatterReduction::Max)
          .Case("minimum", ScatterReduction::Min)
          .Case("and",
                isBool ? std::optional(ScatterReduction::Mul) : std::nullopt)
          .Case("or",
                isBool ? std::optional(ScatterReduction::Add) : std::nullopt)
          .Default(std::nullopt);
  const Elements &numbers = updates.numbers;
  auto finished = [&](unsigned i, const Elements &values,
                      ScatterReduction reduction) {
    Elements all = scattered(flat[i], numbers, values, reduction);
    return all ? all.reshape(cx.input(i).shape()) : all;
  };
  if (n == 1 && kind)
    if (Elements all = finished(0, updates.values[0], *kind))
      return all;
  if (numbers.size() == 0)
    return n == 1 ? FoldResult(cx.input(0))
                  : notFolded(ReasonCode::NoKernel, "no update is applied");
  if (ops::firstRepeatedElement(flat[0], numbers, 0))
    return undefined("several updates meet one element, in an order that is "
                     "left open");
  llvm::SmallVector<Elements> arguments;
  for (const Elements &x : flat)
    arguments.push_back(ops::gather(x, numbers, 0));
  arguments.append(updates.values.begin(), updates.values.end());
  ReasonOr<Values> combined = runBody(cx, body, arguments);
  if (!combined)
    return combined.reason();
  if (combined->size() != n)
    return invalid("its body has " + Twine(combined->size()) + " results");
  llvm::SmallVector<Elements, 1> results;
  for (unsigned i = 0; i < n; ++i)
    results.push_back(finished(i, (*combined)[i].expand(numbers.shape()),
                               ScatterReduction::None));
  return results;
}

/// x with slices of it combined with updates by the body.
static FoldResult foldScatter(FoldContext &cx) {
  unsigned n = cx.numInputs() / 2;
  if (cx.numInputs() != 2 * n + 1 || n == 0 ||
      cx.operation()->getNumRegions() != 1)
    return invalid("it has " + Twine(cx.numInputs()) + " operands");
  for (unsigned i = 0; i < n; ++i)
    if (cx.input(i).shape() != cx.input(0).shape() ||
        cx.input(n + 1 + i).shape() != cx.input(n + 1).shape() ||
        cx.input(i).type() != cx.input(n + 1 + i).type())
      return invalid("operand #" + Twine(i) + " does not fit its updates");
  ReasonOr<Places> places = placesOf(
      cx, "scatter_dimension_numbers",
      {"update_window_dims", "inserted_window_dims", "input_batching_dims",
       "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"});
  if (!places)
    return places.reason();
  const Elements &x = cx.input(0), &update = cx.input(n + 1);
  if (update.size() == 0 || x.size() == 0)
    return n == 1 ? FoldResult(x)
                  : notFolded(ReasonCode::NoKernel, "an operand is empty");
  size_t window = 0;
  for (int64_t d = 0; d < x.rank(); ++d) {
    bool isDropped = llvm::is_contained(places->collapsed, d) ||
                     llvm::is_contained(places->operandBatch, d);
    if (!isDropped && (window >= places->offsetDims.size() ||
                       places->offsetDims[window] < 0 ||
                       places->offsetDims[window] >= update.rank()))
      return invalid("the dimension numbers do not fit the shapes");
    places->sizes.push_back(
        isDropped ? 1 : update.dim(places->offsetDims[window++]));
  }
  ReasonOr<Coordinates> c =
      coordinatesOf(*places, x.shape(), cx.input(n), update.shape());
  if (!c)
    return c.reason();
  ReasonOr<Updates> updates = insideOf(cx, *places, *c, n);
  if (!updates)
    return updates.reason();
  return applied(cx, *updates, n);
}

namespace onnxfold::hlo {
void registerIndexing(KernelRegistry &registry) {
  registry.add("gather", {1}, foldGather);
  registry.add("dynamic_gather", {1}, foldDynamicGather);
  registry.add("scatter", {1}, foldScatter);
}
} // namespace onnxfold::hlo
