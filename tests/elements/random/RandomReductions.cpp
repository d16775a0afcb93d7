//===- RandomReductions.cpp - Reductions, running sums, softmax -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Sums are taken in long double, in the order of the elements. Results must lie
// within the error that sums in double may have: 2^-53 of the sum of magnitudes
// for each addition on the longest path.
//
//===----------------------------------------------------------------------===//

#include "RandomCase.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "llvm/ADT/STLExtras.h"
#include <cfloat>

using namespace onnxfold;
using namespace onnxfold::ops;

static constexpr const char *reductionNames[] = {
    "sum", "product", "min",       "max", "mean", "sumSquare", "L1",
    "L2",  "logSum",  "logSumExp", "and", "or",   "xor"};

static bool isLogical(Reduction kind) {
  return kind == Reduction::And || kind == Reduction::Or ||
         kind == Reduction::Xor;
}

//===----------------------------------------------------------------------===//
// One result
//===----------------------------------------------------------------------===//

/// The sum of `values`, which may be infinite or NaN.
static Bound sumOf(llvm::ArrayRef<long double> values) {
  long double sum = 0, magnitude = 0;
  for (long double v : values) {
    sum += v;
    if (std::isfinite(v))
      magnitude += std::fabs(v);
  }
  if (magnitude > DBL_MAX / 2)
    return {sum, NAN}; // doubles may overflow on the way
  if (!std::isfinite(sum))
    return {sum, 0};
  return {sum, (values.size() + 2) * 0x1p-53L * magnitude};
}

static Bound productOf(llvm::ArrayRef<long double> values) {
  long double product = 1, largest = 1, smallest = 1;
  for (long double v : values) {
    product *= v;
    // In any order the factors above 1 may come first, or those below.
    if (std::fabs(v) > 1)
      largest *= std::fabs(v);
    else if (v != 0)
      smallest *= std::fabs(v);
  }
  // What underflows on the way is lost.
  long double slack =
      (values.size() + 1) * 0x1p-53L * std::fabs(product) + 0x1p-1074L;
  if (!std::isfinite(product))
    slack = 0;
  if (largest > DBL_MAX || smallest < DBL_MIN)
    slack = NAN;
  return {product, slack};
}

static Bound logOf(Bound x) {
  long double result = logl(x.exact);
  if (std::isnan(x.slack) || x.slack == 0 || x.exact + x.slack < 0)
    return {result, std::isfinite(result)
                        ? x.slack + std::fabs(result) * 0x1p-51L
                        : x.slack * 0};
  if (x.slack >= x.exact / 2)
    return {result, NAN}; // the sum may be 0 or have either sign
  return {result, 2 * x.slack / x.exact + std::fabs(result) * 0x1p-51L};
}

static Bound logSumExpOf(llvm::ArrayRef<long double> values) {
  long double top = -INFINITY, sum = 0, error = 0;
  for (long double v : values)
    top = std::isnan(v) ? v : std::max(top, v);
  if (!std::isfinite(top))
    return {top, 0};
  for (long double v : values)
    if (std::isnan(v))
      return {NAN, 0};
  for (long double v : values) {
    long double term = expl(v - top);
    sum += term;
    // The difference is rounded before it is an exponent.
    if (term > 0)
      error += term * (std::fabs(v - top) * 0x1p-52L + 0x1p-51L);
  }
  error += values.size() * 0x1p-52L * sum;
  long double result = logl(sum) + top;
  return {result, 2 * error / sum +
                      (std::fabs(logl(sum)) + std::fabs(result)) * 0x1p-51L +
                      0x1p-1060L};
}

/// Of floats; min and max are exact.
static Bound floatReduction(Reduction kind, std::vector<long double> values) {
  long double count = values.size();
  switch (kind) {
  case Reduction::Product:
    return productOf(values);
  case Reduction::Min:
  case Reduction::Max: {
    bool isMin = kind == Reduction::Min;
    long double best = isMin ? INFINITY : -INFINITY;
    for (long double v : values)
      if (std::isnan(v) || (isMin ? v < best : v > best))
        best = std::isnan(best) ? best : v;
    return {best, 0};
  }
  case Reduction::LogSumExp:
    return logSumExpOf(values);
  case Reduction::SumSquare:
  case Reduction::L2:
    for (long double &v : values)
      v *= v;
    break;
  case Reduction::L1:
    for (long double &v : values)
      v = std::fabs(v);
    break;
  default:
    break;
  }
  Bound sum = sumOf(values);
  if (kind == Reduction::Mean)
    return {sum.exact / count, sum.slack / count +
                                   std::fabs(sum.exact / count) * 0x1p-53L +
                                   0x1p-1074L};
  if (kind == Reduction::LogSum)
    return logOf(sum);
  if (kind == Reduction::SumSquare) // squares may be subnormal in double
    return {sum.exact, sum.slack + count * 0x1p-1074L};
  if (kind == Reduction::L2) {
    long double root = sqrtl(sum.exact);
    // Squares below the range of double vanish.
    if (sum.exact < 0x1p-960L && root != 0)
      return {root, NAN};
    return {root, (root == 0 || !std::isfinite(root))
                      ? sum.slack
                      : sum.slack / root + root * 0x1p-52L};
  }
  return sum;
}

/// Of integers and bools, in their type.
static Cell integerReduction(DataType type, Reduction kind,
                             llvm::ArrayRef<Cell> values) {
  bool isBool = type == DataType::Bool;
  unsigned bits = isBool ? 1 : bitWidth(type);
  Integer lowest = isSigned(type) ? -(Integer(1) << (bits - 1)) : 0;
  Integer highest = (Integer(1) << (bits - isSigned(type))) - 1;
  Integer acc = kind == Reduction::Product ? 1
                : kind == Reduction::And   ? ~Integer(0)
                : kind == Reduction::Min   ? highest
                : kind == Reduction::Max   ? lowest
                                           : 0;
  for (const Cell &cell : values) {
    Integer v = integerOf(type, cell);
    if (kind == Reduction::Min)
      acc = std::min(acc, v);
    else if (kind == Reduction::Max)
      acc = std::max(acc, v);
    else if (isLogical(kind))
      acc = kind == Reduction::And  ? acc & v
            : kind == Reduction::Or ? acc | v
                                    : acc ^ v;
    else if (kind == Reduction::Product)
      acc = Integer((unsigned __int128)acc * (unsigned __int128)v);
    else if (kind == Reduction::SumSquare)
      acc += Integer((unsigned __int128)v * (unsigned __int128)v);
    else if (kind == Reduction::L1)
      acc += integerOf(type, integerCell(type, v < 0 ? -v : v));
    else
      acc += v;
    acc = integerOf(type, integerCell(type, acc)); // wrap
  }
  if (kind == Reduction::Mean)
    acc /= Integer(values.size());
  return integerCell(type, acc);
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

/// Whether reduce takes the type.
static bool takes(DataType type, Reduction kind) {
  if (isLogical(kind))
    return isFullInteger(type) || type == DataType::Bool;
  bool extremum = kind == Reduction::Min || kind == Reduction::Max;
  return isArithmetic(type) || (extremum && type == DataType::Bool);
}

static bool reduceOf(Case &c) {
  Pair x = c.operand(anyType);
  DataType type = x.naive.type;
  auto kind = Reduction(c.random.integer(0, 12));
  Shape axes, all = c.random.permutation(x.naive.rank());
  axes.append(all.begin(), all.begin() + c.random.integer(0, all.size()));
  bool keepDims = c.chance(50);
  std::string what = std::string(reductionNames[int(kind)]) + " over " +
                     toString(axes) + (keepDims ? " kept" : "");
  if (!takes(type, kind)) {
    c.expectNull(what, reduce(x.actual, axes, keepDims, kind));
    return true;
  }
  std::vector<std::vector<Cell>> groups = groupsOf(x.naive, axes);
  bool isRoot = kind == Reduction::L2 || kind == Reduction::LogSum ||
                kind == Reduction::LogSumExp;
  Shape shape = shapeWithout(x.naive.shape, axes, keepDims);
  if (isInteger(type) || type == DataType::Bool) {
    bool nothing = !groups.empty() && groups[0].empty();
    if (kind == Reduction::Mean && nothing)
      return false; // REQUIRES at least one element
    if (!isRoot) {
      AnyTensor expected{type, shape, {}};
      for (const std::vector<Cell> &group : groups)
        expected.cells.push_back(integerReduction(type, kind, group));
      c.add(what, reduce(x.actual, axes, keepDims, kind), expected);
      return true;
    }
  }
  std::vector<Bound> bounds;
  for (const std::vector<Cell> &group : groups) {
    std::vector<long double> values;
    for (const Cell &cell : group)
      values.push_back(isInteger(type) ? (double)wideOf(type, cell)
                                       : wideOf(type, cell));
    bounds.push_back(floatReduction(kind, values));
  }
  c.addWithin(what, reduce(x.actual, axes, keepDims, kind),
              isInteger(type) ? DataType::Float64 : type, shape, bounds);
  return true;
}

/// all and any: of what is not zero.
static bool allOrAny(Case &c) {
  Pair x = c.operand(isNumberOrBool);
  Shape axes, order = c.random.permutation(x.naive.rank());
  axes.append(order.begin(), order.begin() + c.random.integer(0, order.size()));
  bool isAll = c.chance(50), keepDims = c.chance(50);
  AnyTensor expected{
      DataType::Bool, shapeWithout(x.naive.shape, axes, keepDims), {}};
  for (const std::vector<Cell> &group : groupsOf(x.naive, axes)) {
    bool result = isAll;
    for (const Cell &cell : group) {
      bool holds = valueOf<bool>(castCell(DataType::Bool, x.naive.type, cell));
      result = isAll ? result && holds : result || holds;
    }
    expected.cells.push_back(cellOf(result));
  }
  c.add(std::string(isAll ? "all" : "any") + " over " + toString(axes),
        (isAll ? all : any)(x.actual, axes, keepDims), expected);
  return true;
}

//===----------------------------------------------------------------------===//
// Running sums, softmax
//===----------------------------------------------------------------------===//

/// The indices of the elements of one row.
static std::vector<Shape> rowOf(const AnyTensor &x, ShapeRef first,
                                int64_t axis) {
  std::vector<Shape> row;
  for (int64_t j = 0; j < x.shape[axis]; ++j) {
    row.emplace_back(first);
    row.back()[axis] = j;
  }
  return row;
}

static bool cumulativeOf(Case &c) {
  Pair x = c.operand(anyType, 1);
  const AnyTensor &n = x.naive;
  int64_t axis = c.random.integer(0, n.rank() - 1);
  if (n.size() * n.shape[axis] > 4000000)
    return false; // the naive side begins each sum anew
  bool product = c.chance(30), exclusive = c.chance(50), reverse = c.chance(50);
  Elements actual = (product ? cumulativeProduct : cumulativeSum)(
      x.actual, axis, exclusive, reverse);
  std::string what = product ? "cumulative product" : "cumulative sum";
  what += (exclusive ? " exclusive" : "") +
          std::string(reverse ? " reverse" : "") + " along " +
          std::to_string(axis);
  if (!isArithmetic(n.type)) {
    c.expectNull(what, actual);
    return true;
  }
  AnyTensor expected = n;
  AnyTensor numbers = n; // where the bound of each element is
  std::vector<Bound> bounds(n.size());
  for (int64_t i = 0; i < n.size(); ++i)
    numbers.cells[i] = cellOf(i);
  forEachRow(n.shape, axis, [&](ShapeRef first) {
    std::vector<Shape> row = rowOf(n, first, axis);
    if (reverse)
      std::reverse(row.begin(), row.end());
    std::vector<Cell> before;
    for (const Shape &i : row) {
      if (!exclusive)
        before.push_back(n.at(i));
      if (isInteger(n.type)) {
        expected.at(i) = integerReduction(
            n.type, product ? Reduction::Product : Reduction::Sum, before);
      } else {
        std::vector<long double> values;
        for (const Cell &cell : before)
          values.push_back(wideOf(n.type, cell));
        bounds[valueOf<int64_t>(numbers.at(i))] =
            product ? productOf(values) : sumOf(values);
      }
      if (exclusive)
        before.push_back(n.at(i));
    }
  });
  if (isInteger(n.type))
    c.add(what, actual, expected);
  else
    c.addWithin(what, actual, n.type, n.shape, bounds);
  return true;
}

/// exp(x - max) / sum, with the error that double has.
static void softmaxRow(std::vector<long double> x, bool logarithm,
                       std::vector<Bound> &bounds) {
  Bound logSum = logSumExpOf(x);
  for (long double v : x) {
    long double difference = v - logSum.exact;
    // Infinite maxima leave inf - inf.
    if (!std::isfinite(logSum.exact)) {
      bounds.push_back({NAN, 0});
      continue;
    }
    // x - max is rounded, and so is all that follows.
    long double error = logSum.slack + (std::fabs(v) + std::fabs(difference) +
                                        std::fabs(logSum.exact)) *
                                           0x1p-50L;
    if (logarithm)
      bounds.push_back({difference, std::isfinite(difference) ? error : 0});
    else
      bounds.push_back(
          {expl(difference), std::isfinite(difference)
                                 ? expl(difference) * error + 0x1p-1070L
                                 : 0});
  }
}

static bool softmaxOf(Case &c) {
  Pair x = c.operand(anyType, 1);
  const AnyTensor &n = x.naive;
  int64_t axis = c.random.integer(0, n.rank() - 1);
  bool logarithm = c.chance(50);
  Elements actual = (logarithm ? logSoftmax : softmax)(x.actual, axis);
  std::string what = std::string(logarithm ? "logSoftmax" : "softmax") +
                     " along " + std::to_string(axis);
  if (!isFullFloat(n.type)) {
    c.expectNull(what, actual);
    return true;
  }
  AnyTensor numbers = n;
  for (int64_t i = 0; i < n.size(); ++i)
    numbers.cells[i] = cellOf(i);
  std::vector<Bound> bounds(n.size());
  forEachRow(n.shape, axis, [&](ShapeRef first) {
    std::vector<Shape> row = rowOf(n, first, axis);
    std::vector<long double> values;
    std::vector<Bound> results;
    for (const Shape &i : row)
      values.push_back(wideOf(n.type, n.at(i)));
    softmaxRow(values, logarithm, results);
    for (size_t j = 0; j < row.size(); ++j)
      bounds[valueOf<int64_t>(numbers.at(row[j]))] = results[j];
  });
  c.addWithin(what, actual, n.type, n.shape, bounds);
  return true;
}

void onnxfold::addReductionOperations(OperationList &list) {
  list.insert(list.end(), {{"reduce", reduceOf},
                           {"all and any", allOrAny},
                           {"cumulative", cumulativeOf},
                           {"softmax", softmaxOf}});
}
