//===- ElementsBytecode.h - Tensors in MLIR bytecode ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Disposable attributes in bytecode files. The elements dialect implements
// MLIR's interface, so writeBytecodeToFile, parseSourceFile and
// `--emit-bytecode` work without any call of this header. A scope makes them
// fast:
//
//   ElementsBytecodeScope scope;          // until the file is written
//   if (failed(writeBytecodeToFile(*module, os))) ...
//
//   OwningOpRef<ModuleOp> again = parseSourceFile<ModuleOp>(path, &context);
//
// MLIR's writer collects all bytes before it writes any, and requires that
// bytes which it does not copy outlive the writing. In a scope, values of 4 KB
// and more become resources: values in memory or in a file are not copied, and
// the scope keeps values that must be computed. Reading such a file copies no
// value either: values refer to the mapped file, which stays mapped, and must
// not change, as long as one of them is alive. Without a scope, values are
// copied into the record of the attribute, and once more when they are read. A
// value that is not simply in memory is then copied byte by byte, which is slow
// (MLIR's interface takes no more at a time). Both kinds of files can be read
// with and without a scope.
//
// Attributes that are read are born outside every root, like those of the text
// parser (gc/DisposablePool.h). With MLIR's option to leave resources out
// (setElideResourceDataFlag) they have no data and become elided attributes.
//
// Encoding, version 1, of one attribute:
//   varint  1, the version
//   type    a shaped type of static shape
//   varint  the form, then
//     0 elided   nothing
//     1 splat    blob: one element
//     2 values   blob: all elements
//     3 strings  as many blobs as there are elements
//     4 one string for all: a blob
//     5 resource handle of a resource of this dialect: a blob of all elements
// A blob has the raw form of DenseElementsAttr (RawData.h), little endian: i1
// is packed eight to a byte, and other types narrower than a byte take a byte
// each. Blobs of resources are aligned to 8 bytes.
//
// Errors: the reader reports any other form (another version, a wrong number of
// bytes, a type that has none), and reading fails. Thread safety: that of
// MLIR's writer and reader; several may work in one context.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_IR_ELEMENTSBYTECODE_H
#define ONNXFOLD_ELEMENTS_IR_ELEMENTSBYTECODE_H

#include <memory>

namespace onnxfold {

class ElementsDialect;

/// While the scope is alive, bytecode that this thread writes stores values as
/// resources, and their bytes are kept readable. Scopes nest; the innermost one
/// is in effect.
class ElementsBytecodeScope {
public:
  ElementsBytecodeScope();
  ~ElementsBytecodeScope();
  ElementsBytecodeScope(const ElementsBytecodeScope &) = delete;
  ElementsBytecodeScope &operator=(const ElementsBytecodeScope &) = delete;

  struct State;

private:
  std::unique_ptr<State> state;
  State *outer;
};

namespace detail {
/// Registers the interface; the dialect's constructor calls it.
void addBytecodeInterfaces(ElementsDialect &dialect);
} // namespace detail

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_IR_ELEMENTSBYTECODE_H
