//===- ModelError.h - Errors with fields ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with a model, a file or an option. A ModelFault is a sequence of
// pieces; some of them are fields, which programs want to have apart. The text
// is printed from the pieces, so the two agree. Each call adds a piece:
//
//   return ModelFault().file("a.onnx").node("conv1", "Conv")
//       .attribute("group").is("0").expected("a number above 0");
//   // a.onnx: node 'conv1' (Conv) attribute 'group' is 0, expected a number ...
//
// It converts to an llvm::Error, which is a ModelError, and to any
// llvm::Expected. An error of another library becomes one when it is put into
// its file:
//
//   return inFile("a.onnx", std::move(error)); // keeps the fields of the error
//
// Texts are lower case and have no full stop. Names are given as they are; they
// are escaped and cut when they are printed (PrintableText.h).
//
// Thread safety: plain values.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IR_MODELERROR_H
#define ONNXFOLD_ONNX_IR_MODELERROR_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <utility>

namespace onnxfold {

class ModelFault {
public:
  enum class Field {
    File,
    Node, ///< its name, or that of its first output
    Operator,
    Attribute,
    Initializer,
    Input,
    Option, ///< "--dim"
    Has,
    Expected,
    Context, ///< "the result cannot be read back"
    Words    ///< text that is no field
  };

  ModelFault() = default;
  explicit ModelFault(const llvm::Twine &words) { add(Field::Words, words); }

  /// "a.onnx: "
  ModelFault &&file(llvm::StringRef path) && { return add(Field::File, path); }
  /// "text: "
  ModelFault &&context(const llvm::Twine &text) && {
    return add(Field::Context, text);
  }
  /// "node 'conv1' (Conv)". "(Conv)" is left out where it is not known.
  ModelFault &&node(llvm::StringRef label, llvm::StringRef opType = "") &&;
  /// "attribute 'axis'", and so on.
  ModelFault &&attribute(llvm::StringRef name) && {
    return add(Field::Attribute, name);
  }
  ModelFault &&initializer(llvm::StringRef name) && {
    return add(Field::Initializer, name);
  }
  ModelFault &&input(llvm::StringRef name) && {
    return add(Field::Input, name);
  }
  /// The option as users write it, with its dashes.
  ModelFault &&option(const llvm::Twine &flag) && {
    return add(Field::Option, flag);
  }
  /// "is 'x'": what was found.
  ModelFault &&is(const llvm::Twine &found) && {
    return std::move(*this).says("is").found(found);
  }
  ModelFault &&has(const llvm::Twine &found) && {
    return std::move(*this).says("has").found(found);
  }
  /// The same behind other words.
  ModelFault &&found(const llvm::Twine &found) && {
    return add(Field::Has, found);
  }
  /// ", expected 24"
  ModelFault &&expected(const llvm::Twine &what) && {
    return add(Field::Expected, what);
  }
  /// Any other words. A space stands before them unless they begin with
  /// punctuation.
  ModelFault &&says(const llvm::Twine &words) && {
    return add(Field::Words, words);
  }
  /// A field that the words before say already: it is not printed.
  ModelFault &&noting(Field field, llvm::StringRef value) && {
    noted.emplace_back(field, value.str());
    return std::move(*this);
  }
  /// All pieces of another one.
  ModelFault &&append(const ModelFault &other) &&;
  ModelFault &&append(ModelFault &&other) && {
    return std::move(*this).append(std::as_const(other));
  }

  bool empty() const { return pieces.empty(); }
  /// The piece of this kind, "" if there is none. Of several files it is the
  /// outermost, of several nodes and other parts the innermost.
  llvm::StringRef get(Field field) const;
  /// The text as people read it. Only names are escaped.
  std::string text() const;
  /// The fields that it has, under the names of docs/report.md, and the text.
  llvm::json::Object toJson() const;

  operator llvm::Error() &&;
  template <class T> operator llvm::Expected<T>() && {
    return llvm::Error(std::move(*this));
  }

private:
  ModelFault &&add(Field field, const llvm::Twine &value) {
    pieces.emplace_back(field, value.str());
    return std::move(*this);
  }

  llvm::SmallVector<std::pair<Field, std::string>, 0> pieces, noted;
};

/// The error that carries a ModelFault.
class ModelError : public llvm::ErrorInfo<ModelError> {
public:
  static char ID;

  explicit ModelError(ModelFault fault) : contents(std::move(fault)) {}

  const ModelFault &fault() const { return contents; }

  void log(llvm::raw_ostream &out) const override;
  std::error_code convertToErrorCode() const override;

private:
  ModelFault contents;
};

/// The fault in an error. An error of another library has words only.
ModelFault faultIn(const llvm::Error &error);
/// Consumes the error.
ModelFault takeFault(llvm::Error error);

/// `error` with the file, or other words, in front. Success stays success.
llvm::Error inFile(llvm::StringRef file, llvm::Error error);
llvm::Error inContext(const llvm::Twine &context, llvm::Error error);

/// "--dim is 'x', expected NAME:SIZE"
ModelFault badOption(const llvm::Twine &flag, const llvm::Twine &value,
                     const llvm::Twine &expected);
/// "--only is '[': invalid glob pattern". Consumes the error.
ModelFault badPattern(const llvm::Twine &flag, const llvm::Twine &value,
                      llvm::Error error);

/// "node 'conv1' (Conv)", escaped.
std::string nodeText(llvm::StringRef label, llvm::StringRef opType);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_MODELERROR_H
