//===- ForeignFormat.cpp - Files that are no binary ONNX model ------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/read/ForeignFormat.h"

#include "onnxfold/onnx/io/files/FileCopy.h"
#include "onnxfold/onnx/io/files/IoError.h"

#include "google/protobuf/descriptor.pb.h"
#include "google/protobuf/dynamic_message.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/util/json_util.h"
// sys/mman.h, which another source of the batch includes, has a macro MAP_TYPE;
// ONNX's parser has an enumerator of that name.
#undef MAP_TYPE
#include "onnx/defs/parser.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringExtras.h"

#include <exception>
#include <unistd.h>

using namespace llvm;

namespace onnxfold {

namespace {

struct Magic {
  StringRef bytes;
  size_t offset;
  const char *kind;
  const char *advice;
};

} // namespace

/// The first bytes of what people hand over by mistake.
static const Magic magics[] = {
    {"\x1f\x8b", 0, "a gzip archive", "; unpack it first"},
    {"PK\x03\x04", 0, "a zip archive", "; unpack it first"},
    {"BZh", 0, "a bzip2 archive", "; unpack it first"},
    {StringRef("\xfd"
               "7zXZ\0",
               6),
     0, "an xz archive", "; unpack it first"},
    {"\x28\xb5\x2f\xfd", 0, "a zstd archive", "; unpack it first"},
    {"7z\xbc\xaf\x27\x1c", 0, "a 7z archive", "; unpack it first"},
    {"ustar", 257, "a tar archive", "; unpack it first"},
    {"version https://git-lfs", 0, "a pointer of Git LFS", "; fetch the file"},
    {"\x89PNG", 0, "a PNG picture", ""},
    {"\xff\xd8\xff", 0, "a JPEG picture", ""},
    {"%PDF", 0, "a PDF document", ""},
    {"\x7f"
     "ELF",
     0, "a program", ""},
    {"\x89HDF", 0, "an HDF5 file", "; convert it first"},
    {"TFL3", 4, "a TensorFlow Lite model", "; convert it first"},
    {"ORTM", 4, "a model in ONNX Runtime's own format", "; convert it first"},
    {"GGUF", 0, "a GGUF model", "; convert it first"},
    {"\x80\x02", 0, "a Python pickle", "; convert it first"},
    {"\x93NUMPY", 0, "a NumPy array", ""},
    {"\xff\xfe", 0, "text in UTF-16", "; convert it to UTF-8 first"},
    {"\xfe\xff", 0, "text in UTF-16", "; convert it to UTF-8 first"},
};

/// Some editors begin a text of UTF-8 with it.
static constexpr StringRef byteOrderMark = "\xef\xbb\xbf";

namespace {

/// Keeps the first message of protobuf's parser, which would print all.
struct FirstError : google::protobuf::io::ErrorCollector {
  std::string text;
  void AddError(int line, int column, const std::string &message) override {
    if (text.empty())
      text = ("line " + Twine(line + 1) + ", column " + Twine(column + 1) +
              ": " + message)
                 .str();
  }
};

} // namespace

/// The descriptors of onnx-ml.proto: the ONNX library is built without them.
static const unsigned char descriptorBytes[] = {
#include "onnxfold/onnx/io/OnnxDescriptor.inc"
};

namespace {

/// A ModelProto that protobuf's parsers of text can fill.
class DynamicModel {
public:
  DynamicModel() {
    google::protobuf::FileDescriptorSet files;
    files.ParseFromArray(descriptorBytes, sizeof(descriptorBytes));
    for (const google::protobuf::FileDescriptorProto &file : files.file())
      pool.BuildFile(file);
    const google::protobuf::Descriptor *type =
        pool.FindMessageTypeByName("onnx.ModelProto");
    model.reset(factory.GetPrototype(type)->New());
  }

  google::protobuf::Message *operator*() { return model.get(); }

private:
  google::protobuf::DescriptorPool pool;
  google::protobuf::DynamicMessageFactory factory{&pool};
  std::unique_ptr<google::protobuf::Message> model;
};

} // namespace

/// Parsers of text into the binary form: what is wrong with the text, or "".
static std::string parseProtobufText(StringRef text, std::string &binary) {
  FirstError error;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  DynamicModel model;
  if (parser.ParseFromString(text.str(), *model) &&
      (*model)->SerializeToString(&binary))
    return "";
  return error.text.empty() ? "it cannot be parsed" : error.text;
}

static std::string parseJson(StringRef text, std::string &binary) {
  DynamicModel model;
  auto status = google::protobuf::util::JsonStringToMessage(
      {text.data(), text.size()}, *model);
  if (!status.ok())
    return status.message().ToString();
  return (*model)->SerializeToString(&binary) ? "" : "it is too large";
}

static std::string parseOnnxText(StringRef text, std::string &binary) {
  // The parser of ONNX throws for some numbers.
  try {
    onnx::ModelProto model;
    onnx::OnnxParser parser(std::string_view(text.data(), text.size()));
    onnx::Common::Status status = parser.Parse(model);
    if (!status.IsOK())
      return status.ErrorMessage();
    return model.SerializeToString(&binary) ? "" : "it is too large";
  } catch (const std::exception &error) {
    return error.what();
  }
}

namespace {

struct TextFormat {
  const char *name;
  StringRef quotes;  ///< around strings
  bool isLineString; ///< a string ends where its line does
  std::string (*parse)(StringRef text, std::string &binary);
};

} // namespace

/// The length of a comment at the start of a text, without the end of its line;
/// 0 if there is none.
static size_t commentAt(StringRef text) {
  bool isComment = text.starts_with("#") || text.starts_with("//");
  return isComment ? std::min(text.find('\n'), text.size()) : 0;
}

/// Returns the text from where the model begins.
static StringRef skipComments(StringRef text) {
  text.consume_front(byteOrderMark);
  for (text = text.ltrim(); size_t size = commentAt(text);)
    text = text.drop_front(size).ltrim();
  return text;
}

/// Replaces comments by spaces, so that what parsers say of lines and columns
/// stays true: each of them knows other comments, or none. Returns how many
/// brackets are open at once outside of strings.
static unsigned blankComments(std::string &text, const TextFormat &format) {
  unsigned depth = 0, deepest = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      if (c == quote || (c == '\n' && format.isLineString))
        quote = 0;
      else if (c == '\\' && !StringRef(text).substr(i + 1).starts_with("\n"))
        ++i;
    } else if (format.quotes.contains(c)) {
      quote = c;
    } else if (size_t size = commentAt(StringRef(text).drop_front(i))) {
      std::fill_n(text.begin() + i, size, ' ');
      i += size - 1;
    } else if (StringRef("{[(<").contains(c)) {
      deepest = std::max(deepest, ++depth);
    } else if (depth && StringRef("}])>").contains(c)) {
      --depth;
    }
  }
  return deepest;
}

/// The text form that a model begins like, behind comments.
static const TextFormat *recognise(StringRef text) {
  static const TextFormat protobuf = {"protobuf text", "\"'", true,
                                      parseProtobufText};
  static const TextFormat json = {"JSON", "\"'", false, parseJson};
  static const TextFormat onnx = {"ONNX text", "\"", false, parseOnnxText};
  // Spaces and printable ASCII only, apart from names further on.
  if (text.empty() || any_of(text.take_front(16),
                             [](char c) { return !isPrint(c) && !isSpace(c); }))
    return nullptr;
  if (text.starts_with("{"))
    return &json;
  if (text.starts_with("<"))
    return &onnx;
  StringRef rest =
      text.drop_while([](char c) { return isAlnum(c) || c == '_'; });
  StringRef name = text.drop_back(rest.size());
  rest = skipComments(rest);
  if (!name.empty() && rest.starts_with("(")) // a graph without a header
    return &onnx;
  bool isField = is_contained(
      {"ir_version", "producer_name", "graph", "domain", "producer_version",
       "model_version", "doc_string", "opset_import", "functions",
       "metadata_props", "training_info", "configuration"},
      name);
  bool isValue = !rest.empty() && StringRef(":{<").contains(rest.front());
  return isField && isValue ? &protobuf : nullptr;
}

/// The first bytes of a file, and the start of the model behind comments, which
/// may be long.
static Expected<std::string> readHead(const InputFile &file) {
  uint64_t most = std::min(file.size(), maxTextModelSize);
  for (uint64_t size = 512;; size *= 8) {
    std::string head(std::min(size, most), '\0');
    if (Error error = file.read(0, head))
      return error;
    constexpr size_t enough = 64; // to recognise a form by
    if (head.size() == most || skipComments(head).size() >= enough)
      return head;
  }
}

/// Text that people may read, or the front of it.
static bool isText(StringRef head) {
  return !head.empty() && none_of(head, [](char c) {
    return (unsigned char)c < 0x20 && !isSpace(c);
  });
}

/// The bytes as an unlinked file.
static Expected<InputFileRef> toFile(StringRef bytes, StringRef name) {
  Expected<int> fd = openUnlinkedTemporary();
  if (!fd)
    return fd.takeError();
  if (Error error = writeFully(*fd, 0, bytes, "temporary file")) {
    ::close(*fd);
    return error;
  }
  return InputFile::adopt(*fd, name);
}

static Expected<std::optional<TextModel>> parse(const InputFile &file,
                                                const TextFormat &format) {
  StringRef name = file.name();
  if (file.size() > maxTextModelSize)
    return ModelFault()
        .file(name)
        .is(Twine(format.name) + " of " + Twine(file.size()) + " bytes")
        .expected("at most 256 MiB")
        .says("; use the binary form");
  std::string text(file.size(), '\0');
  if (Error error = file.read(0, text))
    return error;
  if (StringRef(text).starts_with(byteOrderMark))
    text.erase(0, byteOrderMark.size());
  // Parsers recurse. Each graph in a graph takes three levels.
  constexpr unsigned most = 300;
  if (blankComments(text, format) > most)
    return ModelFault().file(name).is(Twine(format.name) +
                                      " that is nested more than " +
                                      Twine(most) + " levels deep");
  std::string bytes;
  std::string problem = format.parse(text, bytes);
  if (!problem.empty()) {
    std::replace(problem.begin(), problem.end(), '\n', ' ');
    return ModelFault().file(name).is(
        Twine(format.name) + ", but no ONNX model: " +
        printableName(StringRef(problem).rtrim(" .")));
  }
  Expected<InputFileRef> binary = toFile(bytes, name);
  if (!binary)
    return binary.takeError();
  return TextModel{*binary, format.name};
}

Expected<std::optional<TextModel>> readTextModel(const InputFile &file) {
  Expected<std::string> read = readHead(file);
  if (!read)
    return read.takeError();
  StringRef head = *read;
  for (const Magic &magic : magics)
    if (head.substr(magic.offset).starts_with(magic.bytes))
      return ModelFault()
          .file(file.name())
          .is(magic.kind)
          .expected("an ONNX model")
          .says(StringRef(magic.advice).ltrim());
  StringRef start = skipComments(head);
  if (start.starts_with_insensitive("<html") ||
      start.starts_with_insensitive("<!doctype") ||
      start.starts_with_insensitive("<?xml"))
    return ModelFault()
        .file(file.name())
        .is("a web page or XML")
        .expected("an ONNX model");
  if (const TextFormat *format = recognise(start))
    return parse(file, *format);
  if (head.size() >= 512 && all_of(head, [](char c) { return c == 0; }))
    return ModelFault()
        .file(file.name())
        .says("begins with")
        .found("zeros")
        .expected("an ONNX model")
        .says("; was it downloaded whole?");
  if (isText(head))
    return ModelFault()
        .file(file.name())
        .is("text, but no protobuf text, JSON or ONNX text")
        .expected("an ONNX model");
  return std::nullopt;
}

} // namespace onnxfold
