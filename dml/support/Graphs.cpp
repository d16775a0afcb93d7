//===- Graphs.cpp - Graphs of nodes between braces in DML -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Graphs.h"
#include "onnxfold/onnx/ir/Model.h"

using namespace onnxfold;
using namespace onnxfold::dml;
using llvm::ArrayRef;
using llvm::StringRef;

Stated dml::stated(LoweringContext &cx, mlir::Value value) {
  const Tensor &known = cx.writer().tensor(value);
  auto [rows, columns] = naturalSizes(known.dims);
  return {{cx.writer().matrixOf(value), rows, columns}, known.dims};
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

Slices Slices::of(LoweringContext &cx, const Stated &tensor, int64_t axis) {
  ArrayRef<int64_t> dims(tensor.dims);
  Slices slices;
  slices.axis = axis;
  slices.before = sizeOf(dims.take_front(axis));
  slices.after = sizeOf(dims.drop_front(axis + 1));
  slices.sliceDims = tensor.dims;
  slices.sliceDims.erase(slices.sliceDims.begin() + axis);
  Size count = sizeOf(dims.slice(axis, 1));
  bool areRows = slices.before == Size{};
  slices.all =
      cx.local("scanned", areRows ? cx.reshape(tensor.view, count, slices.after)
                                  : cx.reshape(tensor.view, slices.before,
                                               count * slices.after));
  return slices;
}

Slices Slices::made(LoweringContext &cx, StringRef hint, Shape dims,
                    int64_t axis, Size count) {
  Slices slices;
  slices.axis = axis;
  ArrayRef<int64_t> all(dims);
  slices.before = sizeOf(all.take_front(axis));
  slices.after = sizeOf(all.drop_front(axis));
  slices.sliceDims = std::move(dims);
  bool areRows = slices.before == Size{};
  Size rows = areRows ? count : slices.before,
       columns = areRows ? slices.after : count * slices.after;
  slices.all = cx.local(hint, View{cx.filled(0, rows, columns), rows, columns});
  return slices;
}

Expr Slices::place(Expr index) const {
  if (before == Size{})
    return all.expr.slice(index, {}, {}, {});
  if (after == Size{})
    return all.expr.slice({}, {}, index, {});
  return all.expr.slice({}, {}, (index - 1) * after.count + 1,
                        index * after.count);
}

Expr Slices::at(LoweringContext &cx, Expr index) const {
  auto [rows, columns] = naturalSizes(sliceDims);
  return cx.reshape({place(index), before, after}, rows, columns).expr;
}

Statement Slices::set(LoweringContext &cx, Expr index,
                      const View &slice) const {
  return Statement::assign(place(index), cx.reshape(slice, before, after).expr);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// Done if the value has these dimensions.
static Lowered expectDims(LoweringContext &cx, mlir::Value value,
                          const Shape &dims) {
  if (Lowered known = cx.writer().check(value); !known.isDone())
    return known;
  if (cx.writer().tensor(value).dims == dims)
    return Lowered::done();
  return Lowered::refused("the shape of '" + valueName(value) +
                          "' is not the same in all iterations");
}

Lowered LoopBody::give(unsigned argument, const std::optional<Shape> &dims,
                       Expr natural) {
  mlir::BlockArgument value = block.getArgument(argument);
  if (value.use_empty())
    return Lowered::done();
  std::string name = cx.writer().makeName(valueName(value));
  cx.writer().nameArgument(value, name);
  if (Lowered known =
          dims ? expectDims(cx, value, *dims) : cx.writer().check(value);
      !known.isDone())
    return known;
  if (!dims && !cx.writer().tensor(value).isOneElement())
    return Lowered::refused("'" + valueName(value) +
                            "' has more than one element");
  cx.add(Statement::assign(name, std::move(natural)));
  return Lowered::done();
}

Lowered LoopBody::carry(unsigned argument, const Stated &initial,
                        unsigned yielded, StringRef result) {
  mlir::BlockArgument value = block.getArgument(argument);
  Carried made{value, this->yielded(yielded), {{}, initial.dims}};
  if (value.use_empty() && result.empty()) {
    values.push_back(std::move(made));
    return Lowered::done();
  }
  std::string name =
      result.empty() ? cx.writer().makeName(valueName(value)) : result.str();
  cx.writer().nameArgument(value, name);
  if (!value.use_empty())
    if (Lowered known = expectDims(cx, value, initial.dims); !known.isDone())
      return known;
  cx.add(Statement::assign(name, initial.view.expr));
  made.state.view = {Expr::name(name), initial.view.rows, initial.view.columns};
  values.push_back(std::move(made));
  return Lowered::done();
}

/// The values of the next iteration. Other variables may have to have the old
/// ones by then, under other names: in one block, SystemDS 3.4.0 gives b the
/// value of r in "t = a; a = r; b = t". So two and more are set in a block of
/// their own, of variables that were set before it.
Lowered LoopBody::carryOn(const Expr &number) {
  Body next;
  for (const Carried &one : values) {
    if (!one.state.view.expr || one.yielded == one.argument)
      continue;
    if (Lowered known = expectDims(cx, one.yielded, one.state.dims);
        !known.isDone())
      return known;
    std::string name = (*one.state.view.expr).text.str();
    Expr value = cx.writer().matrixOf(one.yielded);
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(one.yielded);
        argument && argument.getOwner() == &block) {
      std::string copy = cx.writer().makeName(name + "_next");
      cx.add(Statement::assign(copy, value));
      value = Expr::name(copy);
    }
    next.push_back(Statement::assign(name, value));
  }
  if (next.size() < 2) {
    for (Statement &one : next)
      cx.add(std::move(one));
    return Lowered::done();
  }
  cx.add(Statement::choose(Expr::binary(">=", number, 1), std::move(next), {}));
  return Lowered::done();
}
