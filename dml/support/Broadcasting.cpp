//===- Broadcasting.cpp - ONNX's broadcasting in DML ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Broadcasting.h"
#include "onnxfold/dml/export/WeightFile.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::dml;

Operand dml::operandOf(LoweringContext &cx, unsigned input) {
  const Tensor &tensor = cx.input(input);
  Operand result;
  result.dims = tensor.dims;
  if (tensor.isOneElement() && tensor.constant)
    result.number = asDoubles(tensor.constant).value<double>();
  else
    result.view = cx.natural(input);
  return result;
}

static bool isOne(const Operand &operand) {
  return llvm::all_of(operand.dims, [](int64_t d) { return d == 1; });
}

/// With dimensions of 1 in front.
static Shape padded(const Shape &dims, size_t rank) {
  Shape result(rank - dims.size(), 1);
  result.append(dims.begin(), dims.end());
  return result;
}

static bool isFull(const Operand &operand, const Shape &dims) {
  return padded(operand.dims, dims.size()) == dims;
}

/// The free batch size against a fixed size is that size, or 1: a run decides.
static Operand settled(LoweringContext &cx, Operand operand,
                       const Shape &dims) {
  if (operand.dims.empty() || operand.dims.front() != batchDim)
    return operand;
  int64_t count = dims[dims.size() - operand.dims.size()];
  if (count == batchDim)
    return operand;
  Size after = sizeOf(llvm::ArrayRef<int64_t>(operand.dims).drop_front());
  View rows = cx.reshape(operand.view, sizeOf({batchDim}), after);
  operand.view = cx.local(
      "all_rows",
      View{cx.helper("repeat_one_row", {rows.expr, count}), {count}, after});
  operand.dims.front() = count;
  return operand;
}

static View naturalView(LoweringContext &cx, const View &view,
                        const Shape &dims) {
  auto [rows, columns] = naturalSizes(dims);
  return cx.reshape(view, rows, columns);
}

/// The whole of an operand as a matrix, also if it is a number.
static View matrixView(LoweringContext &cx, const Operand &operand) {
  if (operand.number)
    return {cx.filled(*operand.number, {}, {}), {}, {}};
  return operand.view;
}

static Expr asScalar(const Operand &operand) {
  return operand.number ? Expr(*operand.number)
                        : call("as.scalar", {operand.view.expr});
}

/// Where the operand, seen in the shape, is a row or a column of a matrix of
/// the first `split` dimensions as rows; 0: nowhere.
static size_t splitOf(const Shape &part, const Shape &dims, bool isRow) {
  size_t split = 0;
  if (isRow) {
    while (split < dims.size() && part[split] == 1)
      ++split;
    for (size_t i = split; i < dims.size(); ++i)
      if (part[i] != dims[i])
        return 0;
    return split;
  }
  while (split < dims.size() && part[split] == dims[split])
    ++split;
  for (size_t i = split; i < dims.size(); ++i)
    if (part[i] != 1)
      return 0;
  return split;
}

/// The axes are expanded from left to right, neighbours together.
View dml::expandTo(LoweringContext &cx, const Operand &given,
                   const Shape &dims) {
  Operand operand = settled(cx, given, dims);
  View view = matrixView(cx, operand);
  Shape now = padded(operand.dims, dims.size());
  for (size_t first = 0; first < dims.size(); ++first) {
    if (now[first] == dims[first])
      continue;
    size_t end = first;
    while (end < dims.size() && now[end] == 1)
      ++end;
    llvm::ArrayRef<int64_t> all(dims);
    Size before = sizeOf(all.take_front(first)),
         count = sizeOf(all.slice(first, end - first)),
         after = sizeOf(llvm::ArrayRef<int64_t>(now).drop_front(end));
    Size whole = before;
    whole.count *= count.count;
    whole.perBatch |= count.perBatch;
    if (before == Size{}) {
      // A sum of one product: exact for NaN and infinities.
      View row = cx.reshape(view, {}, after);
      view = {cx.filled(1, count, {}).times(row.expr), count, after};
    } else if (after == Size{}) {
      View column = cx.reshape(view, before, {});
      view = {column.expr.times(cx.filled(1, {}, count)), before, count};
    } else {
      Size columns = count;
      columns.count *= after.count;
      columns.perBatch |= after.perBatch;
      view = {cx.helper("repeat_inner", {view.expr, cx.expr(before),
                                         cx.expr(count), cx.expr(after)}),
              before, columns};
    }
    view = cx.local("expanded", view);
    for (size_t i = first; i < end; ++i)
      now[i] = dims[i];
  }
  return naturalView(cx, view, dims);
}

Expr dml::scalarOrExpanded(LoweringContext &cx, const Operand &operand,
                           const Shape &dims) {
  return isOne(operand) ? asScalar(operand) : expandTo(cx, operand, dims).expr;
}

/// `full` has the shape of the result, `part` is a row or column of it.
static std::optional<View> withPart(LoweringContext &cx, const Operand &full,
                                    const Operand &part, const Shape &dims,
                                    const BinaryFunction &f) {
  Shape partDims = padded(part.dims, dims.size());
  for (bool isRow : {true, false}) {
    size_t split = splitOf(partDims, dims, isRow);
    if (split == 0)
      continue;
    View left = cx.splitAt(full.view, dims, split);
    View right = isRow ? cx.reshape(part.view, {}, left.columns)
                       : cx.reshape(part.view, left.rows, {});
    return View{f(left.expr, right.expr), left.rows, left.columns};
  }
  return std::nullopt;
}

View dml::broadcastBinary(LoweringContext &cx, const Operand &givenA,
                          const Operand &givenB, const Shape &dims,
                          const BinaryFunction &f,
                          const BinaryFunction &swapped) {
  Operand a = settled(cx, givenA, dims), b = settled(cx, givenB, dims);
  auto [rows, columns] = naturalSizes(dims);
  bool aIsOne = isOne(a), bIsOne = isOne(b);
  if (aIsOne && bIsOne)
    return {f(cx.reshape(matrixView(cx, a), {}, {}).expr,
              b.number ? Expr(*b.number) : cx.reshape(b.view, {}, {}).expr),
            rows, columns};
  if (aIsOne && isFull(b, dims))
    return {f(asScalar(a), naturalView(cx, b.view, dims).expr), rows, columns};
  if (bIsOne && isFull(a, dims))
    return {f(naturalView(cx, a.view, dims).expr, asScalar(b)), rows, columns};
  if (isFull(a, dims) && isFull(b, dims)) {
    View left = naturalView(cx, a.view, dims);
    View right = naturalView(cx, b.view, dims);
    return {f(left.expr, right.expr), rows, columns};
  }
  if (isFull(a, dims))
    if (std::optional<View> result = withPart(cx, a, b, dims, f))
      return *result;
  if (isFull(b, dims) && swapped)
    if (std::optional<View> result = withPart(cx, b, a, dims, swapped))
      return *result;
  View left = expandTo(cx, a, dims), right = expandTo(cx, b, dims);
  return {f(left.expr, right.expr), rows, columns};
}

Lowered dml::lowerUnary(LoweringContext &cx, const UnaryFunction &f) {
  cx.define(0, f(cx.matrix(0)));
  return Lowered::done();
}

Lowered dml::lowerBinary(LoweringContext &cx, const BinaryFunction &f,
                         const BinaryFunction &swapped) {
  View result = broadcastBinary(cx, operandOf(cx, 0), operandOf(cx, 1),
                                cx.result().dims, f, swapped);
  cx.define(0, result);
  return Lowered::done();
}

Lowered dml::lowerVariadic(LoweringContext &cx, const BinaryFunction &f,
                           const UnaryFunction &finish) {
  Operand sum = operandOf(cx, 0);
  if (cx.numInputs() == 1) {
    cx.define(0, cx.matrix(0));
    return Lowered::done();
  }
  for (unsigned i = 1; i < cx.numInputs(); ++i) {
    Operand next = operandOf(cx, i);
    size_t rank = std::max(sum.dims.size(), next.dims.size());
    Shape dims = padded(sum.dims, rank), other = padded(next.dims, rank);
    for (size_t k = 0; k < rank; ++k)
      if (dims[k] == 1 || (dims[k] == batchDim && other[k] > 1))
        dims[k] = other[k];
    auto swapped = [&](const Expr &x, const Expr &y) { return f(y, x); };
    View view = broadcastBinary(cx, sum, next, dims, f, swapped);
    // Not in brackets of brackets, which are hard to read.
    if (i + 1 < cx.numInputs())
      view = cx.local("partial", view);
    sum = {view, dims, std::nullopt};
  }
  if (finish)
    sum.view.expr = finish(sum.view.expr);
  cx.define(0, sum.view);
  return Lowered::done();
}

Lowered dml::lowerExtreme(LoweringContext &cx) {
  llvm::StringRef builtin = cx.op().is("Max") ? "max" : "min";
  return lowerVariadic(cx, [=](Expr x, Expr y) {
    return call(builtin, {x, y});
  });
}

Expr dml::wrapped(LoweringContext &cx, Expr value, DataType type) {
  bool isSigned = typeClass(type) == TypeClass::Signed;
  if ((!isSigned && typeClass(type) != TypeClass::Unsigned) ||
      bitWidth(type) >= 64)
    return value;
  double range = std::ldexp(1, bitWidth(type)), low = isSigned ? range / 2 : 0;
  Expr exact = cx.local("unwrapped", value);
  Expr shifted = low == 0 ? exact : exact + low;
  return exact - call("floor", {shifted / range}) * range;
}

bool dml::hasZero(const Elements &values) {
  Elements doubles = asDoubles(values);
  Elements::Reader reader(doubles);
  const int64_t piece = std::min<int64_t>(4096, doubles.size());
  std::vector<double> block(piece);
  for (int64_t first = 0; first < doubles.size(); first += piece) {
    int64_t count = std::min(piece, doubles.size() - first);
    reader.read(first, count, block.data());
    if (std::find(block.begin(), block.begin() + count, 0.0) !=
        block.begin() + count)
      return true;
  }
  return false;
}
