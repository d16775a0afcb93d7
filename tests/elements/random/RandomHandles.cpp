//===- RandomHandles.cpp - Tensors as a whole: hash, file, text -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "RandomCase.h"
#include "onnxfold/elements/Spill.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/elements/ops/ContentHash.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/ops/StringCast.h"
#include <cstdlib>

using namespace onnxfold;
using namespace onnxfold::ops;

/// NaNs that were computed have bits that the naive side does not know.
static bool hasNaN(const AnyTensor &x) {
  for (const Cell &cell : x.cells)
    if (isNaN(x.type, cell))
      return true;
  return false;
}

/// The hash is of the content, whatever the form.
static bool hashOf(Case &c) {
  Pair x = c.operand(anyType);
  if (hasNaN(x.naive))
    return false;
  bool same = contentHash(x.actual) == contentHash(x.naive.elements());
  c.expectSame("contentHash of equal tensors", same, true);
  AnyTensor other = x.naive;
  if (!other.cells.empty() && c.chance(50)) {
    Cell &cell = other.cells[c.random.integer(0, other.size() - 1)];
    Cell before = cell;
    cell = c.cell(other.type);
    if (sameCell(other.type, before, cell))
      return true;
  } else {
    other.shape.push_back(1);
  }
  same = contentHash(x.actual) == contentHash(c.disguised(other).actual);
  c.expectSame("contentHash of different tensors", same, false);
  return true;
}

static bool spillOf(Case &c) {
  Pair x = c.operand(anyType);
  c.add("spill", spill(x.actual), x.naive);
  return true;
}

static bool isNonZeroOf(Case &c) {
  Pair x = c.operand(isNumberOrBool);
  AnyTensor expected{DataType::Bool, x.naive.shape, {}};
  for (const Cell &cell : x.naive.cells)
    expected.cells.push_back(castCell(DataType::Bool, x.naive.type, cell));
  c.add("isNonZero", isNonZero(x.actual), expected);
  return true;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Whether ONNX says what the text of a number is.
static bool hasText(DataType type, const Cell &cell) {
  if (isInteger(type))
    return true;
  if (!isFullFloat(type) || type == DataType::BFloat16)
    return false;
  long double value = std::fabs(wideOf(type, cell));
  return value == 0 || (value >= 1e-4L && value < 1e16L);
}

/// Decimal digits of integers; floats are read back by the C library.
static bool textOf(Case &c) {
  Pair x = c.operand([](DataType type) {
    return type != DataType::String && type != DataType::Opaque;
  });
  const AnyTensor &n = x.naive;
  int64_t bad = -1;
  for (int64_t i = n.size(); i-- > 0;)
    if (!hasText(n.type, n.cells[i]))
      bad = i;
  StringCast texts = formatStrings(x.actual);
  c.expectSame("formatStrings: first without text", texts.bad, bad);
  c.expectSame("formatStrings: text", bool(texts.value), bad < 0);
  if (bad >= 0)
    return true;
  std::vector<llvm::StringRef> values = texts.value.values<llvm::StringRef>();
  std::string wrong;
  for (int64_t i = 0; i < n.size() && wrong.empty(); ++i) {
    std::string text = values[i].str(), digits = text;
    if (isInteger(n.type)) {
      Integer value = integerOf(n.type, n.cells[i]);
      digits = value < 0 ? std::to_string(int64_t(value))
                         : std::to_string(uint64_t(value));
    }
    Cell back = isInteger(n.type)
                    ? n.cells[i]
                    : wideCell(n.type, std::strtold(text.c_str(), nullptr));
    if (text != digits || !sameCell(n.type, back, n.cells[i]))
      wrong = text + " for " + toText(n.type, n.cells[i]);
  }
  c.expectSame("formatStrings: wrong text", wrong, std::string());
  StringCast back = parseStrings(texts.value, n.type);
  c.add("format and parse", back.value, n);
  return true;
}

void onnxfold::addHandleOperations(OperationList &list) {
  list.insert(list.end(), {{"contentHash", hashOf},
                           {"spill", spillOf},
                           {"isNonZero", isNonZeroOf},
                           {"strings", textOf}});
}
