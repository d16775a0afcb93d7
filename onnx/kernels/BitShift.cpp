//===- BitShift.cpp - Constant kernel of onnx.BitShift --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// x shifted by y bits, broadcast, to where attribute `direction` says. Spec:
// onnx BitShift, versions 11 (unsigned), 28 (signed). Version 11 does not
// define a shift by the width or more, so it is kept; version 28 does: all bits
// are shifted out, and the sign fills in from the left. A negative count
// has the same effect.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Bitwise.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// v moved by `count` bits; as of version 28 where that is the width or more.
template <class T> static T shift(T v, T count, bool left) {
  constexpr T most = sizeof(T) * 8 - 1;
  bool beyond = count < 0 || count > most;
  if (left)
    return beyond ? T(0) : T(std::make_unsigned_t<T>(v) << count);
  return T(v >> (beyond ? most : count)) >> T(beyond && v >= 0);
}

/// The first count that version 11 does not define.
static std::optional<int64_t> findBeyond(const Elements &counts) {
  std::optional<int64_t> result;
  visitInteger(counts.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    result = firstWhere<T>(counts, [](T count) {
      return uint64_t(count) >= sizeof(T) * 8; // also negative ones
    });
  });
  return result;
}

static FoldResult foldBitShift(FoldContext &cx) {
  std::string direction = cx.string("direction").value_or("");
  if (direction != "LEFT" && direction != "RIGHT")
    return invalid("attribute 'direction' is '" + direction +
                   "', expected 'LEFT' or 'RIGHT'");
  const Elements &counts = cx.input(1);
  if (cx.version() < 28)
    if (std::optional<int64_t> i = findBeyond(counts))
      return undefined("shift " + toString(indexOf(*i, counts.shape())) +
                       " is not less than the bits of " + name(counts.type()));
  return foldBitwise(cx, [left = direction == "LEFT"](auto v, auto count) {
    return shift(v, count, left);
  });
}

namespace onnxfold {
void registerBitShift(KernelRegistry &registry) {
  registry.add("BitShift", {11, 28}, foldBitShift);
}
} // namespace onnxfold
