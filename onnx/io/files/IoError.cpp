//===- IoError.cpp - Errors of files and of the bytes in them -------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/files/IoError.h"

#include "llvm/ADT/StringExtras.h"

#include <system_error>

using namespace llvm;

namespace onnxfold {

std::string systemReason(int errnoValue) {
  std::string reason = std::generic_category().message(errnoValue);
  // "No such file" -> "no such file"; "I/O error" is kept.
  if (reason.size() > 1 && isLower(reason[1]))
    reason[0] = toLower(reason[0]);
  return reason;
}

Error makeSystemError(StringRef file, StringRef what, int errnoValue) {
  return ModelFault().file(file).says(what + ": " + systemReason(errnoValue));
}

ModelFault StoredFault::fault() const {
  ModelFault result = ModelFault(words);
  if (!found.empty())
    std::move(result).found(found);
  if (!expected.empty())
    std::move(result).expected(expected);
  return result;
}

const StoredFault *store(const StoredFault &fault, BumpPtrAllocator &arena) {
  return new (arena)
      StoredFault{fault.words.copy(arena), fault.found.copy(arena),
                  fault.expected.copy(arena)};
}

Error firstError(Error first, Error second) {
  if (!first)
    return second;
  consumeError(std::move(second));
  return first;
}

} // namespace onnxfold
