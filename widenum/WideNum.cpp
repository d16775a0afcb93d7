//===- WideNum.cpp - One number of any element type -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/widenum/WideNum.h"

#include "onnxfold/widenum/Dispatch.h"

#include <cassert>
#include <cstring>

using namespace onnxfold;

/// Calls visitor(TypeTag<T>{}) for the types that a WideNum can hold.
template <class V> static void visitWide(DataType type, V visitor) {
  assert(hasWideKind(type) && "not a number");
  if (type == DataType::Bool)
    visitor(TypeTag<bool>{});
  else
    visitNumeric(type, visitor);
}

WideNum WideNum::from(DataType type, const void *data) {
  if (type == DataType::Bool) // read as a byte: any byte is defined
    return widen(*static_cast<const uint8_t *>(data) != 0);
  WideNum result;
  visitWide(type, [&](auto tag) {
    typename decltype(tag)::type element;
    std::memcpy(&element, data, sizeof(element));
    result = widen(element);
  });
  return result;
}

void WideNum::store(DataType type, void *data,
                    const CastOptions &options) const {
  visitWide(type, [&](auto tag) {
    auto element = to<typename decltype(tag)::type>(options);
    std::memcpy(data, &element, sizeof(element));
  });
}

bool WideNum::fits(DataType type) const {
  bool result = false;
  visitWide(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    result = kind == WideKind::Double  ? inRange<T>(asDouble)
             : kind == WideKind::Int64 ? inRange<T>(asInt64)
                                       : inRange<T>(asUInt64);
  });
  return result;
}

/// A double and an integer, neither of them converted to the other's type with
/// a loss.
template <class Int>
static std::partial_ordering compareExactly(double a, Int b) {
  if (a != a)
    return std::partial_ordering::unordered;
  constexpr bool isSigned = std::is_signed_v<Int>;
  auto bounds = detail::boundsOfInteger<double>(isSigned, 64);
  if (a <= bounds.below)
    return std::partial_ordering::less;
  if (a >= bounds.above)
    return std::partial_ordering::greater;
  Int whole = static_cast<Int>(a);
  if (whole != b)
    return whole <=> b;
  return a <=> static_cast<double>(whole); // the fraction decides
}

std::partial_ordering WideNum::compare(const WideNum &a, const WideNum &b) {
  if (a.kind == WideKind::Double && b.kind == WideKind::Double)
    return a.asDouble <=> b.asDouble;
  if (a.kind == WideKind::Double)
    return b.kind == WideKind::Int64 ? compareExactly(a.asDouble, b.asInt64)
                                     : compareExactly(a.asDouble, b.asUInt64);
  if (b.kind == WideKind::Double)
    return 0 <=> compare(b, a);
  if (a.kind == b.kind)
    return a.kind == WideKind::Int64 ? a.asInt64 <=> b.asInt64
                                     : a.asUInt64 <=> b.asUInt64;
  if (a.kind == WideKind::Int64)
    return a.asInt64 < 0 ? std::strong_ordering::less
                         : static_cast<uint64_t>(a.asInt64) <=> b.asUInt64;
  return 0 <=> compare(b, a);
}
