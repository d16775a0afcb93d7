//===- NonZero.cpp - Where elements are not zero --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/BuildKept.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/ops/internal/BoolBits.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::ops;

Elements ops::isNonZero(const Elements &x) {
  if (!x)
    return {};
  if (Elements r = movedInWide(x, [](auto e) { return isNonZero(e[0]); }))
    return r;
  if (isConvertible(DataType::Bool, x.type()))
    return cast(x, DataType::Bool);
  if (x.type() == DataType::Complex64)
    return mapAs<bool, std::complex<float>>(
        x, [](std::complex<float> v) { return v != 0.0f; });
  if (x.type() == DataType::Complex128)
    return mapAs<bool, std::complex<double>>(
        x, [](std::complex<double> v) { return v != 0.0; });
  if (x.type() == DataType::String)
    return mapAs<bool, llvm::StringRef>(
        x, [](llvm::StringRef v) { return !v.empty(); });
  return {};
}

namespace {

/// One bit for each element, and how many are set in each block: that takes
/// little memory, and x is computed once.
class BitMask {
public:
  explicit BitMask(const Elements &bools);

  /// How many bits are set in all.
  int64_t count() const { return starts.back(); }

  /// Calls f(number of the first, positions) for lists of set bits, in
  /// parallel.
  void forEachList(
      llvm::function_ref<void(int64_t, llvm::MutableArrayRef<int64_t>)> f)
      const;

private:
  int64_t size, block; // elements
  llvm::IntrusiveRefCntPtr<HeapBuffer> memory;
  uint64_t *words;
  std::vector<int64_t> starts; // bits set before each block
};

} // namespace

BitMask::BitMask(const Elements &bools) : size(bools.size()) {
  Elements::Reader reader(bools);
  block = llvm::alignTo(reader.preferredGrain(), 64);
  memory =
      llvm::makeIntrusiveRefCnt<HeapBuffer>(llvm::divideCeil(size, 64) * 8);
  words = reinterpret_cast<uint64_t *>(memory->data());
  starts.resize(llvm::divideCeil(size, block) + 1);
  parallelFor(size, block, [&](int64_t begin, int64_t end) {
    auto scratch = llvm::makeIntrusiveRefCnt<HeapBuffer>(block);
    for (int64_t first = begin; first < end; first += block) {
      int64_t n = std::min(block, end - first), set = 0;
      std::memset(scratch->data() + n / 64 * 64, 0,
                  llvm::alignTo(n, 64) - n / 64 * 64);
      reader.read(first, n, scratch->data());
      for (int64_t i = 0; i < n; i += 64) {
        uint64_t word = bitsOfBools(scratch->data() + i);
        words[(first + i) / 64] = word;
        set += llvm::popcount(word);
      }
      starts[first / block + 1] = set;
    }
  });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
}

void BitMask::forEachList(
    llvm::function_ref<void(int64_t, llvm::MutableArrayRef<int64_t>)> f) const {
  constexpr int64_t most = 2048;
  parallelFor(size, block, [&](int64_t begin, int64_t end) {
    int64_t list[most], n = 0, first = starts[begin / block];
    for (int64_t i = begin; i < end; i += 64) {
      for (uint64_t word = words[i / 64]; word != 0; word &= word - 1)
        list[n++] = i + llvm::countr_zero(word);
      if (n + 64 <= most && i + 64 < end)
        continue;
      f(first, llvm::MutableArrayRef(list, size_t(n)));
      first += std::exchange(n, 0);
    }
  });
}

/// Writes the remainders by `n` to `out`, and leaves the quotients.
static void divide(llvm::MutableArrayRef<int64_t> ascending, int64_t n,
                   int64_t *out) {
  int64_t quotient = 0, first = 0; // first = quotient * n
  for (int64_t &value : ascending) {
    if (value - first >= n) {
      quotient = value / n;
      first = quotient * n;
    }
    *out++ = value - first;
    value = quotient;
  }
}

Elements ops::nonZero(const Elements &x) {
  if (!x)
    return {};
  if (Elements r = movedInWide(x, [&](auto e) { return nonZero(e[0]); }))
    return r;
  Elements isSet = isNonZero(x);
  if (!isSet)
    return {};
  BitMask mask(isSet);
  int64_t rank = x.rank(), count = mask.count();
  return buildKept<int64_t>({rank, count},
                            [&](llvm::MutableArrayRef<int64_t> out) {
                              if (rank == 0)
                                return;
                              mask.forEachList([&](int64_t first, auto list) {
                                int64_t *to = out.data() + first;
                                for (int64_t d = rank - 1; d > 0; --d)
                                  divide(list, x.dim(d), to + d * count);
                                std::copy(list.begin(), list.end(), to);
                              });
                            });
}
