//===- NodeFilter.h - --only and --skip -------------------------*- C++ -*-===//
//
// Which nodes may change. A pattern is a glob on the node's path, or
// op:TYPE or domain:NAME (globs too). The path of a node is its name, or its
// first output if it has none, with the paths of the nodes around it in front:
// "loop/inner". --skip wins over --only.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_NODEFILTER_H
#define ONNXFOLD_ONNX_DRIVER_NODEFILTER_H

#include "onnxfold/constprop/Reason.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/GlobPattern.h"

namespace onnxfold {

class NodeFilter {
public:
  static llvm::Expected<NodeFilter> create(llvm::ArrayRef<std::string> only,
                                           llvm::ArrayRef<std::string> skip);

  /// Why the node must not change, if it must not.
  Reason operator()(mlir::Operation *op) const;

  bool empty() const { return only.empty() && skip.empty(); }

private:
  enum class Subject { Path, Op, Domain };
  struct Pattern {
    Subject subject;
    std::string text;
    llvm::GlobPattern glob;
    bool matches(mlir::Operation *op) const;
  };
  static llvm::Expected<std::vector<Pattern>>
  parse(llvm::StringRef flag, llvm::ArrayRef<std::string> texts);

  std::vector<Pattern> only, skip;
};

/// "loop/inner": what a node is called in filters and messages.
std::string pathOf(mlir::Operation *op);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_NODEFILTER_H
