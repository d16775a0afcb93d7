//===- Helpers.cpp - Functions of DML that lowerings call -----------------===//

#include "onnxfold/dml/Helpers.h"
#include <cassert>

using namespace onnxfold::dml;
using llvm::StringRef;

namespace {

/// The variables of the functions.
struct HelperWriter {
  Expr X = Expr::name("X"), Y = Expr::name("Y"), Z = Expr::name("Z"),
       a = Expr::name("a"), b = Expr::name("b"), c = Expr::name("c"),
       d = Expr::name("d"), i = Expr::name("i"), j = Expr::name("j"),
       k = Expr::name("k"), m = Expr::name("m"), n = Expr::name("n"),
       p = Expr::name("p");
  std::string real = "matrix[double]";

  /// Columns (from, from + width] of all rows.
  static Expr columns(const Expr &of, const Expr &from, const Expr &width) {
    return of.slice({}, {}, from + 1, from + width);
  }
  Function swapInner() const;
  Function repeatInner() const;
  Function takeInner() const;
  Function matmulBatched() const;
  Function convGrouped() const;
};

} // namespace

Function HelperWriter::swapInner() const {
  Body loop = {Statement::assign(
      Y.slice(i, {}, {}, {}),
      matrix(call("t", {matrix(Z.slice(i, {}, {}, {}), b, c)}), 1, c * b))};
  return {"Transposes each of a matrices of b x c.",
          "swap_inner",
          {{real, "X"}, {"int", "a"}, {"int", "b"}, {"int", "c"}},
          {{real, "Y"}},
          {Statement::assign("Z", matrix(X, a, b * c)),
           Statement::assign("Y", matrix(0, a, c * b)),
           Statement::loop("i", a, loop)}};
}

Function HelperWriter::repeatInner() const {
  Body loop = {Statement::assign(columns(Y, (i - 1) * d, d), Z)};
  return {"Repeats each of a rows of d values n times.",
          "repeat_inner",
          {{real, "X"}, {"int", "a"}, {"int", "n"}, {"int", "d"}},
          {{real, "Y"}},
          {Statement::assign("Z", matrix(X, a, d)),
           Statement::assign("Y", matrix(0, a, n * d)),
           Statement::loop("i", n, loop)}};
}

Function HelperWriter::takeInner() const {
  Expr index = Expr::name("index");
  Body negative = {Statement::assign("j", j + k)};
  Body loop = {
      Statement::assign("j", call("as.scalar", {index.slice(1, {}, i, {})})),
      Statement::choose(Expr::binary("<", j, 0), negative, {}),
      Statement::assign(columns(Y, (i - 1) * d, d), columns(Z, j * d, d))};
  return {
      "Takes blocks of d columns by their numbers, counted from 0.",
      "take_inner",
      {{real, "X"}, {real, "index"}, {"int", "a"}, {"int", "k"}, {"int", "d"}},
      {{real, "Y"}},
      {Statement::assign("Z", matrix(X, a, k * d)),
       Statement::assign("m", call("ncol", {index})),
       Statement::assign("Y", matrix(0, a, m * d)),
       Statement::loop("i", m, loop)}};
}

Function HelperWriter::matmulBatched() const {
  Expr A = Expr::name("A"), B = Expr::name("B"), L = Expr::name("L"),
       R = Expr::name("R");
  Body loop = {
      Statement::assign(Y.slice((i - 1) * m + 1, i * m, {}, {}),
                        L.slice((i - 1) * m + 1, i * m, {}, {})
                            .times(R.slice((i - 1) * k + 1, i * k, {}, {})))};
  return {"n products of m x k and k x p matrices.",
          "matmul_batched",
          {{real, "A"},
           {real, "B"},
           {"int", "n"},
           {"int", "m"},
           {"int", "k"},
           {"int", "p"}},
          {{real, "Y"}},
          {Statement::assign("L", matrix(A, n * m, k)),
           Statement::assign("R", matrix(B, n * k, p)),
           Statement::assign("Y", matrix(0, n * m, p)),
           Statement::loop("i", n, loop)}};
}

/// The columns of an image are its channels, one after the other.
Function HelperWriter::convGrouped() const {
  Expr W = Expr::name("W"), g = Expr::name("groups"), h = Expr::name("h"),
       w = Expr::name("w"), f = Expr::name("f"), kh = Expr::name("kh"),
       kw = Expr::name("kw"), sh = Expr::name("sh"), sw = Expr::name("sw"),
       ph = Expr::name("ph"), pw = Expr::name("pw"), size = Expr::name("size");
  Expr part =
      call("conv2d", {columns(X, (i - 1) * c * h * w, c * h * w),
                      W.slice((i - 1) * f + 1, i * f, {}, {}),
                      {"input_shape", Expr::list({call("nrow", {X}), c, h, w})},
                      {"filter_shape", Expr::list({f, c, kh, kw})},
                      {"stride", Expr::list({sh, sw})},
                      {"padding", Expr::list({ph, pw})}});
  Body loop = {
      Statement::assign(columns(Y, (i - 1) * f * size, f * size), part)};
  Function result{
      "A convolution of c channels with f kernels for each group; size: height "
      "times width of the result.",
      "conv2d_grouped",
      {{real, "X"}, {real, "W"}},
      {{real, "Y"}},
      {Statement::assign(Y, matrix(0, call("nrow", {X}), g * f * size)),
       Statement::loop("i", g, loop)}};
  for (StringRef name : {"groups", "c", "h", "w", "f", "kh", "kw", "sh", "sw",
                         "ph", "pw", "size"})
    result.parameters.push_back({"int", name.str()});
  return result;
}

llvm::ArrayRef<StringRef> onnxfold::dml::helperNames() {
  static constexpr StringRef names[] = {"conv2d_grouped", "matmul_batched",
                                        "repeat_inner", "swap_inner",
                                        "take_inner"};
  return names;
}

Function onnxfold::dml::helperFunction(StringRef name) {
  if (name == "conv2d_grouped")
    return HelperWriter().convGrouped();
  if (name == "swap_inner")
    return HelperWriter().swapInner();
  if (name == "repeat_inner")
    return HelperWriter().repeatInner();
  if (name == "take_inner")
    return HelperWriter().takeInner();
  assert(name == "matmul_batched" && "no such helper");
  return HelperWriter().matmulBatched();
}
