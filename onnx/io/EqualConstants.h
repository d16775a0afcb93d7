//===- EqualConstants.h - New constants that have one value -----*- C++ -*-===//
//
// Finds among the new constants of one block those that have the same type and
// the same bytes, so that the writer stores them once.
//
// Cost: constants whose type no other one has are not looked at. Of the others
// a few elements are read, then, of those that look alike, everything. A large
// value that has to be computed as a whole even for that is moved to the file
// of spilled results (elements/Memory.h), so that it is computed no third time
// and takes no memory.
//
// Thread safety: as the operations.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_EQUALCONSTANTS_H
#define ONNXFOLD_ONNX_IO_EQUALCONSTANTS_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "llvm/ADT/DenseMap.h"

namespace onnxfold {

class EqualConstants {
public:
  EqualConstants() = default;
  /// `constants` are in the order of their block.
  explicit EqualConstants(llvm::ArrayRef<OnnxConstantOp> constants);

  /// The first constant with the same value; itself if there is none before it.
  mlir::Operation *firstOf(mlir::Operation *constant) const {
    mlir::Operation *first = firsts.lookup(constant);
    return first ? first : constant;
  }

  /// The value to write; null if the operation's own is as good.
  Elements movedValue(mlir::Operation *constant) const {
    return moved.lookup(constant);
  }

private:
  struct Candidate {
    mlir::Operation *op;
    Elements value;
  };
  using Group = std::vector<Candidate>;
  void compare(Group &group);
  void mergeEqual(llvm::ArrayRef<Candidate *> alike);

  llvm::DenseMap<mlir::Operation *, mlir::Operation *> firsts;
  llvm::DenseMap<mlir::Operation *, Elements> moved;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_EQUALCONSTANTS_H
