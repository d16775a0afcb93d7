//===- KeyIndex.cpp - Where a key stands in a list ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/KeyIndex.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/widenum/Dispatch.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// Elements that one thread looks up at least.
static constexpr int64_t keyGrain = 4096;

/// An integer that is the same for equal elements and for no others.
template <class T> static uint64_t codeOf(T value, bool bitwise) {
  if constexpr (std::is_integral_v<T>) {
    return uint64_t(int64_t(value));
  } else {
    double wide = convert<double>(value);
    if (!bitwise && wide != wide)
      return ~uint64_t(0); // one NaN for all
    return std::bit_cast<uint64_t>(bitwise ? wide : wide + 0.0); // -0 + 0 = 0
  }
}

bool KeyIndex::accepts(const Elements &keys) {
  return keys.type() == DataType::String ||
         visitArithmetic(keys.type(), [](auto) {});
}

KeyIndex::KeyIndex(const Elements &keys, bool bitwise)
    : count(keys.size()), bitwise(bitwise) {
  if (keys.type() == DataType::String) {
    ElementsArray<llvm::StringRef> texts(keys);
    for (int64_t i = 0; i < count; ++i)
      if (!strings.insert_or_assign(texts[i], i).second)
        repeated = i;
    return;
  }
  visitArithmetic(keys.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    ElementsArray<T> values(keys);
    for (int64_t i = 0; i < count; ++i)
      codes.push_back({codeOf(values[i], bitwise), i});
  });
  // The last of equal keys stands last; it is the one that is kept.
  llvm::sort(codes);
  size_t kept = 0;
  for (size_t i = 0; i < codes.size(); ++i) {
    if (kept != 0 && codes[kept - 1].first == codes[i].first) {
      repeated = codes[i].second;
      --kept;
    }
    codes[kept++] = codes[i];
  }
  codes.resize(kept);
}

int64_t KeyIndex::findCode(uint64_t code) const {
  auto it = llvm::lower_bound(
      codes, code, [](const auto &key, uint64_t c) { return key.first < c; });
  return it != codes.end() && it->first == code ? it->second : count;
}

Elements KeyIndex::find(const Elements &x) const {
  return Elements::build<int64_t>(x.shape(), [&](auto out) {
    if (x.type() == DataType::String) {
      ElementsArray<llvm::StringRef> texts(x);
      parallelFor(x.size(), keyGrain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          auto it = strings.find(texts[i]);
          out[i] = it == strings.end() ? count : it->second;
        }
      });
      return;
    }
    visitArithmetic(x.type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      ElementsArray<T> values(x);
      parallelFor(x.size(), keyGrain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          out[i] = findCode(codeOf(values[i], bitwise));
      });
    });
  });
}

Reason KeyIndex::checkUnique(llvm::StringRef name) const {
  if (!repeated)
    return {};
  return undefined("element [" + llvm::Twine(*repeated) + "] of attribute '" +
                   name + "' stands in it twice");
}

Elements onnxfold::mapByKeys(const KeyIndex &index, const Elements &x,
                             const Elements &values,
                             const Elements &byDefault) {
  return gather(concat({values, byDefault.reshape({1})}, 0), index.find(x), 0);
}

Elements onnxfold::tensorOf(llvm::ArrayRef<int64_t> values) {
  return Elements::fromValues<int64_t>({int64_t(values.size())}, values);
}

Elements onnxfold::tensorOf(llvm::ArrayRef<std::string> values) {
  llvm::SmallVector<llvm::StringRef> texts(values.begin(), values.end());
  return Elements::fromStrings({int64_t(values.size())}, texts);
}
