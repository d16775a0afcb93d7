//===- OptionError.h - A wrong use of an option -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// An error that knows the option, what it has and what was expected, so that
// nobody parses its text.
//
//   return wrongOption("--max-growth", "all", "SIZE[K|M|G], N% or unlimited");
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_OPTIONS_OPTIONERROR_H
#define ONNXFOLD_OPTIONS_OPTIONERROR_H

#include "llvm/Support/Error.h"
#include <string>

namespace onnxfold {

class OptionError : public llvm::ErrorInfo<OptionError> {
public:
  static char ID;

  OptionError(std::string option, std::string text, std::string has = "",
              std::string expected = "")
      : option(std::move(option)), text(std::move(text)), has(std::move(has)),
        expected(std::move(expected)) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  std::string option; ///< as it is spelled; empty: of the whole command line
  std::string text;
  std::string has, expected; ///< empty: the text has none
};

/// "OPTION is 'VALUE', expected EXPECTED".
llvm::Error wrongOption(const llvm::Twine &option, const llvm::Twine &value,
                        const llvm::Twine &expected);

/// The error with a text behind it. Another one becomes an OptionError of that
/// option.
llvm::Error withHint(llvm::StringRef option, llvm::Error error,
                     const llvm::Twine &hint);

} // namespace onnxfold

#endif // ONNXFOLD_OPTIONS_OPTIONERROR_H
