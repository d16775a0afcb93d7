//===- Table.cpp - Constant kernel of tosa.table -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// i8: one of 256 entries. i16: the upper 9 bits choose an entry, and the lower 7
// interpolate to the next one, as an i32 with 7 more bits. A slope that does not fit
// i16 is undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult interpolate(const Elements &x, const Elements &table) {
  Elements wide = toInt64(x), entries = toInt64(table);
  Elements slopes = ops::zipAs<int64_t, int64_t, int64_t>(
      entries.slice(0, 1, 512), entries.slice(0, 0, 512),
      [](int64_t next, int64_t base) { return next - base; });
  if (FoldResult fits = narrowed(slopes, DataType::Int16); !fits)
    return fits;
  Elements index = mapInt64(wide, [](int64_t a) { return (a >> 7) + 256; });
  Elements fraction = mapInt64(wide, [](int64_t a) { return a & 127; });
  Elements base = ops::gather(entries, index, 0);
  Elements rise = ops::zipAs<int64_t, int64_t, int64_t>(
      ops::gather(slopes, index, 0), fraction,
      [](int64_t a, int64_t b) { return a * b; });
  return ops::cast(
      ops::zipAs<int64_t, int64_t, int64_t>(
          base, rise, [](int64_t a, int64_t b) { return a * 128 + b; }),
      DataType::Int32);
}

static FoldResult foldTosaTable(FoldContext &cx) {
  const Elements &x = cx.input(0), &table = cx.input(1);
  bool isWide = x.type() == DataType::Int16;
  if (!isWide && x.type() != DataType::Int8)
    return Elements();
  if (table.rank() != 1 || table.dim(0) != (isWide ? 513 : 256))
    return invalid("the table has shape " + toString(table.shape()) +
                   ", expected " + (isWide ? "[513]" : "[256]"));
  if (isWide)
    return cx.resultType() == DataType::Int32 ? interpolate(x, table)
                                              : FoldResult(Elements());
  return ops::gather(
      table, mapInt64(toInt64(x), [](int64_t a) { return a + 128; }), 0);
}

namespace onnxfold::upstream {
void registerTosaTable(KernelRegistry &registry) {
  registry.add("table", {1}, foldTosaTable);
}
} // namespace onnxfold::upstream
