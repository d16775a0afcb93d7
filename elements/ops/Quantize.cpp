//===- Quantize.cpp - Linear quantisation ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Quantize.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/widenum/CpuLevel.h"
#include "llvm/Support/MathExtras.h"
#include <bit>

using namespace onnxfold;
using namespace onnxfold::ops;

/// Elements that are worked on at a time, in double; they stay in L1.
static constexpr size_t quantizedPiece = 256;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static bool isPerTensor(const Elements &p) {
  return p.size() == 1 && p.rank() <= 1;
}

static std::optional<std::string> checkParameter(const Elements &x,
                                                 const Elements &p,
                                                 const char *what,
                                                 const QuantizeOptions &o) {
  if (isPerTensor(p))
    return std::nullopt;
  auto mismatch = [&](ShapeRef expected) {
    return std::string(what) + " has shape " + toString(p.shape()) +
           ", expected " + toString(expected);
  };
  if (o.axis < 0 || o.axis >= x.rank())
    return "axis " + std::to_string(o.axis) + " is outside the " +
           std::to_string(x.rank()) + " dimensions of the input";
  if (o.blockSize == 0) {
    if (p.shape() == ShapeRef({x.dim(o.axis)}))
      return std::nullopt;
    return mismatch({x.dim(o.axis)});
  }
  if (o.blockSize < 0)
    return "block size " + std::to_string(o.blockSize) + " is negative";
  Shape expected(x.shape());
  expected[o.axis] = llvm::divideCeil(x.dim(o.axis), o.blockSize);
  return p.shape() == ShapeRef(expected)
             ? std::nullopt
             : std::optional<std::string>(mismatch(expected));
}

std::optional<std::string>
ops::checkQuantization(const Elements &x, const Elements &scale,
                       const Elements &zeroPoint,
                       const QuantizeOptions &options) {
  if (auto problem = checkParameter(x, scale, "scale", options))
    return problem;
  if (zeroPoint)
    return checkParameter(x, zeroPoint, "zero point", options);
  return std::nullopt;
}

namespace {
/// The operands in a common shape; that of x may be split into blocks.
struct Operands {
  llvm::SmallVector<Elements, 3> all; // x, scale, zero point
  Shape shape, split;

  Operands(const Elements &x, const Elements &scale, const Elements &zeroPoint,
           const QuantizeOptions &options);

  Elements run(const ElementsStep &step) const {
    return Elements::apply(step, split, all).reshape(shape);
  }
};
} // namespace

static Elements perElement(const Elements &p, ShapeRef shape,
                           const QuantizeOptions &o) {
  if (isPerTensor(p))
    return p.reshape({}).expand(shape);
  if (o.blockSize == 0) {
    Shape column(shape.size(), 1);
    column[o.axis] = shape[o.axis];
    return p.reshape(column).expand(shape);
  }
  // The last block may be shorter than the others.
  Shape blocks(p.shape()), whole(p.shape());
  blocks.insert(blocks.begin() + o.axis + 1, o.blockSize);
  whole[o.axis] *= o.blockSize;
  return p.unsqueeze({o.axis + 1})
      .expand(blocks)
      .reshape(whole)
      .slice(o.axis, 0, shape[o.axis]);
}

Operands::Operands(const Elements &x, const Elements &scale,
                   const Elements &zeroPoint, const QuantizeOptions &o)
    : shape(x.shape()), split(x.shape()) {
  assert(!checkQuantization(x, scale, zeroPoint, o));
  bool byBlocks = o.blockSize != 0 && !isPerTensor(scale) &&
                  x.dim(o.axis) % o.blockSize == 0;
  if (byBlocks) {
    // Whole blocks are a dimension of their own, along which scales are views.
    split[o.axis] /= o.blockSize;
    split.insert(split.begin() + o.axis + 1, o.blockSize);
  }
  auto spread = [&](const Elements &p) {
    return byBlocks && !isPerTensor(p) ? p.unsqueeze({o.axis + 1}).expand(split)
                                       : perElement(p, split, o);
  };
  all.push_back(x.reshape(split));
  all.push_back(spread(scale));
  if (zeroPoint)
    all.push_back(spread(zeroPoint));
}

//===----------------------------------------------------------------------===//
// Arithmetic in double
//===----------------------------------------------------------------------===//

namespace {

struct QuantizeStep {
  DataType x, scale, zeroPoint, to, precision;
  CastOptions cast;
  bool inFloat = false;

  void quotients(const char *in, const char *scales, double *out,
                 size_t n) const;
  void toIntegers(double *values, const double *zero, size_t n) const;
  void runInDouble(const char *const *in, char *out, size_t n) const;
  bool fitsFloat() const;
  void runInFloat(const char *const *in, char *out, size_t n) const;
};

struct DequantizeStep {
  DataType x, scale, zeroPoint, to;
  bool inFloat = false;

  void runInDouble(const char *const *in, char *out, size_t n) const;
  bool fitsFloat() const;
  void runInFloat(const char *const *in, char *out, size_t n) const;
};

} // namespace

/// Rounds to a float type, staying in double.
static void roundTo(DataType type, double *values, size_t n) {
  double scratch[quantizedPiece]; // as large as any type needs it
  if (type == DataType::Float64)
    return;
  convertBlockFromDouble(type, scratch, values, n);
  convertBlockToDouble(type, scratch, values, n);
}

/// x / scale, both and the result rounded to the type of the division.
void QuantizeStep::quotients(const char *in, const char *scales, double *out,
                             size_t n) const {
  double divisor[quantizedPiece];
  convertBlockToDouble(x, in, out, n);
  convertBlockToDouble(scale, scales, divisor, n);
  if (x != precision)
    roundTo(precision, out, n);
  if (scale != precision)
    roundTo(precision, divisor, n);
  for (size_t i = 0; i < n; ++i)
    out[i] /= divisor[i];
  roundTo(precision, out, n);
}

/// Rounds to even, adds the zero point, saturates.
void QuantizeStep::toIntegers(double *values, const double *zero,
                              size_t n) const {
  int bits = bitWidth(to);
  double lowest = isSigned(to) ? -double(int64_t(1) << (bits - 1)) : 0;
  double highest = double(int64_t(1) << (bits - isSigned(to))) - 1;
  // Adding and subtracting this rounds to even, below 2^51.
  constexpr double magic = 0x1.8p52, limit = 0x1p40;
  for (size_t i = 0; i < n; ++i) {
    double v = values[i];
    v = v != v ? 0.0 : v;
    v = v > limit ? limit : v < -limit ? -limit : v;
    v = (v + magic) - magic + zero[i];
    values[i] = v > highest ? highest : v < lowest ? lowest : v;
  }
}

void QuantizeStep::runInDouble(const char *const *in, char *out,
                               size_t n) const {
  bool hasZero = zeroPoint != DataType::Undefined;
  double values[quantizedPiece], zero[quantizedPiece] = {};
  quotients(in[0], in[1], values, n);
  if (hasZero)
    convertBlockToDouble(zeroPoint, in[2], zero, n);
  if (isInteger(to))
    toIntegers(values, zero, n);
  else if (hasZero && isSubByte(to)) // without one, -0 is kept
    for (size_t i = 0; i < n; ++i)
      values[i] += zero[i];
  convertBlockFromDouble(to, out, values, n, cast);
}

void DequantizeStep::runInDouble(const char *const *in, char *out,
                                 size_t n) const {
  double values[quantizedPiece], scales[quantizedPiece],
      zero[quantizedPiece] = {};
  convertBlockToDouble(x, in[0], values, n);
  convertBlockToDouble(scale, in[1], scales, n);
  if (zeroPoint != DataType::Undefined)
    convertBlockToDouble(zeroPoint, in[2], zero, n);
  for (size_t i = 0; i < n; ++i)
    values[i] = (values[i] - zero[i]) * scales[i];
  convertBlockFromDouble(to, out, values, n);
}

//===----------------------------------------------------------------------===//
// Arithmetic in float, where it gives the same bits
//===----------------------------------------------------------------------===//

/// Integers of up to 16 bits by the type of the bytes that they lie in:
/// sub-byte ones are whole bytes.
template <class V> static bool visitNarrow(DataType type, V &&visitor) {
  if (!isInteger(type) || bitWidth(type) > 16)
    return false;
  if (bitWidth(type) == 16)
    isSigned(type) ? visitor(TypeTag<int16_t>{}) : visitor(TypeTag<uint16_t>{});
  else
    isSigned(type) ? visitor(TypeTag<int8_t>{}) : visitor(TypeTag<uint8_t>{});
  return true;
}

static bool isNarrow(DataType type) {
  return visitNarrow(type, [](auto) {});
}

static bool isUpToFloat(DataType type) {
  return typeClass(type) == TypeClass::Float && type != DataType::Float64;
}

/// Elements that are worked on at a time in float; a block is no longer.
static constexpr size_t floatPiece = 1024;

/// A block as floats: where it lies, or in `scratch`.
static const float *asFloats(DataType type, const char *in, float *scratch,
                             size_t n) {
  if (type == DataType::Float32)
    return reinterpret_cast<const float *>(in);
  convertBlock(DataType::Float32, scratch, type, in, n);
  return scratch;
}

/// saturate(round(x / s) + zero), all in float, which has room for the
/// integers.
template <class T>
[[gnu::always_inline]] static inline void
quantizeLoop(const float *x, const float *s, const T *zero, T *out, size_t n,
             float lowest, float highest) {
  // Adding this leaves an integer in the low bits, rounded to even. What is too
  // large for that is far beyond the range that saturates, and still is after
  // it.
  constexpr float magic = 0x1.8p23f;
  float low = magic + lowest, high = magic + highest;
  for (size_t i = 0; i < n; ++i) {
    float v = x[i] / s[i];
    // NaN is 0. As a choice between two values it would be a jump, and the loop
    // not vectorised for AVX2.
    v = std::bit_cast<float>(std::bit_cast<int>(v) & -int(v == v));
    v = (v + magic) + float(zero[i]);
    v = v > high ? high : v;
    v = v < low ? low : v;
    out[i] = T(std::bit_cast<int>(v));
  }
}

/// The quotient of floats rounded to float, or that of f16s to f16, is the one
/// in double rounded (Convert.h, ComputeType).
bool QuantizeStep::fitsFloat() const {
  bool exactOperands =
      precision == DataType::Float32
          ? isUpToFloat(scale) && (isUpToFloat(x) || x == DataType::Int32)
          : isUpToFloat(precision) && scale == precision && x == precision;
  bool noZero = zeroPoint == DataType::Undefined;
  if (isInteger(to))
    return exactOperands && isNarrow(to) && (noZero || zeroPoint == to);
  return exactOperands && (noZero || !isSubByte(to));
}

void QuantizeStep::runInFloat(const char *const *in, char *out,
                              size_t n) const {
  float scratch[floatPiece], divisors[floatPiece], quotients[floatPiece];
  const float *dividend = asFloats(x, in[0], scratch, n);
  const float *divisor = asFloats(scale, in[1], divisors, n);
  if (!isInteger(to) || precision != DataType::Float32) {
    uint16_t narrow[floatPiece];
    atCpuLevel([&] {
      for (size_t i = 0; i < n; ++i)
        quotients[i] = dividend[i] / divisor[i];
    });
    if (precision != DataType::Float32) {
      convertBlock(precision, narrow, DataType::Float32, quotients, n);
      convertBlock(DataType::Float32, quotients, precision, narrow, n);
    }
    if (!isInteger(to))
      return convertBlock(to, out, DataType::Float32, quotients, n, cast);
    dividend = quotients;
    divisor = std::fill_n(divisors, n, 1.0f) - n;
  }
  int bits = bitWidth(to), highest = (1 << (bits - isSigned(to))) - 1;
  int lowest = isSigned(to) ? -highest - 1 : 0;
  bool hasZero = zeroPoint != DataType::Undefined;
  visitNarrow(to, [&](auto tag) {
    using T = typename decltype(tag)::type;
    static constexpr T none[floatPiece] = {};
    auto *zero = hasZero ? reinterpret_cast<const T *>(in[2]) : none;
    auto *to = reinterpret_cast<T *>(out);
    // Captured by value: bytes that are written might be anything else.
    atCpuLevel([=] {
      quantizeLoop(dividend, divisor, zero, to, n, float(lowest),
                   float(highest));
    });
  });
}

/// (x - zero) * scale; `zero` may be null.
template <class T>
[[gnu::always_inline]] static inline void
dequantizeLoop(const T *x, const float *s, const T *zero, float *out,
               size_t n) {
  for (size_t i = 0; i < n; ++i)
    out[i] = float(int(x[i]) - (zero ? int(zero[i]) : 0)) * s[i];
}

/// A difference of 17 bits is exact in float, so that the product is rounded
/// once to float; times 11 bits of f16 it is exact if x has 8 bits.
bool DequantizeStep::fitsFloat() const {
  bool noZero = zeroPoint == DataType::Undefined;
  bool isExact = bitWidth(x) <= 8 && scale != DataType::Float32;
  return isNarrow(x) && (noZero || zeroPoint == x) && isUpToFloat(scale) &&
         (to == DataType::Float32 || (isUpToFloat(to) && isExact));
}

void DequantizeStep::runInFloat(const char *const *in, char *out,
                                size_t n) const {
  float scales[floatPiece], products[floatPiece];
  const float *s = asFloats(scale, in[1], scales, n);
  bool isFloat = to == DataType::Float32;
  float *result = isFloat ? reinterpret_cast<float *>(out) : products;
  visitNarrow(x, [&](auto tag) {
    using T = typename decltype(tag)::type;
    bool hasZero = zeroPoint != DataType::Undefined;
    auto *from = reinterpret_cast<const T *>(in[0]);
    auto *zero = reinterpret_cast<const T *>(hasZero ? in[2] : nullptr);
    atCpuLevel([=] { dequantizeLoop(from, s, zero, result, n); });
  });
  if (!isFloat)
    convertBlock(to, out, DataType::Float32, products, n);
}

/// Calls f(operands, out, n) for pieces of a block.
template <class Step, class F>
static void forPieces(const Step &step, const void *const *in, char *out,
                      size_t count, size_t quantizedPiece, F f) {
  DataType types[] = {step.x, step.scale, step.zeroPoint};
  size_t operands = step.zeroPoint == DataType::Undefined ? 2 : 3;
  for (size_t first = 0; first < count; first += quantizedPiece) {
    const char *at[3] = {};
    for (size_t i = 0; i < operands; ++i)
      at[i] = static_cast<const char *>(in[i]) + first * byteWidth(types[i]);
    f(at, out + first * byteWidth(step.to),
      std::min(quantizedPiece, count - first));
  }
}

template <class Step>
static void runStep(const Step &step, const void *const *in, char *out,
                    size_t count) {
  if (step.inFloat)
    return forPieces(step, in, out, count, floatPiece,
                     [&](const char *const *in, char *out, size_t n) {
                       step.runInFloat(in, out, n);
                     });
  forPieces(step, in, out, count, quantizedPiece,
            [&](const char *const *in, char *out, size_t n) {
              step.runInDouble(in, out, n);
            });
}

//===----------------------------------------------------------------------===//
// The operations
//===----------------------------------------------------------------------===//

template <class Step>
static ElementsStep makeStep(Step closure, DataType type, unsigned arity) {
  static_assert(sizeof(Step) <= ElementsStep::closureSize);
  ElementsStep step;
  step.type = type;
  step.arity = arity;
  step.function = [](const void *c, const void *const *in, void *out,
                     size_t count) {
    runStep(*static_cast<const Step *>(c), in, static_cast<char *>(out), count);
  };
  new (step.closure) Step(closure);
  return step;
}

static DataType typeOrUndefined(const Elements &x) {
  return x ? x.type() : DataType::Undefined;
}

/// The type in which x / scale is computed.
static DataType precisionOf(const Elements &scale, const QuantizeOptions &o) {
  DataType type =
      o.precision != DataType::Undefined ? o.precision : scale.type();
  return typeClass(type) == TypeClass::Float ? type : DataType::Float32;
}

Elements ops::quantize(const Elements &x, const Elements &scale,
                       const Elements &zeroPoint,
                       const QuantizeOptions &options) {
  if (!x || !scale)
    return {};
  DataType to = options.to;
  if (to == DataType::Undefined)
    to = zeroPoint ? zeroPoint.type() : DataType::UInt8;
  bool known = (isInteger(to) && bitWidth(to) <= 32) ||
               typeClass(to) == TypeClass::SmallFloat;
  if (!known ||
      !(typeClass(x.type()) == TypeClass::Float || x.type() == DataType::Int32))
    return {};
  QuantizeStep step{x.type(),
                    scale.type(),
                    typeOrUndefined(zeroPoint),
                    to,
                    precisionOf(scale, options),
                    options.cast};
  step.inFloat = step.fitsFloat();
  Operands operands(x, scale, zeroPoint, options);
  return operands.run(makeStep(step, to, operands.all.size()));
}

Elements ops::quotients(const Elements &x, const Elements &scale,
                        const QuantizeOptions &options) {
  Elements divisor =
      perElement(cast(scale, DataType::Float64), x.shape(), options);
  return zipAs<double, double, double>(
      cast(x, DataType::Float64), divisor,
      [](double a, double b) { return a / b; });
}

Elements ops::quotientIsNaN(const Elements &x, const Elements &scale,
                            const QuantizeOptions &options) {
  if (!x || !scale)
    return {};
  Elements wide = cast(x, DataType::Float64);
  Elements divisor =
      perElement(cast(scale, DataType::Float64), x.shape(), options);
  return zipTo<bool>(wide, divisor,
                     [](auto a, auto b) { return isNan(a / b); });
}

std::optional<int64_t>
ops::firstNotQuantizable(const Elements &x, const Elements &scale,
                         const QuantizeOptions &options) {
  return firstWhere<bool>(quotientIsNaN(x, scale, options),
                          [](bool isBad) { return isBad; });
}

Elements ops::dequantize(const Elements &x, const Elements &scale,
                         const Elements &zeroPoint,
                         const QuantizeOptions &options) {
  if (!x || !scale)
    return {};
  DataType to = options.to == DataType::Undefined ? scale.type() : options.to;
  if (!isNumeric(x.type()) || typeClass(to) != TypeClass::Float)
    return {};
  DequantizeStep step{x.type(), scale.type(), typeOrUndefined(zeroPoint), to};
  step.inFloat = step.fitsFloat();
  Operands operands(x, scale, zeroPoint, options);
  return operands.run(makeStep(step, to, operands.all.size()));
}
