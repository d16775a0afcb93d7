//===- DataParts.cpp - New external data in one file or several -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/write/DataParts.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;

std::string onnxfold::dataPartName(llvm::StringRef location, size_t number) {
  return number == 0 ? location.str()
                     : (location + "_" + llvm::Twine(number)).str();
}

DataParts::Place DataParts::add(Content content) {
  // The only part looks for it when it is added.
  if (layout.shard)
    for (DataFile &part : parts)
      if (std::optional<uint64_t> known = part.find(content))
        return {part.location(), *known};
  uint64_t begin = parts.empty()
                       ? 0
                       : llvm::alignTo(parts.back().size(),
                                       layout.alignmentOf(content.size()));
  if (parts.empty() || (layout.shard && begin + content.size() > *layout.shard))
    parts.emplace_back(dataPartName(location, parts.size()), layout);
  DataFile &part = parts.back();
  return {part.location(), part.add(std::move(content))};
}

uint64_t DataParts::size() const {
  uint64_t bytes = 0;
  for (const DataFile &part : parts)
    bytes += part.size();
  return bytes;
}
