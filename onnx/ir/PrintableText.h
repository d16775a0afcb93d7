//===- PrintableText.h - Names and texts of models in messages --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Names come from models that may be hostile: they may hold any bytes.
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IR_PRINTABLETEXT_H
#define ONNXFOLD_ONNX_IR_PRINTABLETEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace onnxfold {

/// `text` for a terminal: control characters, new lines included, and bytes
/// that are not UTF-8 are escaped.
std::string printableText(llvm::StringRef text);

/// `name` as messages show it: control characters and bytes that are not UTF-8
/// are escaped, and the text is cut after 200 bytes.
std::string printableName(llvm::StringRef name);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_PRINTABLETEXT_H
