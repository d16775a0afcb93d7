//===- Script.h - Operations by name ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The language of elements-run, by which tests in other languages reach the
// library: JSON objects, one a line. Each line is an operation and adds its
// results to a list; operands are numbers of that list.
//
//   {"op": "tensor", "type": "f32", "shape": [2], "hex": "0000803f00000040"}
//   {"op": "add", "in": [0, 0]}
//   {"op": "sum", "in": [1], "axes": [0], "keepDims": true, "print": true}
//   {"op": "clear"}
//
// `print` writes the results, a line each, as objects with `type`, `shape` and
// `hex`: the bytes of the elements as they are in memory (strings: `strings`,
// an array). `null` is written for a result that the library does not give,
// and `{"number": n}` for one that is no tensor. `clear` empties the list. What
// is not understood ends the program with a message and status 1.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_ELEMENTS_RUN_SCRIPT_H
#define ONNXFOLD_TESTS_ELEMENTS_RUN_SCRIPT_H

#include "onnxfold/elements/Elements.h"
#include "llvm/Support/JSON.h"

namespace onnxfold {

/// One line of the script, with the tensors that it names.
class Call {
public:
  Call(const llvm::json::Object &line, llvm::ArrayRef<Elements> known);

  llvm::StringRef operation() const { return text("op"); }
  const Elements &x() const { return in(0); }
  const Elements &y() const { return in(1); }
  /// Operand `i`; null if there are fewer.
  const Elements &in(size_t i) const;
  llvm::ArrayRef<Elements> all() const { return operands; }

  bool has(llvm::StringRef key) const { return line.get(key) != nullptr; }
  int64_t integer(llvm::StringRef key, int64_t otherwise = 0) const;
  double number(llvm::StringRef key, double otherwise = 0) const;
  bool flag(llvm::StringRef key) const;
  llvm::StringRef text(llvm::StringRef key) const;
  Shape list(llvm::StringRef key) const;
  DataType type(llvm::StringRef key = "type") const;
  CastOptions castOptions() const;
  const llvm::json::Object &object() const { return line; }

private:
  const llvm::json::Object &line;
  std::vector<Elements> operands;
};

/// The results of an operation; a number stands for what is no tensor.
struct Results {
  std::vector<Elements> tensors;
  std::optional<int64_t> number;

  Results(Elements one) : tensors{std::move(one)} {}
  Results(std::vector<Elements> many) : tensors(std::move(many)) {}
  static Results of(std::optional<int64_t> number) {
    Results result{std::vector<Elements>()};
    result.number = number.value_or(-1);
    return result;
  }
};

/// Runs one operation; nothing if there is none of its name.
std::optional<Results> runView(const Call &c);
std::optional<Results> runElementwise(const Call &c);
std::optional<Results> runMovement(const Call &c);
std::optional<Results> runReduction(const Call &c);
std::optional<Results> runOther(const Call &c);

/// Ends the program.
[[noreturn]] void fail(const llvm::Twine &message);

/// The function of `table` that the call names, applied.
template <size_t n>
std::optional<Results>
runFrom(const std::pair<const char *, Results (*)(const Call &)> (&table)[n],
        const Call &c) {
  for (auto &[name, run] : table)
    if (c.operation() == name)
      return run(c);
  return std::nullopt;
}

using Entry = std::pair<const char *, Results (*)(const Call &)>;

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_ELEMENTS_RUN_SCRIPT_H
