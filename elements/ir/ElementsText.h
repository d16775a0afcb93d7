//===- ElementsText.h - Tensors as text of the IR ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The standard text of dense constants. It is printed from Elements and parsed
// to Elements without making a DenseElementsAttr, which would never be freed:
//
//   dense<[[1, 2], [3, 4]]>   dense<1.5>   dense<"0x3F80...">   dense<["a"]>
//
// The text is, character for character, that of a DenseElementsAttr of the same
// values. printDense and parseDense have the form of the hooks of
// onnx.Constant (setConstantAsm in onnx/ir/Registration.h):
//
//   setConstantAsm(context, {printDense, parseDense});
//
// Large values follow the printer's OpPrintingFlags: they are printed as hex
// beyond a limit (100 elements by default), and as `__elided__` beyond another
// one (off by default). MLIR 22 does not tell attributes the flags of their
// printer; gc/RATIONALE.md says how they are found. ElementsPrintingScope sets
// them.
//
// Thread safety: all functions may be called from any thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_IR_ELEMENTSTEXT_H
#define ONNXFOLD_ELEMENTS_IR_ELEMENTSTEXT_H

#include "onnxfold/elements/Elements.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/OperationSupport.h"

namespace mlir {
class AsmParser;
class AsmPrinter;
} // namespace mlir

namespace onnxfold {

/// Prints the text between the angle brackets of `dense<...>`: `__elided__` if
/// `elements` is null. REQUIRES: the type is not Opaque.
void printElements(mlir::AsmPrinter &printer, const Elements &elements,
                   mlir::ShapedType type);

/// The same to any stream, for messages and dumps. The flags determine the
/// limits of hex and `__elided__`; by default they are those of the command
/// line.
///   printElements(llvm::errs(), x, toTensorType(x, context));
void printElements(llvm::raw_ostream &os, const Elements &elements,
                   mlir::ShapedType type,
                   const mlir::OpPrintingFlags &flags = {});

/// Prints `dense<...> : type` for a DisposableElementsAttr. An elided one is
/// printed as `dense_resource<__elided__> : type`, and as another resource
/// where an ElementsPrintingScope asks for resources. Any other attribute is
/// printed in its own form.
void printDense(mlir::AsmPrinter &printer, mlir::ElementsAttr attr);

/// Parses `dense<...> : type`, or any other attribute that is an ElementsAttr.
/// `attr` is made by toAttribute, so it is disposable unless it is small. A
/// disposable one is born outside every root (DisposableStore::OutsideRoots).
mlir::ParseResult parseDense(mlir::AsmParser &parser, mlir::ElementsAttr &attr);

/// Parses the text between the angle brackets of `dense<...>`. For `__elided__`
/// it succeeds and `elements` is null.
mlir::ParseResult parseElements(mlir::AsmParser &parser, mlir::ShapedType type,
                                Elements &elements);

/// While the scope is alive, attributes that this thread prints obey these
/// flags in place of the printer's own. Scopes nest.
///
/// With `resources`, printDense (onnx.Constant) prints values that are neither
/// small nor splats as `dense_resource<...>`, MLIR's own form, with the bytes
/// at the end of the file; MLIR parses that to a DenseResourceElementsAttr. The
/// bytes are kept until the scope ends, in place if possible. The text of
/// `#elements.dense`, which must begin with its prefix, does not change: scrub
/// (gc/Scrub.h) makes resources of these attributes too.
class ElementsPrintingScope {
public:
  explicit ElementsPrintingScope(const mlir::OpPrintingFlags &flags,
                                 bool resources = false);
  ~ElementsPrintingScope();
  ElementsPrintingScope(const ElementsPrintingScope &) = delete;
  ElementsPrintingScope &operator=(const ElementsPrintingScope &) = delete;

  struct State;

private:
  std::unique_ptr<State> state;
};

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_IR_ELEMENTSTEXT_H
