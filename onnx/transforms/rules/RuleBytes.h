//===- RuleBytes.h - Rules as bytes that a program holds --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What the matcher needs of a rule, without its text: to read it costs a
// microsecond, where to parse a text costs hundreds. rule-tables writes the
// rules of onnx-fold so when these are built; they are read when an operator
// is first met that one begins with.
//
//   llvm::Expected<std::string> bytes = packRule(rule);
//   RewriteRule same = unpackRule(*bytes);
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_RULES_RULEBYTES_H
#define ONNXFOLD_ONNX_TRANSFORMS_RULES_RULEBYTES_H

#include "onnxfold/onnx/transforms/rules/Rule.h"

namespace onnxfold {

/// An error if a node states an attribute or a tensor, which belong to a context,
/// where bytes serve all; or if the replacement has a number, whose type the
/// schemas would have to tell.
llvm::Expected<std::string> packRule(const RewriteRule &rule);

/// REQUIRES: packRule of this program wrote them.
RewriteRule unpackRule(llvm::StringRef bytes);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_RULES_RULEBYTES_H
