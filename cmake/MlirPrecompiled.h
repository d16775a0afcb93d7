//===- MlirPrecompiled.h - Headers that many sources of a folder read -----===//
//
// Precompiled for the folders that ask for it (PRECOMPILE in onnxfold_library).
// Only speed: every source still includes what it uses.
//
//===----------------------------------------------------------------------===//
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Pass/Pass.h"
