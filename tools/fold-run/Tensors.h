//===- Tensors.h - Arguments and results of fold-run ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads NUMBER=FILE of the command line as a tensor of the argument's type, and
// prints results. Errors name the argument, the given value, and what was
// expected.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_FOLD_RUN_TENSORS_H
#define ONNXFOLD_TOOLS_FOLD_RUN_TENSORS_H

#include "onnxfold/elements/Elements.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Error.h"
#include <map>

namespace onnxfold {

llvm::Error makeRunError(const llvm::Twine &text);

/// Files by the number of an argument.
using NumberedFiles = std::map<unsigned, std::string>;

/// `option`: the name of the option in errors.
llvm::Expected<NumberedFiles>
parseNumberedFiles(llvm::ArrayRef<std::string> texts, llvm::StringRef option);

/// The array in `file` as a tensor of `type`, a ranked tensor or a scalar.
/// Integers of the same width are taken by their bits; int8 and uint8 become
/// narrower integers if all values fit, and uint16 bf16.
llvm::Expected<Elements> readArgument(llvm::StringRef file, mlir::Type type,
                                      const llvm::Twine &argument);

/// `dense<...> : tensor<...>`, or only the type if there are more than `limit`
/// elements. `type` is the one of the program, whose sizes may be dynamic.
std::string textOf(const Elements &elements, mlir::Type type, int64_t limit);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_FOLD_RUN_TENSORS_H
