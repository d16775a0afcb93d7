//===- Difference.cpp - How far two values are apart ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/verify/Difference.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace onnxfold;

namespace {

/// One element of any type but String and Complex: its number, and its place in
/// the order of the type's numbers.
struct Element {
  WideNum number;
  double place;
};

} // namespace

/// Floats are a sign and a magnitude that grows with the bits; E8M0 has no
/// sign. -0 comes before 0.
static double placeOfFloat(DataType type, const char *at) {
  uint64_t bits = 0;
  memcpy(&bits, at, std::min<size_t>(sizeof(bits), byteWidth(type)));
  if (type == DataType::Float8E8M0)
    return double(bits);
  uint64_t sign = uint64_t(1) << (bitWidth(type) - 1);
  // 2^63 places need more than one double has, so there are two parts.
  return bits & sign ? -double(bits & (sign - 1)) - 1 : double(bits);
}

/// The exact distance of two f64, where their places as doubles are too coarse.
static double distance64(const char *a, const char *b) {
  int64_t x, y;
  memcpy(&x, a, 8);
  memcpy(&y, b, 8);
  if ((x < 0) == (y < 0))
    return double(x > y ? uint64_t(x) - uint64_t(y)
                        : uint64_t(y) - uint64_t(x));
  return std::fabs(placeOfFloat(DataType::Float64, a) -
                   placeOfFloat(DataType::Float64, b));
}

static double distanceOf(DataType type, const char *a, const char *b) {
  WideNum x = WideNum::from(type, a), y = WideNum::from(type, b);
  if (x.isNaN() || y.isNaN())
    return x.isNaN() && y.isNaN() ? 0 : INFINITY;
  if (type == DataType::Float64)
    return distance64(a, b);
  if (isFloat(type))
    return std::fabs(placeOfFloat(type, a) - placeOfFloat(type, b));
  if (x == y)
    return 0;
  return std::fmax(1, std::fabs(x.to<double>() - y.to<double>()));
}

static std::string textOf(DataType type, const char *at) {
  std::string text;
  llvm::raw_string_ostream out(text);
  WideNum number = WideNum::from(type, at);
  if (number.kind == WideKind::Double)
    out << llvm::format(type == DataType::Float64 ? "%.17g" : "%.9g",
                        number.asDouble);
  else if (number.kind == WideKind::Int64)
    out << number.asInt64;
  else
    out << number.asUInt64;
  return text;
}

/// The index of a row-major number.
static Shape indexOf(int64_t number, ShapeRef shape) {
  Shape index(shape.size());
  for (size_t i = shape.size(); i-- != 0; number /= shape[i])
    index[i] = number % shape[i];
  return index;
}

namespace {

/// Largest magnitude and range of the finite numbers of a tensor.
struct Extent {
  double largest = 0, least = INFINITY, most = -INFINITY;

  void add(double value) {
    if (!std::isfinite(value))
      return;
    largest = std::fmax(largest, std::fabs(value));
    least = std::fmin(least, value);
    most = std::fmax(most, value);
  }
};

/// Finds where two arrays of one type differ most.
class Search {
public:
  Search(DataType type, const Tolerance &tolerance, const char *before,
         const char *after, int64_t size)
      : type(type), tolerance(tolerance), before(before), after(after),
        size(size), width(byteWidth(type)) {}

  void run() {
    double allowed = allowance();
    double furthest = -1;
    for (int64_t i = 0; i != size; ++i) {
      const char *a = before + i * width, *b = after + i * width;
      double ulps = distanceOf(type, a, b);
      if (ulps == 0)
        continue;
      ++count;
      double apart = std::fabs(WideNum::from(type, a).to<double>() -
                               WideNum::from(type, b).to<double>());
      // NaN is within no finite distance.
      isWithin &= allowed != 0 && (apart <= allowed || std::isinf(allowed));
      double far = allowed == 0 || std::isnan(apart) ? ulps : apart;
      if (far > furthest)
        furthest = far, worst = ulps, where = i;
      largest = std::isnan(apart) ? INFINITY : std::fmax(largest, apart);
    }
  }

  int64_t count = 0, where = 0;
  double worst = 0;
  double largest = 0; // difference of two numbers
  bool isWithin = true;

private:
  /// How far two elements may be apart; 0 if they have to be equal.
  double allowance() const {
    if (!isFloat(type))
      return std::fmax(tolerance.steps, tolerance.absolute);
    if (tolerance.relative == 0 && tolerance.ofRange == 0 &&
        tolerance.absolute == 0)
      return 0;
    Extent extent;
    for (int64_t i = 0; i != size; ++i)
      extent.add(WideNum::from(type, before + i * width).to<double>());
    double range = extent.most > extent.least ? extent.most - extent.least : 0;
    // A tolerance of 0 would tell 0 and -0 apart.
    return std::max({tolerance.relative * extent.largest,
                     tolerance.ofRange * range, tolerance.absolute,
                     std::numeric_limits<double>::denorm_min()});
  }

  DataType type;
  const Tolerance &tolerance;
  const char *before, *after;
  int64_t size, width;
};

} // namespace

static std::string describe(const Elements &value) {
  return name(value.type()).str() + toString(value.shape());
}

static std::optional<Difference> differenceOfStrings(const Elements &before,
                                                     const Elements &after) {
  ElementsArray<llvm::StringRef> a(before), b(after);
  Difference result;
  result.size = before.size();
  for (int64_t i = 0; i != result.size; ++i) {
    if (a[i] == b[i])
      continue;
    if (result.count++ != 0)
      continue;
    result.index = indexOf(i, before.shape());
    result.before = ("'" + a[i].take_front(60) + "'").str();
    result.after = ("'" + b[i].take_front(60) + "'").str();
    result.ulps = INFINITY;
  }
  return result.count ? std::optional(result) : std::nullopt;
}

static std::optional<Difference>
differenceOfTensors(const Elements &before, const Elements &after,
                    const Tolerance &tolerance) {
  Difference result;
  if (before.type() != after.type() || before.shape() != after.shape()) {
    result.reason =
        "the types are " + describe(before) + " and " + describe(after);
    return result;
  }
  if (before.type() == DataType::String)
    return differenceOfStrings(before, after);
  if (before.identicalTo(after))
    return std::nullopt;
  // Complex numbers are two floats.
  DataType type = before.type();
  int64_t parts = isComplex(type) ? 2 : 1;
  if (parts == 2)
    type = byteWidth(type) == 8 ? DataType::Float32 : DataType::Float64;
  ElementsBytes a(before), b(after);
  Search search(type, tolerance, a.data(), b.data(), before.size() * parts);
  search.run();
  if (search.count == 0)
    return std::nullopt;
  int64_t at = search.where * byteWidth(type);
  result.index = indexOf(search.where / parts, before.shape());
  result.before = textOf(type, a.data() + at);
  result.after = textOf(type, b.data() + at);
  result.ulps = search.worst;
  result.apart = search.largest;
  result.count = search.count;
  result.isWithin = search.isWithin;
  result.size = before.size() * parts;
  return result;
}

std::string Difference::text() const {
  if (!reason.empty())
    return reason;
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "at " << toString(index) << ": " << before << " and " << after << " (";
  if (std::isfinite(ulps))
    out << llvm::format("%.0f", ulps) << " ulp; ";
  out << count << " of " << size << " elements differ)";
  return text;
}

static Difference otherKind() {
  Difference result;
  result.reason = "one is a tensor, a sequence or nothing, and the other is "
                  "of another kind";
  return result;
}

std::optional<Difference> onnxfold::difference(const FoldedValue &before,
                                               const FoldedValue &after,
                                               const Tolerance &tolerance) {
  if (before.tensor && after.tensor)
    return differenceOfTensors(before.tensor, after.tensor, tolerance);
  if (before.isNothing && after.isNothing)
    return std::nullopt;
  if (!before.sequence || !after.sequence)
    return otherKind();
  if (before.sequence->size() != after.sequence->size()) {
    Difference result;
    result.reason = "the sequences have " +
                    std::to_string(before.sequence->size()) + " and " +
                    std::to_string(after.sequence->size()) + " tensors";
    return result;
  }
  std::optional<Difference> found;
  for (size_t i = 0; i != before.sequence->size(); ++i) {
    auto one = differenceOfTensors((*before.sequence)[i], (*after.sequence)[i],
                                   tolerance);
    if (!one || (found && !found->isWithin))
      continue;
    if (found && one->isWithin)
      continue;
    found = std::move(one);
    found->index.insert(found->index.begin(), int64_t(i));
  }
  return found;
}

double onnxfold::distance(const FoldedValue &before, const FoldedValue &after) {
  if (!before || !after)
    return before || after ? INFINITY : 0;
  std::optional<Difference> found = difference(before, after, {});
  if (!found)
    return 0;
  return found->reason.empty() && std::isfinite(found->ulps) ? found->apart
                                                             : INFINITY;
}

double onnxfold::largestNumber(const FoldedValue &value) {
  if (!value.tensor || !hasWideKind(value.tensor.type()))
    return 0;
  ElementsBytes bytes(value.tensor);
  size_t width = byteWidth(value.tensor.type());
  Extent extent;
  for (int64_t i = 0; i != value.tensor.size(); ++i)
    extent.add(WideNum::from(value.tensor.type(), bytes.data() + i * width)
                   .to<double>());
  return extent.largest;
}
