//===- ComputedOperands.h - Operands are computed first ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The order in which buffers that need each other are computed. Without it, a
// reader of `y = f(x) + x` would compute x while f(x) is pinned, and the
// operands of x while both are pinned, and so on: memory would grow with the
// length of the chain, and everything would be computed twice. A
// ComputedOperands computes the operands of a buffer, or of the leaves of a
// program. Each operand is computed before its users and held until its last
// user is done. Only operands of the current computation are pinned; the other
// held ones may be spilled.
//
//   ComputedOperands ready(buffer);   // pins what its function reads
//   compute(out);
//
// Cost: none where no operand is computed on demand; else linear in the number
// of buffers that are not computed yet. Thread safety: several threads may need
// the same buffers; each buffer is computed by one of them.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_COMPUTEDOPERANDS_H
#define ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_COMPUTEDOPERANDS_H

#include "onnxfold/elements/memory/Buffer.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace onnxfold::detail {

class ComputedOperands {
public:
  /// The operands of the buffer's function. REQUIRES: the caller holds no lock
  /// of a buffer.
  explicit ComputedOperands(DeferredBuffer &buffer);
  /// Computes those of `buffers` that are deferred, if they are several: one alone
  /// is left to its reader. REQUIRES: as above.
  explicit ComputedOperands(llvm::ArrayRef<Buffer *> buffers);

private:
  using Ref = llvm::IntrusiveRefCntPtr<DeferredBuffer>;
  using Refs = llvm::SmallVector<Ref, 2>;
  struct Node {
    Ref buffer;
    llvm::SmallVector<size_t, 2> operands; // numbers of nodes
    unsigned readers = 0;
    bool isHeld = false;
  };

  static void addPending(llvm::ArrayRef<Buffer *> buffers, Refs &refs);
  static Refs operandsOf(DeferredBuffer &buffer);
  static void hold(Node &node);
  static void letGo(Node &node);
  static std::vector<Node> sort(Refs roots);
  void computeAll(Refs roots);

  std::vector<BufferPin> pins;
};

} // namespace onnxfold::detail

#endif // ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_COMPUTEDOPERANDS_H
