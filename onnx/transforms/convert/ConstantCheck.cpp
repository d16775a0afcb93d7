//===- ConstantCheck.cpp - What a constant loses in another type ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/convert/internal/ConstantCheck.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/widenum/Convert.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <mutex>

using namespace onnxfold;

namespace {

struct Losses {
  double error = 0;
  int64_t overflows = 0, underflows = 0, numbers = 0; // that are not 0
  double worst = 0;                                   // of those that overflow

  void add(const Losses &other) {
    error = std::fmax(error, other.error);
    overflows += other.overflows;
    underflows += other.underflows;
    numbers += other.numbers;
    if (std::fabs(other.worst) > std::fabs(worst))
      worst = other.worst;
  }
};

} // namespace

/// Notes numbers before and after. (NaN and infinity stay what they are.)
static void note(Losses &losses, double before, double after) {
  if (before == 0 || !std::isfinite(before))
    return;
  ++losses.numbers;
  if (!std::isfinite(after)) {
    ++losses.overflows;
    if (std::fabs(before) > std::fabs(losses.worst))
      losses.worst = before;
    return;
  }
  losses.underflows += after == 0;
  losses.error = std::fmax(losses.error, std::fabs(after - before));
}

/// The same of a block, without a branch for each number where all are finite.
template <class T>
static void noteBlock(Losses &losses, const T *before, const T *after,
                      int64_t count) {
  double error = 0;
  bool areFinite = true;
  int64_t zerosBefore = 0, zerosAfter = 0;
  for (int64_t i = 0; i < count; ++i) {
    double change = std::fabs(double(after[i]) - double(before[i]));
    error = change > error ? change : error;
    areFinite &= change < HUGE_VAL; // false for NaN, too
    zerosBefore += before[i] == 0;
    zerosAfter += after[i] == 0;
  }
  if (!areFinite) {
    for (int64_t i = 0; i < count; ++i)
      note(losses, before[i], after[i]);
    return;
  }
  losses.numbers += count - zerosBefore;
  losses.underflows += zerosAfter - zerosBefore;
  losses.error = std::fmax(losses.error, error);
}

/// T, which is `wide`, holds every number of both types.
template <class T>
static Losses lossesIn(DataType wide, const Elements &value, DataType to) {
  constexpr int64_t block = 4 << 10; // three arrays that stay in the cache
  Elements::Reader reader(ops::cast(value, wide),
                          Elements::Reader::Access::Once);
  Losses all;
  std::mutex mutex;
  parallelFor(value.size(), parallelGrain, [&](int64_t begin, int64_t end) {
    std::vector<T> before(block), narrow(block), after(block);
    Losses mine;
    for (int64_t at = begin; at < end; at += block) {
      int64_t count = std::min(block, end - at);
      reader.read(at, count, before.data());
      convertBlock(to, narrow.data(), wide, before.data(), count);
      convertBlock(wide, after.data(), to, narrow.data(), count);
      noteBlock(mine, before.data(), after.data(), count);
    }
    std::lock_guard lock(mutex);
    all.add(mine);
  });
  return all;
}

static Losses lossesOfFloats(const Elements &value, DataType to) {
  return value.type() == DataType::Float64 || to == DataType::Float64
             ? lossesIn<double>(DataType::Float64, value, to)
             : lossesIn<float>(DataType::Float32, value, to);
}

static Losses lossesOfIntegers(const Elements &value, DataType to) {
  constexpr int64_t block = 16 << 10;
  Elements::Reader reader(value, Elements::Reader::Access::Once);
  DataType from = value.type();
  Losses losses;
  std::vector<char> bytes(block * byteWidth(from));
  for (int64_t at = 0; at < value.size(); at += block) {
    int64_t count = std::min(block, value.size() - at);
    reader.read(at, count, bytes.data());
    for (int64_t i = 0; i < count; ++i) {
      WideNum number = WideNum::from(from, bytes.data() + i * byteWidth(from));
      if (number.fits(to))
        continue;
      ++losses.overflows;
      losses.worst = number.to<double>();
    }
  }
  return losses;
}

static bool vanishes(const Losses &losses) {
  return losses.underflows != 0 && losses.underflows == losses.numbers;
}

static std::string keptBecause(const Losses &losses, const TypePair &pair) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (losses.overflows != 0 && !pair.saturates)
    out << llvm::format("%.9g", losses.worst) << " is beyond " << name(pair.to);
  else if (vanishes(losses) && !pair.saturates)
    out << "all its numbers would become 0 in " << name(pair.to);
  return text;
}

ConvertedTensor onnxfold::checkConstant(const Elements &value,
                                        const TypePair &pair) {
  ConvertedTensor result;
  result.from = pair.from;
  result.to = pair.to;
  result.elements = value.size();
  Losses losses = isFloat(pair.from) ? lossesOfFloats(value, pair.to)
                                     : lossesOfIntegers(value, pair.to);
  result.largestError = losses.error;
  result.overflows = losses.overflows;
  result.underflows = losses.underflows;
  result.vanishes = vanishes(losses);
  result.kept = keptBecause(losses, pair);
  return result;
}

/// The smallest number above 0 and the largest finite one.
static std::pair<double, double> boundsOf(DataType type) {
  switch (type) {
  case DataType::Float16:
    return {0x1p-24, 65504};
  case DataType::BFloat16:
    return {0x1p-133, 0x1.fep127};
  case DataType::Float32:
    return {0x1p-149, 0x1.fffffep127};
  default:
    return {0, HUGE_VAL};
  }
}

/// Finite numbers beyond the type become its largest ones. If all would become
/// 0, each becomes the smallest one of its sign.
static Elements saturateFloats(const Elements &value, const TypePair &pair,
                               bool vanishes) {
  auto [least, most] = boundsOf(pair.to);
  return ops::mapBlocks(
      value, pair.to,
      [from = pair.from, to = pair.to, least = vanishes ? least : 0,
       most = most](const void *in, void *out, size_t count) {
        size_t inWidth = byteWidth(from), outWidth = byteWidth(to);
        for (size_t i = 0; i < count; ++i) {
          double number =
              WideNum::from(from, static_cast<const char *>(in) + i * inWidth)
                  .to<double>();
          if (std::isfinite(number) && std::fabs(number) > most)
            number = std::copysign(most, number);
          if (number != 0 && std::fabs(number) < least)
            number = std::copysign(least, number);
          WideNum::widen(number).store(to,
                                       static_cast<char *>(out) + i * outWidth);
        }
      });
}

Elements onnxfold::convertConstant(const Elements &value, const TypePair &pair,
                                   const ConvertedTensor &losses) {
  bool isClipped = losses.overflows != 0 || losses.vanishes;
  if (!pair.saturates || !isClipped)
    return ops::cast(value, pair.to);
  if (isFloat(pair.from))
    return saturateFloats(value, pair, losses.vanishes);
  DataType from = pair.from, to = pair.to;
  return ops::mapBlocks(
      value, to, [from, to](const void *in, void *out, size_t count) {
        size_t inWidth = byteWidth(from), outWidth = byteWidth(to);
        int64_t bits = bitWidth(to);
        for (size_t i = 0; i < count; ++i) {
          WideNum number =
              WideNum::from(from, static_cast<const char *>(in) + i * inWidth);
          if (!number.fits(to)) {
            bool isNegative = number.to<double>() < 0;
            if (isSigned(to))
              number =
                  WideNum::widen(isNegative ? -(int64_t(1) << (bits - 1))
                                            : (int64_t(1) << (bits - 1)) - 1);
            else
              number = WideNum::widen(isNegative ? uint64_t(0)
                                                 : ~uint64_t(0) >> (64 - bits));
          }
          number.store(to, static_cast<char *>(out) + i * outWidth);
        }
      });
}
