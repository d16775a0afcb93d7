//===- Conversions.cpp - Constant kernels of conversions ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// To other element types, and to fewer bits of the same type.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/stablehlo/support/Complex.h"
#include "onnxfold/stablehlo/support/Operands.h"
#include "onnxfold/upstream/support/Floats.h"
#include "onnxfold/upstream/support/TensorKernels.h"

using namespace onnxfold;
using namespace onnxfold::hlo;

/// To powers of two, of which the nearest is taken and of two the larger one.
/// What has no power that is near is NaN. Numbers below the smallest power are
/// that power or NaN in XLA, as they come from f32 or f64, and those a little
/// above it are its double.
static FoldResult convertToPowers(const Elements &x) {
  Elements wide = ops::cast(x, DataType::Float64);
  if (auto where = ops::firstWhere<double>(wide, [](double a) {
        return a > 0 && a < 0x1.8p-127 && a != 0x1p-127;
      }))
    return undefined("element " + toString(ops::indexOf(*where, x.shape())) +
                     " is next to the smallest number of f8E8M0");
  // The cast takes no number above the largest power for one that is near.
  wide = ops::mapAs<double, double>(wide, [](double a) {
    return a > 0x1p127 && a < 0x1.8p127 ? 0x1p127 : a;
  });
  return ops::cast(
      wide, DataType::Float8E8M0,
      {.saturate = false, .roundMode = CastOptions::RoundMode::Nearest});
}

/// Numbers are rounded or truncated, and integers keep their low bits. A float
/// that an integer type does not hold is kept, and a NaN for a type without. An
/// infinity becomes the largest number of such a type, as in XLA and ml_dtypes.
static FoldResult foldConvert(FoldContext &cx) {
  Elements x = cx.input(0);
  DataType type = cx.resultType();
  if (type == DataType::Undefined)
    return Elements();
  if (isComplex(x.type()) && !isComplex(type))
    x = realOf(x);
  if (isFloat(x.type()) && isInteger(type))
    if (auto where = ops::firstNotConvertible(x, type))
      return undefined("element " + toString(ops::indexOf(*where, x.shape())) +
                       " is not a number of " + name(type));
  if (type == DataType::Float8E8M0)
    return convertToPowers(x);
  if (upstream::isFiniteOnly(type) && isFloat(x.type())) {
    Elements isNan = ops::mapTo<bool>(ops::cast(x, DataType::Float64),
                                      [](auto a) { return a != a; });
    if (ops::firstWhere<bool>(isNan, [](bool is) { return is; }))
      return undefined("a NaN is not a number of " + name(type));
  }
  if (isComplex(type) && !isComplex(x.type()))
    return complexOf(x, type);
  return ops::cast(x, type, {.saturate = false});
}

/// The same bits. To a narrower type a new last dimension holds the parts, the
/// lowest first; to a wider type the last dimension is put together.
static FoldResult foldBitcastConvert(FoldContext &cx) {
  const Elements &x = cx.input(0);
  DataType type = cx.resultType();
  auto bits = [](DataType of) {
    return of == DataType::Bool ? 1u : bitWidth(of);
  };
  unsigned from = bits(x.type()), to = bits(type);
  if (from == to)
    return isComplex(type) && type == x.type() ? x
                                               : upstream::sameBits(x, type);
  if (from < 8 || to < 8 || isComplex(type) || isComplex(x.type()))
    return Elements();
  Shape shape(x.shape());
  if (from > to) {
    shape.push_back(from / to);
  } else {
    if (shape.empty() || shape.back() != int64_t(to / from))
      return invalid("the last dimension is not " + llvm::Twine(to / from));
    shape.pop_back();
  }
  return Elements::deferred(type, shape, {x}, [x](char *out) { x.read(out); });
}

//===----------------------------------------------------------------------===//
// reduce_precision
//===----------------------------------------------------------------------===//

namespace {

/// How many bits exponent and mantissa keep.
struct Kept {
  int exponent, mantissa;
};

} // namespace

/// The bits of a float of `ownMantissa` bits of mantissa, rounded to fewer to
/// nearest even; what is beyond the range of fewer bits of exponent becomes
/// infinity or zero.
template <class Bits>
static Bits reduced(Bits bits, Kept kept, int ownMantissa) {
  int ownExponent = 8 * sizeof(Bits) - 1 - ownMantissa;
  Bits sign = Bits(1) << (8 * sizeof(Bits) - 1);
  Bits infinity = Bits(((Bits(1) << ownExponent) - 1) << ownMantissa);
  Bits magnitude = bits & Bits(~sign);
  if (magnitude > infinity) // a NaN
    return bits;
  if (int lost = ownMantissa - kept.mantissa; lost > 0) {
    Bits odd = (magnitude >> lost) & 1;
    magnitude += Bits((Bits(1) << (lost - 1)) - 1) + odd;
    magnitude &= Bits(~((Bits(1) << lost) - 1));
  }
  if (kept.exponent < ownExponent) {
    Bits bias = (Bits(1) << (ownExponent - 1)) - 1;
    Bits keptBias = (Bits(1) << (kept.exponent - 1)) - 1;
    Bits exponent = Bits(magnitude >> ownMantissa);
    if (exponent > Bits(bias + keptBias))
      magnitude = infinity;
    else if (exponent <= Bits(bias - keptBias))
      magnitude = 0;
  }
  return Bits((bits & sign) | magnitude);
}

static FoldResult foldReducePrecision(FoldContext &cx) {
  const Elements &x = cx.input(0);
  auto exponent = cx.integer("exponent_bits");
  auto mantissa = cx.integer("mantissa_bits");
  if (!exponent || !mantissa || *exponent < 1 || *mantissa < 0 ||
      *exponent > 64 || *mantissa > 64)
    return invalid("'exponent_bits' and 'mantissa_bits' are not both positive");
  Kept kept{int(*exponent), int(*mantissa)};
  auto with = [&](auto bits, int ownMantissa) -> Elements {
    using Bits = decltype(bits);
    return ops::mapBlocks(
        x, x.type(), [=](const void *in, void *out, size_t count) {
          for (size_t i = 0; i < count; ++i)
            static_cast<Bits *>(out)[i] =
                reduced(static_cast<const Bits *>(in)[i], kept, ownMantissa);
        });
  };
  switch (x.type()) {
  case DataType::Float16:
    return with(uint16_t(), 10);
  case DataType::BFloat16:
    return with(uint16_t(), 7);
  case DataType::Float32:
    return with(uint32_t(), 23);
  case DataType::Float64:
    return with(uint64_t(), 52);
  default:
    return Elements();
  }
}

namespace onnxfold::hlo {
void registerConversions(KernelRegistry &registry) {
  registry.add("convert", {1}, alike<foldConvert, 1>).mapsElements();
  registry.add("bitcast_convert", {1}, alike<foldBitcastConvert, 1>);
  registry.add("reduce_precision", {1}, alike<foldReducePrecision, 1>)
      .mapsElements();
}
} // namespace onnxfold::hlo
