//===- Bools.cpp - Bools in the text of other versions of MLIR ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Bools.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace onnxfold;
using llvm::StringRef;

/// The number of elements of `144x2xi1`; 0 for other types.
static uint64_t numBools(StringRef type) {
  if (!type.consume_back("xi1"))
    return 0;
  llvm::SmallVector<StringRef> dims;
  type.split(dims, 'x');
  uint64_t count = 1;
  for (StringRef dim : dims) {
    uint64_t size;
    if (dim.getAsInteger(10, size) || size > (1u << 30))
      return 0;
    count *= size;
    if (count > (1u << 30))
      return 0;
  }
  return count;
}

/// A bit for each byte, which has two digits.
static std::string packed(StringRef digits) {
  std::string bytes((digits.size() / 2 + 7) / 8, '\0');
  for (size_t i = 0; 2 * i < digits.size(); ++i)
    if (digits.substr(2 * i, 2) != "00")
      bytes[i / 8] = char(bytes[i / 8] | 1 << (i % 8));
  return llvm::toHex(bytes);
}

std::string onnxfold::withPackedBools(StringRef text) {
  constexpr StringRef begin = "dense<\"0x", middle = "> : tensor<";
  std::string result;
  size_t copied = 0;
  for (size_t at = text.find(begin); at != StringRef::npos;
       at = text.find(begin, at + 1)) {
    size_t first = at + begin.size(), last = text.find('"', first);
    if (last == StringRef::npos)
      break;
    StringRef after = text.drop_front(last + 1);
    if (!after.consume_front(middle))
      continue;
    uint64_t count =
        numBools(after.take_until([](char c) { return c == '>'; }));
    // One bool is one byte in both forms.
    if (count < 2 || last - first != 2 * count)
      continue;
    result += text.slice(copied, first);
    result += packed(text.slice(first, last));
    copied = last;
  }
  if (copied != 0)
    result += text.drop_front(copied);
  return result;
}
