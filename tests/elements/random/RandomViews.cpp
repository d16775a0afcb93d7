//===- RandomViews.cpp - Views against index arithmetic -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RandomCase.h"

using namespace onnxfold;

static bool transposeOf(Case &c) {
  Pair x = c.operand(anyType);
  Shape perm = c.random.permutation(x.naive.rank()), shape;
  for (int64_t p : perm)
    shape.push_back(x.naive.shape[p]);
  c.add("transpose " + toString(perm), x.actual.transpose(perm),
        AnyTensor::make(x.naive.type, shape, [&](ShapeRef i) {
          Shape source(i.size());
          for (size_t d = 0; d < i.size(); ++d)
            source[perm[d]] = i[d];
          return x.naive.at(source);
        }));
  return true;
}

static bool reshapeOf(Case &c) {
  Pair x = c.operand(anyType);
  // The prime factors, dealt out to a few dimensions.
  int64_t left = x.naive.size(), rank = c.random.integer(left != 1, 5);
  Shape shape(rank, 1);
  for (int64_t prime = 2; left > 1; ++prime)
    for (; left % prime == 0; left /= prime)
      shape[c.random.integer(0, rank - 1)] *= prime;
  if (left == 0)
    for (int64_t &d : shape)
      d = c.random.integer(0, 3) * (&d != &shape[0]);
  AnyTensor expected = x.naive;
  expected.shape = shape;
  c.add("reshape " + toString(shape), x.actual.reshape(shape), expected);
  return true;
}

static bool expandOf(Case &c) {
  Pair x = c.operand(anyType);
  Shape shape(x.naive.shape);
  for (int64_t &d : shape)
    if (d == 1)
      d = c.random.integer(0, 4);
  while (shape.size() < 5 && c.chance(30))
    shape.insert(shape.begin(), c.random.integer(1, 3));
  if (!c.fits(shape))
    return false;
  int64_t lead = shape.size() - x.naive.rank();
  c.add("expand " + toString(shape), x.actual.expand(shape),
        AnyTensor::make(x.naive.type, shape, [&](ShapeRef i) {
          Shape source(i.drop_front(lead));
          for (size_t d = 0; d < source.size(); ++d)
            if (x.naive.shape[d] == 1)
              source[d] = 0;
          return x.naive.at(source);
        }));
  return true;
}

static bool sliceOf(Case &c) {
  Pair x = c.operand(anyType);
  Shape starts, sizes, steps;
  for (int64_t n : x.naive.shape) {
    int64_t step = c.random.integer(-3, 3), start = 0, size = 0;
    if (n > 0) {
      start = c.random.integer(0, n - 1);
      // How many indices there are from start on.
      int64_t most = step > 0   ? (n - 1 - start) / step + 1
                     : step < 0 ? start / -step + 1
                                : 3;
      size = c.random.integer(c.chance(90), most);
    }
    starts.push_back(start);
    sizes.push_back(size);
    steps.push_back(step);
  }
  if (!c.fits(sizes))
    return false;
  c.add("slice " + toString(starts) + toString(sizes) + toString(steps),
        x.actual.slice(starts, sizes, steps),
        AnyTensor::make(x.naive.type, sizes, [&](ShapeRef i) {
          Shape source(i);
          for (size_t d = 0; d < i.size(); ++d)
            source[d] = starts[d] + i[d] * steps[d];
          return x.naive.at(source);
        }));
  return true;
}

/// What [start:end:step] means, walked index by index. From Python, but that a
/// walk backwards from before the first index starts with that one.
static std::vector<int64_t> walk(int64_t n, int64_t start, int64_t end,
                                 int64_t step) {
  std::vector<int64_t> indices;
  start = start < 0 ? start + n : start;
  end = end < 0 ? end + n : end;
  if (step > 0) {
    end = std::min(end, n);
    for (int64_t i = std::max<int64_t>(start, 0); i < end; i += step)
      indices.push_back(i);
  } else {
    start = std::clamp<int64_t>(start, n > 0 ? 0 : -1, n - 1);
    end = std::max<int64_t>(end, -1);
    for (int64_t i = start; i > end; i += step)
      indices.push_back(i);
  }
  return indices;
}

/// sliceRange and the slice that it describes.
static bool slicedRangeOf(Case &c) {
  Pair x = c.operand(anyType, 1);
  int64_t axis = c.random.integer(0, x.naive.rank() - 1);
  int64_t n = x.naive.shape[axis];
  int64_t start = c.random.integer(-n - 3, n + 3);
  int64_t end = c.random.integer(-n - 3, n + 3);
  int64_t step = c.random.integer(1, 4) * (c.chance(50) ? 1 : -1);
  SliceRange range = sliceRange(n, start, end, step);
  std::vector<int64_t> indices = walk(n, start, end, step);
  Shape starts(x.naive.rank(), 0), sizes(x.naive.shape),
      steps(x.naive.rank(), 1), shape(x.naive.shape);
  starts[axis] = range.start;
  sizes[axis] = range.size;
  steps[axis] = range.step;
  shape[axis] = indices.size();
  std::string what = "slice of axis " + std::to_string(axis) + ": " +
                     toString({start, end, step});
  c.add(what, x.actual.slice(starts, sizes, steps),
        AnyTensor::make(x.naive.type, shape, [&](ShapeRef i) {
          Shape source(i);
          source[axis] = indices[i[axis]];
          return x.naive.at(source);
        }));
  return true;
}

static AnyTensor naivePart(const AnyTensor &x, int64_t axis, int64_t start,
                           int64_t size) {
  Shape shape(x.shape);
  shape[axis] = size;
  return AnyTensor::make(x.type, shape, [&](ShapeRef i) {
    Shape source(i);
    source[axis] += start;
    return x.at(source);
  });
}

static bool splitOf(Case &c) {
  Pair x = c.operand(anyType, 1);
  int64_t axis = c.random.integer(0, x.naive.rank() - 1);
  Shape sizes;
  int64_t left = x.naive.shape[axis];
  for (int64_t parts = c.random.integer(1, 4); parts > 1; --parts) {
    sizes.push_back(c.random.integer(0, left));
    left -= sizes.back();
  }
  sizes.push_back(left);
  std::vector<Elements> parts = x.actual.split(axis, sizes);
  c.expectSame("number of parts", parts.size(), size_t(sizes.size()));
  int64_t start = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    c.add("part " + std::to_string(i) + " of split " + toString(sizes) +
              " along " + std::to_string(axis),
          parts[i], naivePart(x.naive, axis, start, sizes[i]));
    start += sizes[i];
  }
  return true;
}

static bool sliceOfAxis(Case &c) {
  Pair x = c.operand(anyType, 1);
  int64_t axis = c.random.integer(0, x.naive.rank() - 1);
  int64_t n = x.naive.shape[axis], start = c.random.integer(0, n);
  int64_t size = c.random.integer(0, n - start);
  c.add("slice of axis " + toString({axis, start, size}),
        x.actual.slice(axis, start, size),
        naivePart(x.naive, axis, start, size));
  return true;
}

static bool squeezeOf(Case &c) {
  Pair x = c.operand(anyType);
  Shape axes, shape;
  for (int64_t d = 0; d < x.naive.rank(); ++d) {
    if (x.naive.shape[d] == 1 && c.chance(60))
      axes.push_back(d);
    else
      shape.push_back(x.naive.shape[d]);
  }
  std::reverse(axes.begin(), axes.end());
  AnyTensor expected = x.naive;
  expected.shape = shape;
  c.add("squeeze " + toString(axes), x.actual.squeeze(axes), expected);
  return true;
}

static bool unsqueezeOf(Case &c) {
  Pair x = c.operand(anyType, 0, 4);
  AnyTensor expected = x.naive;
  Shape axes;
  int64_t rank = c.random.integer(x.naive.rank(), 5);
  Shape order = c.random.permutation(rank);
  axes.append(order.begin(), order.begin() + (rank - x.naive.rank()));
  Shape sorted(axes);
  std::sort(sorted.begin(), sorted.end());
  for (int64_t axis : sorted)
    expected.shape.insert(expected.shape.begin() + axis, 1);
  c.add("unsqueeze " + toString(axes), x.actual.unsqueeze(axes), expected);
  return true;
}

/// Reading one element, all as numbers, and equality.
static bool questions(Case &c) {
  Pair x = c.operand(isNumberOrBool);
  const AnyTensor &n = x.naive;
  c.expectSame("size", x.actual.size(), n.size());
  bool equal = x.actual.identicalTo(x.actual.reshape(n.shape));
  c.expectSame("identical to itself", equal, true);
  if (n.size() == 0)
    return true;
  int64_t i = c.random.integer(0, n.size() - 1);
  WideNum number = x.actual.number(i);
  long double value =
      number.kind == WideKind::Double  ? (long double)number.asDouble
      : number.kind == WideKind::Int64 ? (long double)number.asInt64
                                       : (long double)number.asUInt64;
  if (isNaN(n.type, n.cells[i]))
    c.expectSame("number is NaN", std::isnan(value), true);
  else
    c.expectSame("number " + std::to_string(i), value,
                 wideOf(n.type, n.cells[i]));
  AnyTensor other = n;
  other.cells[i] = c.cell(n.type);
  bool same = std::memcmp(other.cells[i].bytes, n.cells[i].bytes,
                          byteWidth(n.type)) == 0;
  // NaNs that were computed have bits that the naive side does not know.
  for (const Cell &cell : n.cells)
    if (isNaN(n.type, cell))
      return true;
  Pair y = c.disguised(other);
  c.expectSame("identical", x.actual.identicalTo(y.actual), same);
  if (isInteger(n.type)) {
    llvm::SmallVector<int64_t> expected;
    for (const Cell &cell : n.cells)
      expected.push_back(int64_t(integerOf(n.type, cell)));
    c.expectSame("ints", x.actual.ints(), expected);
  }
  return true;
}

void onnxfold::addViewOperations(OperationList &list) {
  list.insert(list.end(), {{"transpose", transposeOf},
                           {"reshape", reshapeOf},
                           {"expand", expandOf},
                           {"slice", sliceOf},
                           {"sliceRange", slicedRangeOf},
                           {"split", splitOf},
                           {"slice of an axis", sliceOfAxis},
                           {"squeeze", squeezeOf},
                           {"unsqueeze", unsqueezeOf},
                           {"questions", questions}});
}
