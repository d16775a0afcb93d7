//===- ElementsBytecode.h - Tensors in MLIR bytecode ------------*- C++ -*-===//
//
// Disposable attributes in bytecode files: the elements dialect implements
// MLIR's interface, so that writeBytecodeToFile, parseSourceFile and
// `--emit-bytecode` work as they are. A scope makes them fast:
//
//   ElementsBytecodeScope scope;          // until the file is written
//   if (failed(writeBytecodeToFile(*module, os))) ...
//
//   OwningOpRef<ModuleOp> again = parseSourceFile<ModuleOp>(path, &context);
//
// MLIR's writer collects all bytes before it writes any, and asks that those it
// does not copy outlive the writing. In a scope, values of 4 KB and more become
// resources: values in memory or in a file are not copied, and the scope keeps
// values that must be computed. Read from a file, such values are not copied
// either: they refer to the mapped file, which is mapped, and must not change,
// as long as one of them is alive. Without a scope values are copied into the
// attribute's own record, byte by byte where they are not simply in memory
// (slow: MLIR's interface takes no more at a time), and once more when they are
// read. Both kinds of files can be read with and without a scope.
//
// Attributes that are read are born outside every root, as those of the parser
// of text (gc/DisposablePool.h). With MLIR's option to leave resources out
// (setElideResourceDataFlag) they come back without data, as elided ones.
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
// eight to a byte, other types narrower than a byte a byte each. Blobs of
// resources are aligned to 8 bytes.
//
// Errors: the reader reports any other form (another version, a wrong number of
// bytes, a type that has none), and reading fails. Thread safety: as MLIR's
// writer and reader; several may work in one context.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_IR_ELEMENTSBYTECODE_H
#define ONNXFOLD_ELEMENTS_IR_ELEMENTSBYTECODE_H

#include <memory>

namespace onnxfold {

class ElementsDialect;

/// While alive, bytecode that this thread writes has values as resources, and
/// the bytes of these are kept in memory. Scopes nest; the innermost counts.
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
/// For the constructor of the dialect.
void addBytecodeInterfaces(ElementsDialect &dialect);
} // namespace detail

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_IR_ELEMENTSBYTECODE_H
