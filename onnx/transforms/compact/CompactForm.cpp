//===- CompactForm.cpp - A tensor as an operator of small ones ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/compact/CompactForm.h"
#include "onnxfold/elements/ops/Generate.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <cstring>

using namespace onnxfold;

static Elements integers(ShapeRef values) {
  return Elements::fromValues<int64_t>({int64_t(values.size())}, values);
}

int64_t CompactForm::bytes() const {
  int64_t sum = shape ? bytesOfCompactNode : 0;
  for (const Elements &operand : operands)
    sum += operand.bytes();
  for (const Elements *one : {&value, &shape})
    sum += *one ? one->bytes() : 0;
  return sum;
}

namespace {

/// Reads a tensor from its begin on, as far as a question needs.
class TensorScan {
public:
  explicit TensorScan(const Elements &tensor)
      : tensor(tensor), reader(tensor, Elements::Reader::Access::Once),
        width(byteWidth(tensor.type())) {}

  /// All elements have the bits of the first.
  bool isUniform() {
    return tensor.isSplat() ||
           areEqual(0, 1, tensor.size() - 1); // x[i] == x[i + 1]
  }
  /// Whether x[.., i, ..] == x[.., i + period, ..] along the axis.
  bool repeats(int64_t axis, int64_t period);
  /// Calls `f` with blocks until it returns false.
  bool forBlocks(
      llvm::function_ref<bool(int64_t first, int64_t count, const void *data)>
          f);

private:
  /// The first block is small: most tensors are none of these forms.
  static constexpr int64_t firstBlock = 256, mostBytes = 1 << 16;
  bool areEqual(int64_t a, int64_t b, int64_t count);
  bool areGroupsEqual(int64_t group, int64_t lag);
  const char *view(int64_t first, int64_t count, std::vector<char> &scratch) {
    scratch.resize(count * width);
    return static_cast<const char *>(reader.view(first, count, scratch.data()));
  }

  const Elements &tensor;
  Elements::Reader reader;
  int64_t width;
  std::vector<char> left, right;
};

} // namespace

bool TensorScan::areEqual(int64_t a, int64_t b, int64_t count) {
  int64_t block = firstBlock;
  for (int64_t done = 0; done < count;
       done += block, block = std::min(block * 4, mostBytes / width)) {
    int64_t some = std::min(block, count - done);
    const char *x = view(a + done, some, left);
    if (std::memcmp(x, view(b + done, some, right), some * width) != 0)
      return false;
    block = some;
  }
  return true;
}

/// Groups that fit in a block are read many at a time.
bool TensorScan::areGroupsEqual(int64_t group, int64_t lag) {
  int64_t many = std::max<int64_t>(firstBlock / group, 1);
  for (int64_t first = 0; first < tensor.size();) {
    int64_t count = std::min(many * group, tensor.size() - first);
    const char *x = view(first, count, left);
    for (int64_t at = 0; at < count; at += group)
      if (std::memcmp(x + at * width, x + (at + lag) * width,
                      (group - lag) * width) != 0)
        return false;
    first += count;
    many = std::max<int64_t>(mostBytes / width / group, 1);
  }
  return true;
}

bool TensorScan::repeats(int64_t axis, int64_t period) {
  int64_t stride = 1;
  for (int64_t size : tensor.shape().drop_front(axis + 1))
    stride *= size;
  int64_t group = tensor.dim(axis) * stride, lag = period * stride;
  if (group * width <= mostBytes)
    return areGroupsEqual(group, lag);
  for (int64_t first = 0; first < tensor.size(); first += group)
    if (!areEqual(first, first + lag, group - lag))
      return false;
  return true;
}

bool TensorScan::forBlocks(
    llvm::function_ref<bool(int64_t, int64_t, const void *)> f) {
  int64_t block = firstBlock;
  for (int64_t first = 0; first < tensor.size();) {
    int64_t count = std::min(block, tensor.size() - first);
    if (!f(first, count, view(first, count, left)))
      return false;
    first += count;
    block = mostBytes / width;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

template <class T>
static CompactForm rangeForm(T start, T limit, T delta, const Elements &x) {
  CompactForm form{"Range", {}, {}, {}};
  for (T value : {start, limit, delta})
    form.operands.push_back(Elements::fromValues<T>({}, {value}));
  if (x.rank() != 1)
    form.shape = integers(x.shape());
  return form;
}

/// Runtimes compute the length in double.
template <class T>
static std::optional<CompactForm> findIntegers(const Elements &x,
                                               TensorScan &scan) {
  T head[2];
  x.read(0, 2, head);
  int64_t start = head[0], delta, span;
  if (__builtin_sub_overflow(int64_t(head[1]), start, &delta) || delta == 0 ||
      __builtin_mul_overflow(delta, x.size(), &span) ||
      std::abs(span) > int64_t(1) << 53)
    return std::nullopt;
  int64_t limit;
  if (__builtin_add_overflow(start, span, &limit) || T(limit) != limit ||
      T(span) != span || T(delta) != delta)
    return std::nullopt;
  bool isRange =
      scan.forBlocks([&](int64_t first, int64_t count, const void *data) {
        const T *values = static_cast<const T *>(data);
        for (int64_t i = 0; i < count; ++i)
          if (values[i] != T(start + (first + i) * delta))
            return false;
        return true;
      });
  if (!isRange)
    return std::nullopt;
  return rangeForm<T>(start, limit, delta, x);
}

/// Runtimes add delta again and again, the standard's reference multiplies, and
/// this library rounds once: only where all agree it is a range.
template <class T>
static std::optional<CompactForm> findFloats(const Elements &x,
                                             TensorScan &scan) {
  T head[2];
  x.read(0, 2, head);
  T start = head[0], delta = head[1] - head[0];
  T limit = T(double(start) + (double(x.size()) - 0.5) * double(delta));
  auto length = [&](double span) { return std::ceil(span / double(delta)); };
  if (!std::isfinite(delta) || delta == 0 || !std::isfinite(limit) ||
      length(T(limit - start)) != double(x.size()) ||
      length(double(limit) - double(start)) != double(x.size()))
    return std::nullopt;
  T sum = start;
  bool isRange =
      scan.forBlocks([&](int64_t first, int64_t count, const void *data) {
        const T *values = static_cast<const T *>(data);
        for (int64_t i = 0; i < count; ++i, sum = T(sum + delta)) {
          T product = T(delta * T(first + i));
          T forms[] = {sum, T(start + product),
                       T(double(start) + double(first + i) * double(delta))};
          for (const T &form : forms) {
            const void *mine = &form, *given = &values[i];
            if (std::memcmp(mine, given, sizeof(T)) != 0) // -0 is not 0
              return false;
          }
        }
        return true;
      });
  if (!isRange)
    return std::nullopt;
  return rangeForm<T>(start, limit, delta, x);
}

static std::optional<CompactForm> findRange(const Elements &x,
                                            TensorScan &scan) {
  if (x.size() < 2)
    return std::nullopt;
  switch (x.type()) {
  case DataType::Int16:
    return findIntegers<int16_t>(x, scan);
  case DataType::Int32:
    return findIntegers<int32_t>(x, scan);
  case DataType::Int64:
    return findIntegers<int64_t>(x, scan);
  case DataType::Float32:
    return findFloats<float>(x, scan);
  case DataType::Float64:
    return findFloats<double>(x, scan);
  default:
    return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Repetitions
//===----------------------------------------------------------------------===//

/// The least period of an axis, which is its size if nothing repeats.
static int64_t periodOf(const Elements &x, int64_t axis, TensorScan &scan) {
  int64_t size = x.dim(axis);
  Shape divisors;
  for (int64_t low = 1; low * low <= size; ++low)
    if (size % low == 0)
      divisors.append({low, size / low});
  llvm::sort(divisors);
  for (int64_t period : divisors)
    if (period < size && scan.repeats(axis, period))
      return period;
  return size;
}

static std::optional<CompactForm>
findRepetition(const Elements &x, TensorScan &scan, int64_t opset) {
  Shape part, repeats;
  bool isBroadcast = true;
  for (int64_t axis = 0; axis < x.rank(); ++axis) {
    part.push_back(periodOf(x, axis, scan));
    repeats.push_back(x.dim(axis) / part.back());
    isBroadcast &= part.back() == 1 || repeats.back() == 1;
  }
  if (llvm::all_of(repeats, [](int64_t count) { return count == 1; }))
    return std::nullopt;
  bool expands = isBroadcast && opset >= 8;
  CompactForm form{expands ? "Expand" : "Tile", {}, {}, {}};
  Elements small = x.slice(Shape(x.rank(), 0), part, Shape(x.rank(), 1));
  constexpr uint64_t mostCopied = 1 << 16; // the writer reads a larger one
  if (small.bytes() <= mostCopied)
    small = std::move(small).materialize();
  form.operands = {small, integers(expands ? x.shape() : ShapeRef(repeats))};
  return form;
}

/// The types that ONNX Runtime's operators for the CPU have.
static bool isMovedByRuntimes(DataType type) {
  switch (type) {
  case DataType::Bool:
  case DataType::Float16:
  case DataType::Float32:
  case DataType::Float64:
  case DataType::Int8:
  case DataType::Int16:
  case DataType::Int32:
  case DataType::Int64:
  case DataType::UInt8:
  case DataType::UInt16:
  case DataType::UInt32:
  case DataType::UInt64:
    return true;
  default:
    return false;
  }
}

static std::optional<CompactForm> findForm(const Elements &x, int64_t opset) {
  TensorScan scan(x);
  if (opset >= 9 && scan.isUniform()) {
    Elements value =
        x.reshape({x.size()}).slice(int64_t(0), 0, 1).materialize();
    return CompactForm{"ConstantOfShape", {integers(x.shape())}, value, {}};
  }
  if (opset >= 11)
    if (std::optional<CompactForm> range = findRange(x, scan))
      return range;
  // Before opset 6 the repeats of Tile are of one axis.
  return opset >= 6 ? findRepetition(x, scan, opset) : std::nullopt;
}

std::optional<CompactForm> onnxfold::findCompactForm(const Elements &tensor,
                                                     int64_t opset) {
  if (!tensor || !isMovedByRuntimes(tensor.type()) ||
      !isWorthCompacting(tensor.bytes(), 0))
    return std::nullopt;
  std::optional<CompactForm> form = findForm(tensor, opset);
  if (form && !isWorthCompacting(tensor.bytes(), form->bytes()))
    return std::nullopt;
  return form;
}
