//===- Imputer.cpp - Constant kernel of onnx.ml.Imputer -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Elements that equal one value (NaN too) are replaced: everywhere by the same
// value, or by one for each column. Spec: onnx.ml Imputer, version 1. The
// attributes are those of the kind of x, floats or integers; values that its
// type does not hold are kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/KeyIndex.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// Whether an element is the one to be replaced.
static Elements isReplaced(FoldContext &cx, const Elements &x) {
  double real = cx.real("replaced_value_float").value_or(0);
  int64_t integer = cx.integer("replaced_value_int64").value_or(0);
  return mapTo<bool>(x, [=](auto v) {
    if constexpr (std::is_integral_v<decltype(v)>)
      return int64_t(v) == integer;
    else
      return v == real || (v != v && real != real);
  });
}

static FoldResult foldImputer(FoldContext &cx) {
  const Elements &x = cx.input(0);
  auto reals = cx.reals("imputed_value_floats");
  auto integers = cx.ints("imputed_value_int64s");
  bool useReals = isFloat(x.type());
  if (useReals ? !reals || integers : !integers || reals)
    return invalid("attribute 'imputed_value_" +
                   llvm::Twine(useReals ? "floats" : "int64s") +
                   "' alone is expected for " + name(x.type()));
  Elements values =
      useReals ? Elements::fromValues<float>({int64_t(reals->size())}, *reals)
               : tensorOf(*integers);
  if (x.rank() == 0 ||
      (values.size() != 1 && values.size() != x.dim(x.rank() - 1)))
    return invalid(llvm::Twine(values.size()) +
                   " imputed values for input #0 of shape " +
                   toString(x.shape()));
  if (!useReals)
    if (auto bad = firstNotConvertible(values, x.type()))
      return undefined("imputed value [" + llvm::Twine(*bad) +
                       "] does not fit the type of input #0");
  return select(isReplaced(cx, x), cast(values, x.type()), x);
}

namespace onnxfold {
void registerImputer(KernelRegistry &registry) {
  registry.add("ml.Imputer", {1}, foldImputer);
}
} // namespace onnxfold
