//===- Gather.cpp - Lowering of onnx.Gather ------------------------------===//
//
// Columns that are taken one by one; negative indices count from the end. An
// index that is out of range is an error of SystemDS.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerGather(LoweringContext &cx) {
  const Tensor &x = cx.input(0), &index = cx.input(1);
  int64_t axis = *normalizeAxis(cx.op().getInt("axis", 0), x.rank());
  if (x.dims[axis] == batchDim || !index.isStatic())
    return Lowered::refusedBatch("gathers along the free batch size");
  llvm::ArrayRef<int64_t> all(x.dims);
  Size before = sizeOf(all.take_front(axis)),
       after = sizeOf(all.drop_front(axis + 1)), count = sizeOf(index.dims);
  View result;
  if (index.constant) {
    Shape indices(index.constant.type() == DataType::Int64 ||
                          index.constant.type() == DataType::Int32
                      ? Shape(index.constant.ints())
                      : Shape());
    for (int64_t &i : indices) {
      i += i < 0 ? x.dims[axis] : 0;
      if (i < 0 || i >= x.dims[axis])
        return Lowered::refused("an index is out of range");
    }
    result = taken(cx, cx.natural(0), x.dims, axis, indices);
  } else {
    Expr row = cx.reshape(cx.natural(1), {}, count).expr;
    result = {cx.helper("take_inner", {cx.matrix(0), row, cx.expr(before),
                                       x.dims[axis], cx.expr(after)}),
              before,
              {count.count * after.count, after.perBatch}};
  }
  cx.define(0, result);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerGatherLowering(LoweringRegistry &registry) {
  registry.add("Gather", {1, 11, 13}, lowerGather);
}
} // namespace onnxfold::dml
