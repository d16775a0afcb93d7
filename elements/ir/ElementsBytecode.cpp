//===- ElementsBytecode.cpp - Tensors in MLIR bytecode --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ir/ElementsBytecode.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/ir/RawData.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/AsmState.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include <deque>
#include <typeinfo>

using namespace onnxfold;
using mlir::DialectBytecodeReader;
using mlir::DialectBytecodeWriter;

static constexpr uint64_t encodingVersion = 1;

/// Values of fewer bytes are part of their attribute in any case: a resource
/// costs a name and padding, and what refers to the file keeps it mapped.
static constexpr uint64_t smallestResource = 4096;
/// The alignment that elements need. MLIR's reader refuses files in memory that
/// is less aligned than they ask for, so more would make them hard to read.
static constexpr uint32_t resourceAlignment = 8;

enum StoredForm : uint64_t {
  Elided,
  Splat,
  Listed,
  Strings,
  OneString,
  Resource
};

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

namespace onnxfold::detail {

/// A resource: of a scope while it is written, of the dialect after it was
/// read.
struct BytecodeBlob {
  std::string key;

  // Writing.
  Elements elements;
  bool isWanted = false; // by a writer, not only by the numbering before it
  std::optional<ElementsBytes> bytes;
  std::vector<char> converted;

  // Reading. Taken by the attribute that refers to it.
  std::shared_ptr<mlir::AsmResourceBlob> data;
  std::weak_ptr<mlir::AsmResourceBlob> taken;
  bool isRead = false;

  llvm::ArrayRef<char> rawData();
};

/// The raw form of all elements, kept from now on.
llvm::ArrayRef<char> BytecodeBlob::rawData() {
  if (!hasRawForm(elements.type())) {
    if (converted.empty())
      converted = toRawBuffer(elements);
    return converted;
  }
  if (!bytes)
    bytes.emplace(elements);
  return {bytes->data(), size_t(elements.bytes())};
}

struct BytecodeBlobHandle
    : mlir::AsmDialectResourceHandleBase<BytecodeBlobHandle, BytecodeBlob,
                                         ElementsDialect> {
  using AsmDialectResourceHandleBase::AsmDialectResourceHandleBase;
};

} // namespace onnxfold::detail

MLIR_DECLARE_EXPLICIT_TYPE_ID(onnxfold::detail::BytecodeBlobHandle)
MLIR_DEFINE_EXPLICIT_TYPE_ID(onnxfold::detail::BytecodeBlobHandle)

using onnxfold::detail::BytecodeBlob;
using onnxfold::detail::BytecodeBlobHandle;

//===----------------------------------------------------------------------===//
// ElementsBytecodeScope
//===----------------------------------------------------------------------===//

struct ElementsBytecodeScope::State {
  std::deque<BytecodeBlob> blobs;
  llvm::DenseMap<mlir::Attribute, BytecodeBlob *> blobOf;

  /// Named by their order, so that the file does not depend on threads. An
  /// attribute may stand where one of a context stood that is gone.
  BytecodeBlob &get(DisposableElementsAttr attr, const Elements &elements) {
    BytecodeBlob *&blob = blobOf[attr];
    if (!blob || !blob->elements.identicalTo(elements)) {
      blob = &blobs.emplace_back();
      blob->key = std::to_string(blobs.size() - 1);
      blob->elements = elements;
    }
    return *blob;
  }
};

static thread_local ElementsBytecodeScope::State *bytecodeScope = nullptr;

ElementsBytecodeScope::ElementsBytecodeScope()
    : state(std::make_unique<State>()), outer(bytecodeScope) {
  bytecodeScope = state.get();
}

ElementsBytecodeScope::~ElementsBytecodeScope() { bytecodeScope = outer; }

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// MLIR writes everything twice: first with a writer that only finds out which
/// attributes and types there are. That needs no values. (Nothing else tells
/// the two apart; a writer that is not recognised gets the values in vain.)
static bool onlyNumbers(DialectBytecodeWriter &writer) {
  return llvm::StringRef(typeid(writer).name())
      .contains("NumberingDialectWriter");
}

/// Bytes of a blob that nobody has to keep, after its size.
static void writeBytes(DialectBytecodeWriter &writer,
                       llvm::ArrayRef<char> bytes) {
  for (char byte : bytes)
    writer.writeAPIntWithKnownWidth(llvm::APInt(8, uint8_t(byte)));
}

static void writeBlob(DialectBytecodeWriter &writer,
                      llvm::ArrayRef<char> bytes) {
  writer.writeVarInt(bytes.size());
  writeBytes(writer, bytes);
}

static void writeStrings(DialectBytecodeWriter &writer,
                         const Elements &elements) {
  for (llvm::StringRef value : ElementsArray<llvm::StringRef>(elements))
    writeBlob(writer, {value.data(), value.size()});
}

static void writeValues(DialectBytecodeWriter &writer,
                        const Elements &elements) {
  DataType type = elements.type();
  int64_t size = elements.size();
  if (hasRawForm(type))
    if (const char *bytes = elements.residentBytes())
      return writer.writeOwnedBlob({bytes, size_t(elements.bytes())});
  constexpr int64_t block = 1024; // a multiple of 8: whole bytes of i1
  alignas(16) char values[block * 16], raw[block * 16];
  Elements::Reader reader(elements);
  writer.writeVarInt(rawDataBytes(type, size));
  for (int64_t i = 0; i < size; i += block) {
    int64_t count = std::min(block, size - i);
    reader.read(i, count, values);
    toRawData(type, values, count, raw);
    writeBytes(writer, {raw, size_t(rawDataBytes(type, count))});
  }
}

static void writeBody(DialectBytecodeWriter &writer,
                      DisposableElementsAttr attr, ElementsDialect *dialect) {
  Elements elements = attr.getElements();
  if (!elements)
    return writer.writeVarInt(Elided);
  bool isString = elements.type() == DataType::String;
  if (elements.size() != 0 && elements.isSplat()) {
    Shape zeros(elements.rank(), 0), ones(elements.rank(), 1);
    Elements one = elements.slice(zeros, ones, ones).materialize();
    writer.writeVarInt(isString ? OneString : Splat);
    return isString ? writeStrings(writer, one)
                    : writeBlob(writer, toRawBuffer(one));
  }
  if (bytecodeScope && !isString && elements.bytes() >= smallestResource) {
    BytecodeBlob &blob = bytecodeScope->get(attr, elements);
    blob.isWanted |= !onlyNumbers(writer);
    writer.writeVarInt(Resource);
    return writer.writeResourceHandle(BytecodeBlobHandle(&blob, dialect));
  }
  writer.writeVarInt(isString ? Strings : Listed);
  if (onlyNumbers(writer))
    return;
  isString ? writeStrings(writer, elements) : writeValues(writer, elements);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

/// Reads the record of one attribute. Errors are reported where they are found;
/// the result is null then.
class RecordReader {
public:
  explicit RecordReader(DialectBytecodeReader &reader) : reader(reader) {}

  DisposableElementsAttr read() {
    Elements elements;
    if (readType() || readElements(elements))
      return {};
    // Nobody knows yet which module this record is of.
    DisposableStore::OutsideRoots outside;
    return elements ? DisposableElementsAttr::get(type, elements)
                    : DisposableElementsAttr::getElided(type);
  }

private:
  // Returns true for a failure, as ParseResult does.
  bool fail(const llvm::Twine &message) {
    reader.emitError() << "#elements.dense of type " << mlir::Type(type) << " "
                       << message;
    return true;
  }

  bool readType() {
    uint64_t version;
    if (failed(reader.readVarInt(version)))
      return true;
    if (version != encodingVersion) {
      reader.emitError() << "#elements.dense is encoded in version " << version
                         << ", expected " << encodingVersion;
      return true;
    }
    if (failed(reader.readType(type)))
      return true;
    std::optional<int64_t> size;
    if (type.hasStaticShape())
      size = checkedNumElements(type.getShape());
    // The number of bytes must not overflow either.
    if (!size || *size > std::numeric_limits<int64_t>::max() / 16)
      return fail("has no static shape of a size that can be");
    count = *size;
    dataType = toDataType(type.getElementType());
    return dataType == DataType::Undefined &&
           fail("has an element type without disposable form");
  }

  bool readElements(Elements &result) {
    uint64_t form;
    if (failed(reader.readVarInt(form)))
      return true;
    bool hasStrings = form == Strings || form == OneString;
    if (form != Elided && hasStrings != (dataType == DataType::String))
      return fail("has values of another type");
    switch (form) {
    case Elided:
      return false;
    case Splat:
    case Listed:
      return readBlob(form == Splat, result);
    case Strings:
    case OneString:
      return readStrings(form == OneString, result);
    case Resource:
      return readResource(result);
    default:
      return fail("has an unknown form " + llvm::Twine(form));
    }
  }

  bool checkBytes(uint64_t size, bool splat) {
    uint64_t expected = rawDataBytes(dataType, splat ? 1 : count);
    return size != expected &&
           fail("has " + llvm::Twine(size) + " bytes, expected " +
                llvm::Twine(expected));
  }

  bool readBlob(bool splat, Elements &result) {
    llvm::ArrayRef<char> blob;
    if (failed(reader.readBlob(blob)) || checkBytes(blob.size(), splat))
      return true;
    auto copy = llvm::makeIntrusiveRefCnt<HeapBuffer>(blob.size());
    llvm::copy(blob, copy->data());
    result = fromRawData(dataType, type.getShape(), copy, splat);
    return false;
  }

  bool readStrings(bool one, Elements &result) {
    // No memory is taken on the word of the type: the record may be too short.
    std::vector<llvm::StringRef> values;
    for (int64_t i = 0, n = one ? 1 : count; i < n; ++i) {
      llvm::ArrayRef<char> blob;
      if (failed(reader.readBlob(blob)))
        return true;
      values.push_back(llvm::StringRef(blob.data(), blob.size()));
    }
    ShapeRef shape = type.getShape();
    result = one ? Elements::fromStrings({}, values).expand(shape)
                 : Elements::fromStrings(shape, values);
    return false;
  }

  bool readResource(Elements &result);

  DialectBytecodeReader &reader;
  mlir::ShapedType type;
  DataType dataType = DataType::Undefined;
  int64_t count = 0;
};

/// Resources of files that are read. An entry is kept, because a reader may
/// refer to it at any time; its data belongs to the attribute that took it.
class ResourceInterface : public mlir::OpAsmDialectInterface {
public:
  explicit ResourceInterface(mlir::Dialect *dialect)
      : OpAsmDialectInterface(dialect) {}

  /// Every file has a resource "0", so they get numbers of the context.
  mlir::FailureOr<mlir::AsmDialectResourceHandle>
  declareResource(llvm::StringRef) const override {
    std::lock_guard<std::mutex> lock(mutex);
    BytecodeBlob &blob = blobs.emplace_back();
    blob.key = std::to_string(blobs.size() - 1);
    return BytecodeBlobHandle(&blob,
                              static_cast<ElementsDialect *>(getDialect()));
  }

  std::string
  getResourceKey(const mlir::AsmDialectResourceHandle &handle) const override {
    return static_cast<BytecodeBlob *>(
               mlir::AsmDialectResourceHandle(handle).getResource())
        ->key;
  }

  mlir::LogicalResult
  parseResource(mlir::AsmParsedResourceEntry &entry) const override {
    mlir::FailureOr<mlir::AsmResourceBlob> data = entry.parseAsBlob();
    if (failed(data))
      return mlir::failure();
    std::lock_guard<std::mutex> lock(mutex);
    size_t number;
    if (entry.getKey().getAsInteger(10, number) || number >= blobs.size())
      return entry.emitError() << "resource was not declared";
    blobs[number].data =
        std::make_shared<mlir::AsmResourceBlob>(std::move(*data));
    blobs[number].isRead = true;
    return mlir::success();
  }

  void buildResources(
      mlir::Operation *,
      const mlir::SetVector<mlir::AsmDialectResourceHandle> &referenced,
      mlir::AsmResourceBuilder &builder) const override {
    for (mlir::AsmDialectResourceHandle handle : referenced) {
      auto *blob = static_cast<BytecodeBlob *>(handle.getResource());
      llvm::ArrayRef<char> bytes;
      if (blob->isWanted)
        bytes = blob->rawData();
      builder.buildBlob(blob->key, bytes, resourceAlignment);
    }
  }

  /// The data of a resource; null if there is none. `isFreed` if another
  /// attribute took it, and has been disposed since.
  std::shared_ptr<mlir::AsmResourceBlob> take(BytecodeBlob &blob,
                                              bool &isFreed) const {
    std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<mlir::AsmResourceBlob> result = std::move(blob.data);
    if (!result)
      result = blob.taken.lock();
    blob.taken = result;
    isFreed = blob.isRead && !result;
    return result;
  }

private:
  mutable std::mutex mutex;
  mutable std::deque<BytecodeBlob> blobs;
};

bool RecordReader::readResource(Elements &result) {
  auto handle = reader.readResourceHandle<BytecodeBlobHandle>();
  if (failed(handle))
    return true;
  auto *resources =
      handle->getDialect()->getRegisteredInterface<ResourceInterface>();
  bool isFreed;
  auto data = resources->take(*handle->getResource(), isFreed);
  if (isFreed)
    return fail("refers to a resource that was freed");
  if (!data) // left out when the file was written
    return false;
  llvm::ArrayRef<char> bytes = data->getData();
  if (checkBytes(bytes.size(), /*splat=*/false))
    return true;
  result = fromRawData(dataType, type.getShape(),
                       foreignBuffer(bytes, [data = std::move(data)] {}),
                       /*splat=*/false);
  return false;
}

class BytecodeInterface : public mlir::BytecodeDialectInterface {
public:
  explicit BytecodeInterface(mlir::Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  mlir::Attribute readAttribute(DialectBytecodeReader &reader) const override {
    return RecordReader(reader).read();
  }

  mlir::LogicalResult
  writeAttribute(mlir::Attribute attr,
                 DialectBytecodeWriter &writer) const override {
    auto dense = mlir::cast<DisposableElementsAttr>(attr);
    writer.writeVarInt(encodingVersion);
    writer.writeType(dense.getType());
    writeBody(writer, dense, static_cast<ElementsDialect *>(getDialect()));
    return mlir::success();
  }
};

} // namespace

void detail::addBytecodeInterfaces(ElementsDialect &dialect) {
  dialect.addInterfaces<BytecodeInterface, ResourceInterface>();
}
