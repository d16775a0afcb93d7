//===- Rescale.cpp - Constant kernel of tosa.rescale ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = (x - input zero point) * multiplier >> shift + output zero point, rounded and
// saturated; multiplier and shift for all elements, or for each channel (the last
// dimension). A shift outside of 2 to 62, an intermediate value that does not fit, and
// rounding modes of other conversions are undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

namespace {

/// The numbers that are the same for all elements.
struct Rescaling {
  int64_t inputZero, outputZero, low, high;
  bool doubleRound, inexact;
};

} // namespace

static ReasonOr<Rescaling> rescalingOf(FoldContext &cx,
                                       mlir::tosa::RescaleOp op) {
  DataType type = cx.resultType();
  ReasonOr<int64_t> from = zeroPoint(cx, 3, op.getInputUnsigned());
  ReasonOr<int64_t> to = zeroPoint(cx, 4, op.getOutputUnsigned());
  if (!from || !to)
    return from ? to.reason() : from.reason();
  int64_t width = bitWidth(type);
  bool isUnsigned = op.getOutputUnsigned();
  Rescaling r = {.inputZero = *from,
                 .outputZero = *to,
                 .low = isUnsigned ? 0 : -(int64_t(1) << (width - 1)),
                 .high = (int64_t(1) << (isUnsigned ? width : width - 1)) - 1,
                 .doubleRound = op.getRoundingMode() ==
                                mlir::tosa::RoundingMode::DOUBLE_ROUND,
                 .inexact = op.getRoundingMode() ==
                            mlir::tosa::RoundingMode::INEXACT_ROUND};
  if (r.inexact || (r.doubleRound && !op.getScale32()))
    return undefined("its rounding mode leaves the result open");
  return r;
}

/// Along the last dimension, where there is one for each channel.
static Elements ofChannels(const Elements &x, bool perChannel) {
  return toInt64(perChannel ? x : x.reshape({}));
}

static Reason checkScales(const Elements &multiplier, const Elements &shift,
                          const Elements &x, bool perChannel) {
  int64_t expected = perChannel && x.rank() > 0 ? x.dim(x.rank() - 1) : 1;
  if (multiplier.size() != expected || shift.size() != expected)
    return invalid("it has " + llvm::Twine(multiplier.size()) +
                   " multipliers, expected " + llvm::Twine(expected));
  if (auto bad = ops::firstWhere<int64_t>(
          toInt64(shift), [](int64_t n) { return n < 2 || n > 62; }))
    return undefined("shift #" + llvm::Twine(*bad) + " is not 2 to 62");
  if (auto bad = ops::firstWhere<int64_t>(toInt64(multiplier),
                                          [](int64_t n) { return n < 0; }))
    return undefined("multiplier #" + llvm::Twine(*bad) + " is negative");
  return {};
}

static Elements zipLong(const Elements &x, const Elements &y, auto f) {
  return ops::zipAs<int64_t, int64_t, int64_t>(x, y, f);
}

static FoldResult foldTosaRescale(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::RescaleOp>(cx.operation());
  const Elements &x = cx.input(0);
  bool perChannel = op.getPerChannel();
  if (!isSmallInteger(x.type()) || !isSmallInteger(cx.resultType()))
    return Elements();
  ReasonOr<Rescaling> r = rescalingOf(cx, op);
  if (!r)
    return r.reason();
  if (Reason no = checkScales(cx.input(1), cx.input(2), x, perChannel))
    return no;
  Elements wide = toInt64(x);
  if (op.getInputUnsigned())
    wide = mapInt64(wide, [mask = (int64_t(1) << bitWidth(x.type())) -
                                  1](int64_t a) { return a & mask; });
  wide = mapInt64(wide, [zero = r->inputZero](int64_t a) { return a - zero; });
  Elements multiplier = ofChannels(cx.input(1), perChannel);
  Elements shift = ofChannels(cx.input(2), perChannel);
  // Products of 32 bits each, and half of the last place, fit 64 bits.
  if (FoldResult fits = narrowed(wide, DataType::Int32); !fits)
    return fits;
  Elements products =
      zipLong(wide, multiplier, [](int64_t a, int64_t b) { return a * b; });
  Elements half =
      mapInt64(shift, [](int64_t n) { return int64_t(1) << (n - 1); });
  products =
      zipLong(products, half, [](int64_t a, int64_t b) { return a + b; });
  if (r->doubleRound) {
    Elements more = zipLong(wide, shift, [](int64_t a, int64_t n) {
      int64_t round = int64_t(1) << 30;
      return n <= 31 ? 0 : a >= 0 ? round : -round;
    });
    products =
        zipLong(products, more, [](int64_t a, int64_t b) { return a + b; });
  }
  Elements scaled =
      zipLong(products, shift, [](int64_t a, int64_t n) { return a >> n; });
  if (FoldResult fits = narrowed(scaled, DataType::Int32); !fits)
    return fits;
  Elements result = mapInt64(
      scaled, [zero = r->outputZero, low = r->low, high = r->high](int64_t a) {
        return std::clamp(a + zero, low, high);
      });
  return ops::cast(result, cx.resultType());
}

namespace onnxfold::upstream {
void registerTosaRescale(KernelRegistry &registry) {
  registry.add("rescale", {1}, foldTosaRescale);
}
} // namespace onnxfold::upstream
