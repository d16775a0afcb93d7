//===- OptionError.cpp - A wrong use of an option -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/options/OptionError.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;

char OptionError::ID;

void OptionError::log(llvm::raw_ostream &os) const { os << text; }

std::error_code OptionError::convertToErrorCode() const {
  return std::make_error_code(std::errc::invalid_argument);
}

llvm::Error onnxfold::wrongOption(const llvm::Twine &option,
                                  const llvm::Twine &value,
                                  const llvm::Twine &expected) {
  return llvm::make_error<OptionError>(
      option.str(),
      (option + " is '" + value + "', expected " + expected).str(),
      ("'" + value + "'").str(), expected.str());
}

llvm::Error onnxfold::withHint(llvm::StringRef option, llvm::Error error,
                               const llvm::Twine &hint) {
  return llvm::handleErrors(
      std::move(error),
      [&](const OptionError &wrong) -> llvm::Error {
        return llvm::make_error<OptionError>(
            wrong.option, (wrong.text + hint).str(), wrong.has, wrong.expected);
      },
      [&](const llvm::ErrorInfoBase &other) -> llvm::Error {
        return llvm::make_error<OptionError>(option.str(),
                                             (other.message() + hint).str());
      });
}
