//===- Parts.h - Parts of matrices and lists --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// X[a:b, c], L["key"], and assignments to them. Indices count from 1, and both
// ends are included.
//
//   Parts parts(operators, emitter, refusals, evaluate);
//   DmlValue y = parts.of(slice, x);
//   x = parts.assigned(target, x, value);    // x with that part replaced
//
// Thread safety: none. Errors: refusals, for indices that are outside and for
// elements of lists that are not known.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_PARTS_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_PARTS_H

#include "onnxfold/dml/import/internal/Operators.h"

namespace onnxfold::dml {

class Parts {
public:
  using Evaluate = llvm::function_ref<DmlValue(const Expr &)>;

  /// `evaluate` gives the values of indices.
  Parts(Operators &operators, Emitter &emitter, Refusals &refusals,
        Evaluate evaluate)
      : operators(operators), emitter(emitter), graph(emitter.onnx()),
        refusals(refusals), evaluate(evaluate) {}

  /// A part of a matrix, or of a list: a list again.
  DmlValue of(const Expr::Node &slice, DmlValue base);
  /// The base with another part; unknown if it is refused.
  DmlValue assigned(const Expr::Node &target, const DmlValue &base,
                    const DmlValue &value);

private:
  /// Rows or columns of a slice; both null: all of them.
  struct Bounds {
    std::optional<DmlValue> first, last;
    int64_t count = -1;

    bool isUnknown() const {
      return first && (first->isUnknown() || last->isUnknown());
    }
    /// Why there are no such rows or columns; "" if there may be.
    std::string problem(int64_t size) const;
  };
  /// What an assignment to a part changes.
  struct Assigned {
    DmlValue first[2], last[2], sizes[2];
    bool isWhole[2] = {false, false}; ///< all rows, all columns

    bool isKnown(int axis) const {
      return first[axis].number && last[axis].number;
    }
    /// One element of a matrix that has others.
    bool isElement() const {
      return !isWhole[0] && !isWhole[1] && sizes[0].number == 1 &&
             sizes[1].number == 1;
    }
  };

  DmlValue ofMatrix(const Expr::Node &slice, DmlValue base);
  /// Elements of a list, from 0.
  struct Range {
    size_t first, last;
  };
  std::optional<size_t> placeOf(Place place, const DmlValue &list,
                                const DmlValue &index);
  std::optional<Range> rangeOf(const Expr::Node &slice, const DmlValue &list);
  DmlValue ofList(const Expr::Node &slice, const DmlValue &list);
  DmlValue assignedList(const Expr::Node &target, DmlValue list,
                        const DmlValue &value);
  Bounds boundsOf(const Expr::Node &slice, int axis, int64_t size);
  std::string addAxis(Assigned &part, int axis, const Expr::Node &target,
                      const DmlValue &base, const DmlValue &value);
  std::string scatter(Place place, const DmlValue &base, const Assigned &part,
                      const std::string &value);
  std::string surround(Place place, const DmlValue &base, const Assigned &part,
                       std::string value);

  Operators &operators;
  Emitter &emitter;
  OnnxGraph &graph;
  Refusals &refusals;
  Evaluate evaluate;
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_PARTS_H
