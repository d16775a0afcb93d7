//===- ElementsText.h - Tensors as text of the IR ---------------*- C++ -*-===//
//
// The standard text of dense constants, printed from Elements and parsed to
// Elements without making a DenseElementsAttr, which would live for ever:
//
//   dense<[[1, 2], [3, 4]]>   dense<1.5>   dense<"0x3F80...">   dense<["a"]>
//
// The text is, character for character, that of a DenseElementsAttr of the same
// values. printDense and parseDense have the form of the hooks of
// onnx.Constant (setConstantAsm in onnx/ir/Registration.h):
//
//   setConstantAsm(context, {printDense, parseDense});
//
// Large values follow the printer's OpPrintingFlags: hex beyond a limit (100
// elements by default), `__elided__` beyond another one (off by default). MLIR
// 22 does not tell attributes the flags of their printer; gc/RATIONALE.md says
// how they are found out; ElementsPrintingScope sets them.
//
// Thread safety: all may be called from any thread.
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

/// Prints the text between the angle brackets of `dense<...>`. `elements` may
/// be null: then `__elided__`. REQUIRES: not of type Opaque.
void printElements(mlir::AsmPrinter &printer, const Elements &elements,
                   mlir::ShapedType type);

/// The same to any stream, for messages and dumps: hex beyond a limit, or
/// `__elided__`, as the flags say (by default, the command line).
///   printElements(llvm::errs(), x, toTensorType(x, context));
void printElements(llvm::raw_ostream &os, const Elements &elements,
                   mlir::ShapedType type,
                   const mlir::OpPrintingFlags &flags = {});

/// Prints `dense<...> : type` for a DisposableElementsAttr, an elided one as
/// `dense_resource<__elided__> : type`, and with a resource where an
/// ElementsPrintingScope asks for that; any other attribute as it prints
/// itself.
void printDense(mlir::AsmPrinter &printer, mlir::ElementsAttr attr);

/// Parses `dense<...> : type`, or any other attribute that is an ElementsAttr.
/// `attr` becomes what toAttribute makes: disposable unless small, and then
/// born outside every root (DisposableStore::OutsideRoots).
mlir::ParseResult parseDense(mlir::AsmParser &parser, mlir::ElementsAttr &attr);

/// Parses the text between the angle brackets of `dense<...>`. Null and success
/// for `__elided__`.
mlir::ParseResult parseElements(mlir::AsmParser &parser, mlir::ShapedType type,
                                Elements &elements);

/// While alive, attributes that this thread prints obey these flags, whatever
/// the printer's own say. Scopes nest.
///
/// With `resources`, printDense (onnx.Constant) prints values that are neither
/// small nor splats as `dense_resource<...>`, MLIR's own form, with the bytes
/// at the end of the file; MLIR parses that to a DenseResourceElementsAttr. The
/// bytes are kept until the scope ends, in place if possible. `#elements.dense`
/// must carry its prefix and does not change: scrub (gc/Scrub.h) makes
/// resources of those too.
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
