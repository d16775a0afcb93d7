//===- NearNames.cpp - Names that a user may have meant -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/NearNames.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <vector>

using llvm::StringRef;

std::string onnxfold::nearNames(llvm::ArrayRef<StringRef> names,
                                StringRef wanted) {
  constexpr size_t mostShown = 3;
  std::string literal = wanted.str();
  llvm::erase_if(literal, [](char c) { return c == '*' || c == '?'; });
  StringRef text = literal;
  unsigned most = std::max<unsigned>(2, text.size() / 4);
  std::vector<std::pair<unsigned, StringRef>> near;
  for (StringRef name : names) {
    if (name.empty())
      continue;
    unsigned distance = text.edit_distance_insensitive(name, true, most + 1);
    if (distance > most && !text.empty() && name.contains_insensitive(text))
      distance = most;
    if (distance <= most)
      near.push_back({distance, name});
  }
  llvm::sort(near);
  near.erase(llvm::unique(near), near.end());
  std::string shown;
  for (const auto &[distance, name] :
       llvm::ArrayRef(near).take_front(std::min(mostShown, near.size())))
    shown += (shown.empty() ? ", such as '" : "', '") + name.str();
  return shown.empty() ? shown : shown + "'";
}
