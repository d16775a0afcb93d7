//===- JsonLines.cpp - Where in a JSON text a value is --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// LLVM's parser keeps no places. They are wanted for errors only, so the text
// is walked again.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/folding/internal/JsonLines.h"
#include <algorithm>

using namespace onnxfold;
using llvm::StringRef;

/// After the string that begins at `at`.
static size_t afterString(StringRef text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    at += text[at] == '\\';
  return at + 1;
}

unsigned onnxfold::depthOfJson(StringRef text) {
  unsigned depth = 0, deepest = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '"')
      at = afterString(text, at) - 1;
    else if (c == '[' || c == '{')
      deepest = std::max(deepest, ++depth);
    else if ((c == ']' || c == '}') && depth != 0)
      --depth;
  }
  return deepest;
}

/// After the value that begins at `at`.
static size_t afterValue(StringRef text, size_t at) {
  unsigned depth = 0;
  for (; at < text.size(); ++at) {
    char c = text[at];
    if (c == '"')
      at = afterString(text, at) - 1;
    else if (c == '[' || c == '{')
      ++depth;
    else if ((c == ',' || c == ']' || c == '}') && depth == 0)
      return at;
    else if (c == ']' || c == '}')
      --depth;
  }
  return at;
}

static size_t skipSpaces(StringRef text, size_t at) {
  size_t found = text.find_first_not_of(" \t\r\n", at);
  return found == StringRef::npos ? text.size() : found;
}

/// The place of the value that is a step further than the one at `at`.
static size_t takeStep(StringRef text, size_t at, const JsonStep &step) {
  bool isObject = text.substr(at).starts_with("{");
  if (!isObject && !text.substr(at).starts_with("["))
    return StringRef::npos;
  size_t index = 0;
  at = skipSpaces(text, at + 1);
  while (at < text.size() && text[at] != ']' && text[at] != '}') {
    bool isIt = !isObject && step.member.empty() && index++ == step.element;
    if (isObject) {
      size_t end = afterString(text, at);
      isIt = text.slice(at + 1, end - 1) == step.member;
      at = skipSpaces(text, skipSpaces(text, end) + 1); // after the colon
    }
    if (isIt)
      return at;
    at = skipSpaces(text, afterValue(text, at));
    if (at < text.size() && text[at] == ',')
      at = skipSpaces(text, at + 1);
  }
  return StringRef::npos;
}

unsigned onnxfold::lineInJson(StringRef text, llvm::ArrayRef<JsonStep> path) {
  size_t at = skipSpaces(text, 0);
  for (const JsonStep &step : path) {
    size_t next = takeStep(text, at, step);
    if (next == StringRef::npos)
      break;
    at = next;
  }
  return 1 + text.take_front(at).count('\n');
}
