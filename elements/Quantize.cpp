//===- Quantize.cpp - Linear quantisation ---------------------------------===//

#include "onnxfold/elements/Quantize.h"
#include "onnxfold/elements/Elementwise.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;

/// Elements that are worked on at a time, in double; they stay in L1.
static constexpr size_t piece = 256;

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
onnxfold::checkQuantization(const Elements &x, const Elements &scale,
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
// Arithmetic
//===----------------------------------------------------------------------===//

namespace {

struct QuantizeStep {
  DataType x, scale, zeroPoint, to, precision;
  CastOptions cast;

  void quotients(const char *in, const char *scales, double *out,
                 size_t n) const;
  void toIntegers(double *values, const double *zero, size_t n) const;
  void run(const void *const *in, char *out, size_t count) const;
};

struct DequantizeStep {
  DataType x, scale, zeroPoint, to;

  void run(const void *const *in, char *out, size_t count) const;
};

} // namespace

/// Rounds to a float type, staying in double.
static void roundTo(DataType type, double *values, size_t n) {
  double scratch[piece]; // as large as any type needs it
  if (type == DataType::Float64)
    return;
  convertBlockFromDouble(type, scratch, values, n);
  convertBlockToDouble(type, scratch, values, n);
}

/// x / scale, both and the result rounded to the type of the division.
void QuantizeStep::quotients(const char *in, const char *scales, double *out,
                             size_t n) const {
  double divisor[piece];
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

void QuantizeStep::run(const void *const *in, char *out, size_t count) const {
  auto *x0 = static_cast<const char *>(in[0]);
  auto *scales = static_cast<const char *>(in[1]);
  bool hasZero = zeroPoint != DataType::Undefined;
  double values[piece], zero[piece] = {};
  for (size_t first = 0; first < count; first += piece) {
    size_t n = std::min(piece, count - first);
    quotients(x0 + first * byteWidth(x), scales + first * byteWidth(scale),
              values, n);
    if (hasZero)
      convertBlockToDouble(zeroPoint,
                           static_cast<const char *>(in[2]) +
                               first * byteWidth(zeroPoint),
                           zero, n);
    if (isInteger(to))
      toIntegers(values, zero, n);
    else if (isSubByte(to))
      for (size_t i = 0; i < n; ++i)
        values[i] += zero[i];
    convertBlockFromDouble(to, out + first * byteWidth(to), values, n, cast);
  }
}

void DequantizeStep::run(const void *const *in, char *out, size_t count) const {
  bool hasZero = zeroPoint != DataType::Undefined;
  double values[piece], scales[piece], zero[piece] = {};
  for (size_t first = 0; first < count; first += piece) {
    size_t n = std::min(piece, count - first);
    auto read = [&](int operand, DataType type, double *to) {
      convertBlockToDouble(type,
                           static_cast<const char *>(in[operand]) +
                               first * byteWidth(type),
                           to, n);
    };
    read(0, x, values);
    read(1, scale, scales);
    if (hasZero)
      read(2, zeroPoint, zero);
    for (size_t i = 0; i < n; ++i)
      values[i] = (values[i] - zero[i]) * scales[i];
    convertBlockFromDouble(to, out + first * byteWidth(to), values, n);
  }
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
    static_cast<const Step *>(c)->run(in, static_cast<char *>(out), count);
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

Elements onnxfold::quantize(const Elements &x, const Elements &scale,
                            const Elements &zeroPoint,
                            const QuantizeOptions &options) {
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
  Operands operands(x, scale, zeroPoint, options);
  return operands.run(makeStep(step, to, operands.all.size()));
}

std::optional<int64_t>
onnxfold::firstNotQuantizable(const Elements &x, const Elements &scale,
                              const QuantizeOptions &options) {
  Elements wide = cast(x, DataType::Float64);
  Elements divisor =
      perElement(cast(scale, DataType::Float64), x.shape(), options);
  Elements bad =
      zipTo<bool>(wide, divisor, [](auto a, auto b) { return isNan(a / b); });
  return firstWhere<bool>(bad, [](bool isBad) { return isBad; });
}

Elements onnxfold::dequantize(const Elements &x, const Elements &scale,
                              const Elements &zeroPoint,
                              const QuantizeOptions &options) {
  DataType to = options.to == DataType::Undefined ? scale.type() : options.to;
  if (!isNumeric(x.type()) || typeClass(to) != TypeClass::Float)
    return {};
  DequantizeStep step{x.type(), scale.type(), typeOrUndefined(zeroPoint), to};
  Operands operands(x, scale, zeroPoint, options);
  return operands.run(makeStep(step, to, operands.all.size()));
}
