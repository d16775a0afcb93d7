//===- Helpers.cpp - Functions of DML that lowerings call -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/export/Helpers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cassert>

using namespace onnxfold::dml;
using llvm::StringRef;

/// In the order of `names`.
static constexpr StringRef texts[] = {
#define HELPER(Name, Text) Text,
#include "onnxfold/dml/AllHelpers.def"
#undef HELPER
};

llvm::ArrayRef<StringRef> onnxfold::dml::helperNames() {
  static constexpr StringRef names[] = {
#define HELPER(Name, Text) #Name,
#include "onnxfold/dml/AllHelpers.def"
#undef HELPER
  };
  return names;
}

StringRef onnxfold::dml::helperText(StringRef name) {
  const auto *found = llvm::lower_bound(helperNames(), name);
  assert(found != helperNames().end() && *found == name && "no such helper");
  return texts[found - helperNames().begin()];
}

void onnxfold::dml::addHelper(StringRef name,
                              llvm::SetVector<StringRef> &helpers) {
  if (helpers.contains(name))
    return;
  StringRef body = helperText(name);
  auto isPartOfName = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  while (!body.empty()) {
    StringRef word = body.take_while(isPartOfName);
    body = body.drop_front(std::max<size_t>(word.size(), 1));
    if (word != name && body.starts_with("(") &&
        llvm::binary_search(helperNames(), word))
      addHelper(*llvm::lower_bound(helperNames(), word), helpers);
  }
  helpers.insert(*llvm::lower_bound(helperNames(), name)); // which lives on
}
