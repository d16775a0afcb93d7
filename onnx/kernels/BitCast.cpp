//===- BitCast.cpp - Constant kernel of onnx.BitCast ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The bits of each element, read as another type of the same width. Spec: onnx
// BitCast, version 26. Kept: to bool what is neither 0 nor 1, because a bool
// has no other bits.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include <cstring>

using namespace onnxfold;
using namespace onnxfold::ops;

/// Types narrower than a byte take one in memory, signed integers with their
/// sign in all of it, the others with zeros above.
static Elements narrowBits(const Elements &x, DataType to) {
  unsigned unused = 8 - bitWidth(to);
  bool extends = isSigned(to);
  return mapBlocks(x, to,
                   [unused, extends](const void *in, void *out, size_t count) {
                     auto *from = static_cast<const uint8_t *>(in);
                     auto *bits = static_cast<uint8_t *>(out);
                     for (size_t i = 0; i < count; ++i) {
                       uint8_t top = uint8_t(from[i] << unused);
                       bits[i] = extends ? uint8_t(int8_t(top) >> unused)
                                         : uint8_t(top >> unused);
                     }
                   });
}

static FoldResult foldBitCast(FoldContext &cx) {
  const Elements &x = cx.input(0);
  int64_t number = cx.integer("to").value_or(0);
  DataType to = isDataType(number) ? DataType(number) : DataType::Undefined;
  if (bitWidth(to) == 0 || to == DataType::Opaque)
    return invalid("attribute 'to' is " + llvm::Twine(number) +
                   ", the number of no element type of fixed width");
  if (bitWidth(x.type()) != bitWidth(to))
    return invalid("the input has type " + name(x.type()) + " of " +
                   llvm::Twine(bitWidth(x.type())) + " bits, " + name(to) +
                   " has " + llvm::Twine(bitWidth(to)));
  if (x.type() == to)
    return x;
  if (isSubByte(to))
    return narrowBits(x, to);
  unsigned width = byteWidth(to);
  auto copy = [width](const void *in, void *out, size_t count) {
    std::memcpy(out, in, count * width);
  };
  if (to != DataType::Bool)
    return mapBlocks(x, to, copy);
  Elements bytes = mapBlocks(x, DataType::UInt8, copy);
  if (auto bad = firstWhere<uint8_t>(bytes, [](uint8_t b) { return b > 1; }))
    return undefined("element " + toString(indexOf(*bad, x.shape())) +
                     " is neither 0 nor 1, the bits of a bool");
  return mapBlocks(bytes, to, copy);
}

namespace onnxfold {
void registerBitCast(KernelRegistry &registry) {
  registry.add("BitCast", {26}, foldBitCast);
}
} // namespace onnxfold
