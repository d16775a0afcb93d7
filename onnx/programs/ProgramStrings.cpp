//===- ProgramStrings.cpp - Texts as elements of programs -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/programs/ProgramStrings.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>
#include <vector>

using namespace onnxfold;

namespace {
struct TextTable {
  TextTable() { add(""); }

  int64_t add(llvm::StringRef text) {
    auto [entry, isNew] = numbers.try_emplace(text, texts.size());
    if (isNew)
      texts.push_back(entry->getKey());
    return entry->getValue();
  }

  std::mutex mutex; // guards the rest
  llvm::StringMap<int64_t> numbers;
  std::vector<llvm::StringRef> texts; // keys of the map
};
} // namespace

static TextTable &textTable() {
  static auto *table = new TextTable; // programs may end after it would
  return *table;
}

int64_t onnxfold::numberOfText(llvm::StringRef text) {
  TextTable &table = textTable();
  std::lock_guard guard(table.mutex);
  return table.add(text);
}

std::optional<llvm::StringRef> onnxfold::textOfNumber(int64_t number) {
  TextTable &table = textTable();
  std::lock_guard guard(table.mutex);
  if (number < 0 || uint64_t(number) >= table.texts.size())
    return std::nullopt;
  return table.texts[number];
}
