//===- NodeFilter.h - --only and --skip -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Decides which nodes may change. A pattern is a glob on the node's path, or
// op:TYPE or domain:NAME (globs too). The path of a node is its name, or the
// name of its first output if it has none, after the path of the node around
// it: "loop/inner". --skip takes precedence over --only.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLD_NODEFILTER_H
#define ONNXFOLD_ONNX_DRIVER_FOLD_NODEFILTER_H

#include "onnxfold/constprop/Reason.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/GlobPattern.h"

namespace onnxfold {

class NodeFilter {
public:
  static llvm::Expected<NodeFilter> create(llvm::ArrayRef<std::string> only,
                                           llvm::ArrayRef<std::string> skip);
  /// The same for another option than --skip, without --only.
  static llvm::Expected<NodeFilter>
  createSkip(llvm::StringRef option, llvm::ArrayRef<std::string> skip);

  /// Why the node must not change; code None if it may.
  Reason operator()(mlir::Operation *op) const;

  /// Warnings about patterns that match no node of the module: "--only=conv*:
  /// matches no node, ...".
  std::vector<std::string> idle(mlir::Operation *module) const;

  bool empty() const { return only.empty() && skip.empty(); }

private:
  enum class Subject { Path, Op, Domain };
  struct Pattern {
    Subject subject;
    std::string text;
    llvm::GlobPattern glob;
    bool matches(mlir::Operation *op) const;
    std::string subjectOf(mlir::Operation *op) const;
    std::string whyIdle(llvm::ArrayRef<mlir::Operation *> nodes,
                        llvm::ArrayRef<llvm::StringRef> constants) const;
  };
  static llvm::Expected<std::vector<Pattern>>
  parse(llvm::StringRef flag, llvm::ArrayRef<std::string> texts);

  std::vector<Pattern> only, skip;
  std::string skipOption = "skip";
};

/// The path of a node in filters and messages: "loop/inner".
std::string pathOf(mlir::Operation *op);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLD_NODEFILTER_H
