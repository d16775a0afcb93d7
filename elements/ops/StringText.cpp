//===- StringText.cpp - The characters of string tensors ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/StringText.h"
#include <cstring>

using namespace onnxfold;
using namespace onnxfold::ops;

int64_t ops::characterCount(const Elements &x) {
  constexpr int64_t block = 1024; // a broadcast is never in memory as a whole
  Elements::Reader reader(x);
  llvm::StringRef scratch[block];
  int64_t count = 0;
  for (int64_t first = 0; first < x.size(); first += block) {
    int64_t size = std::min(block, x.size() - first);
    auto *texts =
        static_cast<const llvm::StringRef *>(reader.view(first, size, scratch));
    for (llvm::StringRef text : llvm::ArrayRef(texts, size))
      count += text.size();
  }
  return count;
}

Elements ops::concatStrings(const Elements &x, const Elements &y) {
  if (!x || !y)
    return {};
  assert(x.shape() == y.shape());
  ElementsArray<llvm::StringRef> left(x), right(y);
  auto characters = std::make_shared<std::vector<char>>(characterCount(x) +
                                                        characterCount(y));
  auto buffer =
      llvm::makeIntrusiveRefCnt<HeapBuffer>(x.size() * sizeof(llvm::StringRef));
  auto *out = reinterpret_cast<llvm::StringRef *>(buffer->data());
  char *next = characters->data();
  for (int64_t i = 0; i < x.size(); ++i) {
    char *begin = next;
    next = std::copy(left[i].begin(), left[i].end(), next);
    next = std::copy(right[i].begin(), right[i].end(), next);
    out[i] = llvm::StringRef(begin, next - begin);
  }
  buffer->keepAlive = characters;
  return Elements::fromBuffer(DataType::String, x.shape(), buffer);
}

/// Whitespace beyond ASCII: U+0085, U+00A0, U+1680, U+2000 to U+200A, U+2028,
/// U+2029, U+202F, U+205F, U+3000.
static constexpr llvm::StringLiteral wideSpaces[] = {
    "\u0085", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003",
    "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a",
    "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"};

static bool isAsciiSpace(unsigned char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
}

/// Bytes of the whitespace character that the text begins with; 0: none.
static size_t spaceAtFront(llvm::StringRef text) {
  if (text.empty() || isAsciiSpace(text.front()))
    return !text.empty();
  if (text.front() & 0x80)
    for (llvm::StringRef space : wideSpaces)
      if (text.starts_with(space))
        return space.size();
  return 0;
}

static size_t spaceAtBack(llvm::StringRef text) {
  if (text.empty() || isAsciiSpace(text.back()))
    return !text.empty();
  if (text.back() & 0x80)
    for (llvm::StringRef space : wideSpaces)
      if (text.ends_with(space))
        return space.size();
  return 0;
}

static llvm::StringRef trimFront(llvm::StringRef text) {
  while (size_t size = spaceAtFront(text))
    text = text.drop_front(size);
  return text;
}

llvm::StringRef ops::trimWhitespace(llvm::StringRef text) {
  text = trimFront(text);
  while (size_t size = spaceAtBack(text))
    text = text.drop_back(size);
  return text;
}

static void forEachWord(llvm::StringRef text, int64_t most,
                        llvm::function_ref<void(llvm::StringRef)> f) {
  text = trimWhitespace(text);
  for (int64_t count = 0; !text.empty(); ++count) {
    size_t end = 0;
    if (count == most)
      end = text.size();
    while (end < text.size() && spaceAtFront(text.drop_front(end)) == 0)
      ++end;
    f(text.take_front(end));
    text = trimFront(text.drop_front(end));
  }
}

void ops::forEachPiece(llvm::StringRef text, llvm::StringRef delimiter,
                       int64_t most,
                       llvm::function_ref<void(llvm::StringRef)> f) {
  if (delimiter.empty())
    return forEachWord(text, most, f);
  for (int64_t count = 0; count != most; ++count) {
    // StringRef::find takes the product of the lengths for long delimiters.
    auto *found = static_cast<const char *>(
        memmem(text.data(), text.size(), delimiter.data(), delimiter.size()));
    if (!found)
      break;
    f(text.take_front(found - text.begin()));
    text = text.drop_front(found - text.begin() + delimiter.size());
  }
  f(text);
}
