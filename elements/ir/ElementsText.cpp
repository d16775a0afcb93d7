//===- ElementsText.cpp - Printing of dense constants ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ir/ElementsText.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/DisposableElementsAttr.h"
#include "onnxfold/elements/ir/RawData.h"
#include "onnxfold/widenum/Dispatch.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace onnxfold;

//===----------------------------------------------------------------------===//
// How to print: what the flags say
//===----------------------------------------------------------------------===//

enum class TextForm { Values, Hex, Elided };

/// A scope: what it asks for, and the resources that it made.
struct ElementsPrintingScope::State {
  /// An entry of the context's, which has our data as long as `isOurs`: until
  /// somebody else gives it other data, or the context is gone.
  struct Resource {
    mlir::DialectResourceBlobManager::BlobEntry *entry = nullptr;
    std::shared_ptr<bool> isOurs;
  };

  mlir::OpPrintingFlags flags;
  bool resources;
  State *outer;
  llvm::DenseMap<mlir::Attribute, Resource> resourceOf{};
};

static thread_local ElementsPrintingScope::State *printingScope = nullptr;

ElementsPrintingScope::ElementsPrintingScope(const mlir::OpPrintingFlags &flags,
                                             bool resources)
    : state(new State{flags, resources, printingScope}) {
  printingScope = state.get();
}

/// The names of resources live as long as the context; their data is freed
/// here.
ElementsPrintingScope::~ElementsPrintingScope() {
  for (auto &[attr, resource] : state->resourceOf)
    if (*resource.isOurs)
      resource.entry->setBlob(mlir::AsmResourceBlob());
  printingScope = state->outer;
}

static TextForm formByFlags(const mlir::OpPrintingFlags &flags, int64_t count) {
  std::optional<int64_t> elide = flags.getLargeElementsAttrLimit();
  int64_t hex = flags.getLargeElementsAttrHexLimit();
  if (elide && *elide < count)
    return TextForm::Elided;
  return hex != -1 && hex < count ? TextForm::Hex : TextForm::Values;
}

/// Asks the printer itself: prints a builtin attribute of that many elements,
/// looks at what came out, and takes it back. Works where the printer writes
/// into a string, which MLIR's printer of dialect attributes does. Attributes
/// live for ever, so the question is about 4096 elements at most.
static std::optional<TextForm> formByProbe(mlir::AsmPrinter &printer,
                                           int64_t count,
                                           mlir::MLIRContext *context) {
  auto *os = dynamic_cast<llvm::raw_string_ostream *>(&printer.getStream());
  if (!os)
    return std::nullopt;
  int64_t elements = std::min<int64_t>(count, 4096);
  std::vector<char> bits((elements + 7) / 8, 0);
  bits[0] = 1;
  auto type = mlir::RankedTensorType::get({elements},
                                          mlir::IntegerType::get(context, 1));
  std::string &text = os->str();
  size_t before = text.size();
  printer.printAttributeWithoutType(
      mlir::DenseElementsAttr::getFromRawBuffer(type, bits));
  llvm::StringRef probe = llvm::StringRef(os->str()).drop_front(before);
  TextForm form = probe.contains("__elided__") ? TextForm::Elided
                  : probe.contains('"')        ? TextForm::Hex
                                               : TextForm::Values;
  os->str().resize(before);
  return form;
}

static TextForm formOf(mlir::AsmPrinter &printer, mlir::ShapedType type) {
  int64_t count = type.getNumElements();
  if (count <= 1)
    return TextForm::Values;
  if (printingScope)
    return formByFlags(printingScope->flags, count);
  if (auto form = formByProbe(printer, count, type.getContext()))
    return *form;
  return formByFlags(mlir::OpPrintingFlags(), count);
}

//===----------------------------------------------------------------------===//
// Splats
//===----------------------------------------------------------------------===//

/// Whether all elements have the bytes of the first; reads until one differs. A
/// DenseElementsAttr finds that out when it is made, so the text depends on it.
static bool isSplatByContent(const Elements &elements) {
  int64_t count = elements.size();
  if (count == 0 || elements.isSplat())
    return count != 0;
  if (elements.type() == DataType::String)
    return llvm::all_equal(ElementsArray<llvm::StringRef>(elements));
  constexpr int64_t block = 1024;
  unsigned width = byteWidth(elements.type());
  std::vector<char> bytes(std::min(block, count) * width);
  char first[16];
  Elements::Reader reader(elements);
  reader.read(0, 1, first);
  for (int64_t i = 0; i < count; i += block) {
    int64_t n = std::min(block, count - i);
    reader.read(i, n, bytes.data());
    for (int64_t j = 0; j < n; ++j)
      if (std::memcmp(first, &bytes[j * width], width) != 0)
        return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

namespace {

/// Prints one element of any type, as MLIR's printer does.
class ElementPrinter {
public:
  ElementPrinter(llvm::raw_ostream &os, mlir::Type elementType) : os(os) {
    if (auto complexType = mlir::dyn_cast<mlir::ComplexType>(elementType))
      elementType = complexType.getElementType();
    if (auto floatType = mlir::dyn_cast<mlir::FloatType>(elementType))
      semantics = &floatType.getFloatSemantics();
  }

  void print(bool value) { os << (value ? "true" : "false"); }
  void print(llvm::StringRef value) {
    os << '"';
    llvm::printEscapedString(value, os);
    os << '"';
  }
  template <class Part> void print(std::complex<Part> value) {
    os << '(';
    print(value.real());
    os << ',';
    print(value.imag());
    os << ')';
  }
  template <class T> void print(T value) {
    if constexpr (std::is_integral_v<T>)
      os << +value; // as a number, also of a char
    else if constexpr (isInteger(dataTypeOf<T>))
      os << +value.value;
    else if constexpr (isFloat(dataTypeOf<T>))
      printFloat(value);
    else
      llvm_unreachable("symbols never enter the IR");
  }

private:
  template <class T> void printFloat(T value) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    printFloat(llvm::APFloat(
        *semantics,
        llvm::APInt(llvm::APFloat::getSizeInBits(*semantics), bits)));
  }

  /// Seven significant digits if they give the value back, else as many as it
  /// takes; bits in hex for what is no number, or would read as an integer.
  void printFloat(const llvm::APFloat &value) {
    llvm::SmallString<64> text;
    if (value.isFinite()) {
      value.toString(text, /*FormatPrecision=*/6, /*FormatMaxPadding=*/0,
                     /*TruncateZero=*/false);
      if (llvm::APFloat(*semantics, text).bitwiseIsEqual(value)) {
        os << text;
        return;
      }
      text.clear();
      value.toString(text);
      if (text.str().contains('.')) {
        os << text;
        return;
      }
      text.clear();
    }
    value.bitcastToAPInt().toString(text, /*Radix=*/16, /*Signed=*/false,
                                    /*formatAsCLiteral=*/true);
    os << text;
  }

  llvm::raw_ostream &os;
  const llvm::fltSemantics *semantics = nullptr;
};

} // namespace

/// The rows of a tensor in nested brackets; `next` is the element to print.
template <class T>
static void printRows(ElementPrinter &printer, llvm::raw_ostream &os,
                      ShapeRef shape, const T *&next) {
  if (shape.empty())
    return printer.print(*next++);
  os << '[';
  for (int64_t i = 0; i < shape[0]; ++i) {
    if (i)
      os << ", ";
    printRows(printer, os, shape.drop_front(), next);
  }
  os << ']';
}

static void printValues(llvm::raw_ostream &os, const Elements &elements,
                        mlir::Type elementType, ShapeRef shape) {
  ElementPrinter printer(os, elementType);
  visitType(elements.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    ElementsArray<T> values(elements);
    const T *next = values.begin();
    printRows(printer, os, shape, next);
  });
}

static void printHex(llvm::raw_ostream &os, const Elements &elements) {
  constexpr int64_t block = 4096; // a multiple of 8: whole bytes of i1
  DataType type = elements.type();
  std::vector<char> bytes(block * byteWidth(type)), raw(bytes.size());
  std::string text(2 * raw.size(), '\0');
  Elements::Reader reader(elements);
  os.reserveExtraSpace(2 * rawDataBytes(type, elements.size()));
  os << "\"0x";
  for (int64_t i = 0, count = elements.size(); i < count; i += block) {
    int64_t n = std::min(block, count - i);
    reader.read(i, n, bytes.data());
    toRawData(type, bytes.data(), n, raw.data());
    uint64_t size = rawDataBytes(type, n);
    for (uint64_t j = 0; j < size; ++j) {
      text[2 * j] = llvm::hexdigit(uint8_t(raw[j]) >> 4);
      text[2 * j + 1] = llvm::hexdigit(uint8_t(raw[j]) & 15);
    }
    os.write(text.data(), 2 * size);
  }
  os << '"';
}

static void printBody(llvm::raw_ostream &os, const Elements &elements,
                      mlir::ShapedType type, TextForm form) {
  if (elements.size() == 0)
    return;
  if (form == TextForm::Hex && elements.type() != DataType::String)
    return printHex(os, elements);
  printValues(os, elements, type.getElementType(), type.getShape());
}

/// Returns what is printed: null where the values are left out, the one element
/// where all are equal (then whatever the flags say).
static std::pair<Elements, mlir::ShapedType>
choose(const Elements &elements, mlir::ShapedType type, TextForm &form) {
  if (elements && isSplatByContent(elements)) {
    Shape zeros(elements.rank(), 0), ones(elements.rank(), 1);
    form = TextForm::Values;
    return {elements.slice(zeros, ones, ones).reshape({}),
            type.clone(ShapeRef())};
  }
  return {form == TextForm::Elided ? Elements() : elements, type};
}

/// MLIR prints everything twice: first to nowhere, to find out which aliases
/// there will be. That needs no values.
static bool printsToNowhere(mlir::AsmPrinter &printer) {
  return dynamic_cast<llvm::raw_null_ostream *>(&printer.getStream());
}

/// Keeps what must be computed or mapped until all is printed.
static std::optional<Elements::Reader> keepReadable(const Elements &elements) {
  if (!elements)
    return std::nullopt;
  return Elements::Reader(elements);
}

static void printAs(llvm::raw_ostream &os, const Elements &elements,
                    mlir::ShapedType type, TextForm form) {
  auto [shown, shownType] = choose(elements, type, form);
  if (!shown)
    os << "__elided__";
  else
    printBody(os, shown, shownType, form);
}

void onnxfold::printElements(mlir::AsmPrinter &printer,
                             const Elements &elements, mlir::ShapedType type) {
  if (printsToNowhere(printer))
    return;
  auto keep = keepReadable(elements);
  printAs(printer.getStream(), elements, type, formOf(printer, type));
}

void onnxfold::printElements(llvm::raw_ostream &os, const Elements &elements,
                             mlir::ShapedType type,
                             const mlir::OpPrintingFlags &flags) {
  auto keep = keepReadable(elements);
  int64_t count = type.getNumElements();
  printAs(os, elements, type,
          count <= 1 ? TextForm::Values : formByFlags(flags, count));
}

//===----------------------------------------------------------------------===//
// Whole attributes
//===----------------------------------------------------------------------===//

/// Whether the current scope wants this value as a resource.
static bool isResource(const Elements &elements) {
  return printingScope && printingScope->resources &&
         elements.type() != DataType::String &&
         elements.bytes() > denseAttributeLimit && !isSplatByContent(elements);
}

static ElementsPrintingScope::State::Resource
makeResource(mlir::MLIRContext *context, const Elements &elements) {
  auto isOurs = std::make_shared<bool>(true);
  auto bytes =
      std::make_shared<mlir::AsmResourceBlob>(toResourceBlob(elements));
  llvm::ArrayRef<char> data = bytes->getData();
  size_t alignment = bytes->getDataAlignment();
  mlir::AsmResourceBlob blob(
      data, alignment,
      [isOurs, bytes = std::move(bytes)](void *, size_t, size_t) {
        *isOurs = false;
      },
      /*dataIsMutable=*/false);
  auto &manager =
      mlir::DenseResourceElementsHandle::getManagerInterface(context);
  return {manager.insert("elements", std::move(blob)).getResource(), isOurs};
}

static void printResource(mlir::AsmPrinter &printer, mlir::Attribute attr,
                          const Elements &elements) {
  mlir::MLIRContext *context = attr.getContext();
  auto &resource = printingScope->resourceOf[attr];
  if (!resource.entry || !*resource.isOurs)
    resource = makeResource(context, elements);
  printer << "dense_resource<";
  printer.printResourceHandle(mlir::DenseResourceElementsHandle(
      resource.entry, context->getLoadedDialect<mlir::BuiltinDialect>()));
  printer << '>';
}

void onnxfold::printDense(mlir::AsmPrinter &printer, mlir::ElementsAttr attr) {
  auto disposable = mlir::dyn_cast<DisposableElementsAttr>(attr);
  if (!disposable)
    return printer.printAttribute(attr);
  mlir::ShapedType type = disposable.getType();
  if (printsToNowhere(printer))
    return printer.printType(type);
  Elements elements = disposable.getElements();
  auto keep = keepReadable(elements);
  TextForm form = formOf(printer, type);
  auto [shown, shownType] = choose(elements, type, form);
  if (!shown) {
    printer << "dense_resource<__elided__>";
  } else if (isResource(elements)) {
    printResource(printer, attr, elements);
  } else {
    printer << "dense<";
    printBody(printer.getStream(), shown, shownType, form);
    printer << '>';
  }
  printer << " : " << mlir::Type(type);
}
