//===- Fourier.cpp - Discrete Fourier transforms --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Eigen's copy of kissfft transforms lengths of the factors 2, 3, 4 and 5. Its
// tables are filled here, because libm's sines differ from machine to machine.
// Other lengths are a convolution of such a length (Bluestein), since kissfft
// takes the square of a prime factor.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/nn/Fourier.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/widenum/Convert.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numbers>
#include <unsupported/Eigen/FFT>

using namespace onnxfold;
using namespace onnxfold::ops;
using Complex = std::complex<double>;

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

static bool isSmooth(int64_t n) {
  for (int64_t factor : {2, 3, 5})
    while (n % factor == 0)
      n /= factor;
  return n == 1;
}

/// The smallest length that kissfft is quick with and that is at least n.
static int64_t smoothLength(int64_t n) {
  int64_t best = llvm::PowerOf2Ceil(n);
  for (int64_t five = 1; five < best; five *= 5)
    for (int64_t odd = five; odd < best; odd *= 3)
      best = std::min<int64_t>(
          best, odd * llvm::PowerOf2Ceil(llvm::divideCeil(n, odd)));
  return best;
}

/// exp(2 pi i * number(k) / n) for k < count. An angle is reduced to an eighth
/// of the circle before it is rounded. REQUIRES: 0 <= number(k) < n.
template <class F>
static std::vector<Complex> roots(int64_t n, int64_t count, F number) {
  std::vector<Complex> result(count);
  constexpr int64_t block = 1024;
  double angles[block], cosines[block];
  int octants[block];
  for (int64_t first = 0; first < count; first += block) {
    int64_t size = std::min(block, count - first);
    for (int64_t i = 0; i < size; ++i) {
      int64_t eighths = 8 * number(first + i), rest = eighths % n;
      octants[i] = int(eighths / n);
      // Odd ones are counted backwards from their end.
      int64_t part = octants[i] % 2 == 0 ? rest : n - rest;
      angles[i] = cosines[i] =
          double(part) / double(n) * (std::numbers::pi / 4);
    }
    wide::cos(cosines, size);
    wide::sin(angles, size);
    for (int64_t i = 0; i < size; ++i) {
      double c = cosines[i], s = angles[i];
      const Complex at[] = {{c, s},   {s, c},   {-s, c}, {-c, s},
                            {-c, -s}, {-s, -c}, {s, -c}, {c, -s}};
      result[first + i] = at[octants[i]];
    }
  }
  return result;
}

namespace {

/// The transform of one length in one direction.
class Plan {
public:
  explicit Plan(const FourierTransform &transform);

  /// Complex numbers of memory that run() needs.
  int64_t scratchSize() const { return isDirect() ? 0 : 2 * size; }

  /// `in` and `out` have `length` elements, and do not overlap.
  void run(const Complex *in, Complex *out, Complex *scratch) const;

private:
  using Kiss = Eigen::internal::kiss_cpx_fft<double>;

  bool isDirect() const { return size == length; }
  void transform(const Complex *in, Complex *out) const;
  void convolve(const Complex *in, Complex *out, Complex *scratch) const;

  int64_t length, size; // size: of the transform that kissfft does
  // Its function has no const, but changes nothing where factors are small.
  mutable Kiss kiss;
  std::vector<Complex> chirp;    // exp(-+ pi i k^2 / length)
  std::vector<Complex> spectrum; // of its conjugate, both ways; over size
};

} // namespace

/// Multiplies as C++ does, without its search for infinities among NaNs.
static Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(),
          a.real() * b.imag() + a.imag() * b.real()};
}

static int64_t sizeOf(int64_t length) {
  return isSmooth(length) ? length : smoothLength(2 * length - 1);
}

Plan::Plan(const FourierTransform &t) : length(t.length), size(sizeOf(length)) {
  if (length == 1)
    return;
  bool backwards = isDirect() && t.inverse;
  kiss.m_inverse = backwards;
  kiss.factorize(int(size));
  kiss.m_twiddles = roots(size, size, [&](int64_t k) {
    return k == 0 || backwards ? k : size - k;
  });
  if (isDirect())
    return;
  // j * k = (j^2 + k^2 - (k - j)^2) / 2 makes a convolution of the sum.
  chirp = roots(2 * length, length, [&](int64_t k) {
    int64_t square = k * k % (2 * length);
    return square == 0 || t.inverse ? square : 2 * length - square;
  });
  std::vector<Complex> both(size);
  for (int64_t k = 0; k < length; ++k)
    both[k] = both[(size - k) % size] = std::conj(chirp[k]) / double(size);
  spectrum.resize(size);
  transform(both.data(), spectrum.data());
}

void Plan::transform(const Complex *in, Complex *out) const {
  kiss.work(0, out, in, 1, 1);
}

void Plan::run(const Complex *in, Complex *out, Complex *scratch) const {
  if (length == 1)
    *out = *in;
  else if (isDirect())
    transform(in, out);
  else
    convolve(in, out, scratch);
}

void Plan::convolve(const Complex *in, Complex *out, Complex *scratch) const {
  Complex *a = scratch, *b = scratch + size;
  for (int64_t k = 0; k < length; ++k)
    a[k] = times(in[k], chirp[k]);
  std::fill(a + length, a + size, Complex());
  transform(a, b);
  // The transform of conjugates is the conjugate of the inverse.
  for (int64_t k = 0; k < size; ++k)
    b[k] = std::conj(times(b[k], spectrum[k]));
  transform(b, a);
  for (int64_t k = 0; k < length; ++k)
    out[k] = times(std::conj(a[k]), chirp[k]);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

uint64_t FourierTransform::memory() const {
  int64_t size = sizeOf(length);
  int64_t numbers = size == length ? 3 * length : 5 * size + 3 * length;
  return (numbers + length) * sizeof(Complex);
}

double FourierTransform::work() const {
  int64_t size = sizeOf(length);
  return (size == length ? 5.0 : 10.0) * double(size) *
         double(llvm::Log2_64(size) + 1);
}

namespace {

/// Rows of a tensor, frames within batches, and what becomes of them.
struct Rows {
  FourierTransform transform;
  DataType type;
  int64_t parts;             // of an element of the input
  int64_t used;              // elements of a row, at most those needed
  int64_t rows, frames;      // in all; in a batch
  int64_t batchPitch, pitch; // elements between batches, and between frames

  void run(const Elements &x, const Elements &window, char *out) const;

private:
  bool load(const double *values, const double *window, Complex *in) const;
  void finish(Complex *out) const;
  void store(Complex *results, char *out) const;
};

} // namespace

/// Fills a row; false if a value is not finite.
bool Rows::load(const double *values, const double *window, Complex *in) const {
  bool finite = true;
  for (int64_t i = 0; i < used; ++i) {
    double re = values[i * parts], im = parts == 2 ? values[i * 2 + 1] : 0;
    if (window) {
      re *= window[i];
      im *= window[i];
    }
    finite &= std::isfinite(re) && std::isfinite(im);
    in[i] = {re, im};
  }
  std::fill(in + used, in + transform.length, Complex());
  if (transform.half && transform.inverse) {
    // The bins that are their own mirror image are real.
    int64_t n = transform.length;
    in[0].imag(0);
    if (n % 2 == 0)
      in[n / 2].imag(0);
    for (int64_t k = n / 2 + 1; k < n; ++k)
      in[k] = std::conj(in[n - k]);
  }
  return finite;
}

/// Makes exact what is known of the results: the symmetry of real signals.
void Rows::finish(Complex *out) const {
  int64_t n = transform.length;
  if (transform.inverse)
    for (int64_t k = 0; k < n; ++k)
      out[k] /= double(n);
  if (parts == 2)
    return;
  out[0].imag(0);
  if (n % 2 == 0)
    out[n / 2].imag(0);
  for (int64_t k = n / 2 + 1; k < n; ++k)
    out[k] = std::conj(out[n - k]);
}

void Rows::store(Complex *results, char *out) const {
  auto *values = reinterpret_cast<double *>(results);
  int64_t count = transform.bins() * transform.parts();
  if (transform.parts() == 1)
    for (int64_t i = 0; i < count; ++i)
      values[i] = values[2 * i];
  // The compiler chooses which of two NaNs a sum has: all become one.
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (int64_t i = 0; i < count; ++i)
    values[i] = std::isnan(values[i]) ? nan : values[i];
  convertBlockFromDouble(type, out, values, count);
}

static std::vector<double> asDoubles(const Elements &x) {
  std::vector<double> result(x ? x.size() : 0);
  if (x)
    convertBlockToDouble(x.type(), ElementsBytes(x).data(), result.data(),
                         result.size());
  return result;
}

void Rows::run(const Elements &x, const Elements &window, char *out) const {
  Plan plan(transform);
  Elements::Reader reader(x);
  std::vector<double> factors = asDoubles(window);
  int64_t rowBytes = transform.bins() * transform.parts() * byteWidth(type);
  int64_t n = transform.length;
  auto grain = int64_t(std::clamp((1 << 20) / transform.work(), 1.0, 1024.0));
  parallelFor(rows, grain, [&](int64_t begin, int64_t end) {
    std::vector<Complex> in(n), results(n), scratch(plan.scratchSize());
    std::vector<double> values(used * parts), raw(used * parts);
    for (int64_t row = begin; row < end; ++row) {
      int64_t first = row / frames * batchPitch + row % frames * pitch;
      const void *bytes = reader.view(first, used * parts, raw.data());
      convertBlockToDouble(type, bytes, values.data(), used * parts);
      if (load(values.data(), window ? factors.data() : nullptr, in.data())) {
        plan.run(in.data(), results.data(), scratch.data());
        finish(results.data());
      } else {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        std::fill(results.begin(), results.end(), Complex(nan, nan));
      }
      store(results.data(), out + row * rowBytes);
    }
  });
}

Elements ops::fourier(const Elements &x, const FourierTransform &t) {
  if (!x)
    return {};
  if (typeClass(x.type()) != TypeClass::Float)
    return {};
  if (Elements r = inWide(x, [&](auto e) { return fourier(e[0], t); }))
    return r;
  assert(t.length > 0 && t.length <= t.maxLength && x.rank() == 3);
  int64_t parts = x.dim(2), pitch = x.dim(1) * parts;
  int64_t needed = t.half && t.inverse ? t.length / 2 + 1 : t.length;
  Rows rows{t,        x.type(), parts, std::min(x.dim(1), needed),
            x.dim(0), 1,        pitch, 0};
  return Elements::deferred(x.type(), {x.dim(0), t.bins(), t.parts()}, x,
                            [=](char *out) { rows.run(x, {}, out); });
}

Elements ops::fourierOfFrames(const Elements &signal, const Elements &window,
                              int64_t step, const FourierTransform &t) {
  if (!signal)
    return {};
  if (typeClass(signal.type()) != TypeClass::Float)
    return {};
  llvm::SmallVector<Elements, 2> operands = {signal};
  if (window)
    operands.push_back(window);
  if (Elements r = inWide(operands, [&](auto e) {
        return fourierOfFrames(e[0], window ? e[1] : Elements(), step, t);
      }))
    return r;
  int64_t batch = signal.dim(0), n = signal.dim(1), parts = signal.dim(2);
  assert(step > 0 && t.length > 0 && t.length <= n);
  step = std::min(step, n); // it may be as large as it wants
  int64_t frames = (n - t.length) / step + 1;
  Rows rows{t,      signal.type(), parts,       t.length, batch * frames,
            frames, n * parts,     step * parts};
  return Elements::deferred(signal.type(), {batch, frames, t.bins(), t.parts()},
                            operands,
                            [=](char *out) { rows.run(signal, window, out); });
}
