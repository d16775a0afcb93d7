//===- CmpI.cpp - Constant kernel of arith.cmpi -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Compares integers as the predicate says: with a sign, or without.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

using mlir::arith::CmpIPredicate;

template <class T> static bool holds(CmpIPredicate predicate, T a, T b) {
  switch (predicate) {
  case CmpIPredicate::eq:
    return a == b;
  case CmpIPredicate::ne:
    return a != b;
  case CmpIPredicate::slt:
  case CmpIPredicate::ult:
    return a < b;
  case CmpIPredicate::sle:
  case CmpIPredicate::ule:
    return a <= b;
  case CmpIPredicate::sgt:
  case CmpIPredicate::ugt:
    return a > b;
  case CmpIPredicate::sge:
  case CmpIPredicate::uge:
    return a >= b;
  }
  return false;
}

template <class T>
static FoldResult compared(FoldContext &cx, CmpIPredicate predicate) {
  Elements x = widened<T>(cx.input(0)), y = widened<T>(cx.input(1));
  return ops::zipAs<bool, T, T>(
      x, y, [predicate](T a, T b) { return holds(predicate, a, b); });
}

static FoldResult foldArithCmpI(FoldContext &cx) {
  auto op = mlir::cast<mlir::arith::CmpIOp>(cx.operation());
  CmpIPredicate predicate = op.getPredicate();
  if (predicate < CmpIPredicate::ult)
    return compared<int64_t>(cx, predicate);
  return compared<uint64_t>(cx, predicate);
}

namespace onnxfold::upstream {
void registerArithCmpI(KernelRegistry &registry) {
  registry.add("cmpi", {1}, foldArithCmpI);
}
} // namespace onnxfold::upstream
