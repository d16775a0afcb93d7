//===- SymbolicFold.cpp - Arithmetic on partly known integers -------------===//

#include "onnxfold/constprop/SymbolicFold.h"
#include "onnxfold/elements/Elementwise.h"

using namespace onnxfold;

static std::optional<SymbolHandle> combine(Symbols &symbols, SymbolOp op,
                                           SymbolHandle a, SymbolHandle b) {
  switch (op) {
  case SymbolOp::Add:
    return symbols.add(a, b);
  case SymbolOp::Subtract:
    return symbols.subtract(a, b);
  case SymbolOp::Multiply:
    return symbols.multiply(a, b);
  case SymbolOp::Divide:
    return symbols.divide(a, b);
  }
  return std::nullopt;
}

/// A result in a type narrower than i64, whose arithmetic wraps earlier: known
/// results wrap (or, of a division, are undefined: nothing); what is not known
/// might wrap, so it is nothing that can be named.
static std::optional<SymbolHandle> narrow(Symbols &symbols, SymbolOp op,
                                          SymbolHandle symbol, DataType type) {
  std::optional<int64_t> value = symbols.valueOf(symbol);
  if (!value)
    return symbols.fresh();
  if (WideNum::widen(*value).fits(type))
    return symbol;
  if (op == SymbolOp::Divide)
    return std::nullopt;
  Elements wrapped = cast(Elements::fromValues<int64_t>({}, {*value}), type);
  return symbols.constant(wrapped.ints()[0]);
}

FoldResult onnxfold::foldSymbols(FoldContext &cx, SymbolOp op) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (x.type() != DataType::Symbol || y.type() != DataType::Symbol)
    return invalid("inputs have different element types");
  DataType type = cx.inputType(0);
  if (type == DataType::UInt64) // its upper half is no i64
    return notFolded(ReasonCode::InputNotConstant,
                     "inputs are known in part only");
  std::optional<Shape> shape = broadcastShapes(x.shape(), y.shape());
  if (!shape)
    return invalid("shapes " + toString(x.shape()) + " and " +
                   toString(y.shape()) + " do not broadcast");
  auto xs = x.expand(*shape).values<SymbolHandle>();
  auto ys = y.expand(*shape).values<SymbolHandle>();
  for (size_t i = 0; i < xs.size(); ++i) {
    std::optional<SymbolHandle> result =
        combine(cx.symbols(), op, xs[i], ys[i]);
    if (result && type != DataType::Int64 && isInteger(type))
      result = narrow(cx.symbols(), op, *result, type);
    if (!result)
      return undefined("a divisor is 0, or the quotient does not fit");
    xs[i] = *result;
  }
  return Elements::fromValues<SymbolHandle>(*shape, xs);
}

Elements onnxfold::resolveSymbols(const Elements &value, DataType type,
                                  const Symbols &symbols) {
  std::vector<int64_t> known;
  for (SymbolHandle symbol : value.values<SymbolHandle>()) {
    std::optional<int64_t> v = symbols.valueOf(symbol);
    if (!v)
      return value;
    known.push_back(*v);
  }
  Elements ints = Elements::fromValues<int64_t>(value.shape(),
                                                llvm::ArrayRef<int64_t>(known));
  return type == DataType::Int64 || type == DataType::Undefined
             ? ints
             : onnxfold::cast(ints, type).materialize();
}
