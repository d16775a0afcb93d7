//===- Messages.cpp - Messages of the tool on standard error --------------===//

#include "Messages.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/options/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;
using llvm::json::Object;

/// Names in a model may hold any bytes; JSON holds UTF-8.
static std::string utf8(StringRef text) { return llvm::json::fixUTF8(text); }

void Messages::print(StringRef kind, Object fields) const {
  fields["kind"] = kind;
  std::string line;
  llvm::raw_string_ostream out(line);
  out << llvm::json::Value(std::move(fields)) << "\n";
  llvm::errs() << line;
}

void Messages::warn(StringRef text) const {
  if (isJson)
    return print("warning", Object{{"text", utf8(text)}});
  llvm::errs() << "onnx-fold: warning: " << printableText(text) << "\n";
}

void Messages::waits(StringRef output) const {
  if (isJson)
    return print("waits", Object{{"file", utf8(output)}});
  llvm::errs() << "onnx-fold: waiting for another run that writes "
               << printableText(output) << "\n";
}

/// Names in it make no lines.
static VerifyResult printable(VerifyResult result) {
  for (ComparedValue &value : result.compared) {
    value.name = printableText(value.name);
    value.difference = printableText(value.difference);
  }
  for (NotRun &entry : result.notRun) {
    entry.name = printableText(entry.name);
    entry.reason.text = printableText(entry.reason.text);
  }
  return result;
}

void Messages::printed(StringRef text) const {
  if (isRelayed)
    print("printed", Object{{"text", utf8(text)}});
}

void Messages::table(llvm::json::Array models) const {
  if (isJson)
    print("table", Object{{"models", std::move(models)}});
}

/// As JSON it is a part of the report.
void Messages::verified(const VerifyResult &found, bool all) const {
  if (isJson && !isRelayed)
    return;
  VerifyResult result = printable(found);
  std::string text;
  llvm::raw_string_ostream out(text);
  result.print(out, all && !isRelayed);
  if (isRelayed)
    return text.empty() ? void()
                        : print("verified", Object{{"text", utf8(text)}});
  llvm::SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    llvm::errs() << "onnx-fold: verify: " << printableText(line) << "\n";
}

void Messages::progress(Object fields) const {
  if (isJson)
    print("progress", std::move(fields));
}

void Messages::report(const FoldReport &report) const {
  if (!isJson)
    return;
  std::string line;
  llvm::raw_string_ostream out(line);
  out << "{\"kind\":\"report\",\"report\":";
  report.printJson(out, /*indent=*/0);
  out << "}\n";
  llvm::errs() << line;
}

void Messages::end(int status, bool isChanged) const {
  if (isJson)
    print("end", Object{{"status", status}, {"changed", isChanged}});
}

void Messages::fail(StringRef code, StringRef text, StringRef model) const {
  if (!isJson) {
    llvm::errs() << "onnx-fold: error: " << printableText(text) << "\n";
    return;
  }
  Object fields = fieldsOf(text, files);
  fields["code"] = code;
  fields["text"] = utf8(text);
  if (!model.empty())
    fields["model"] = utf8(model);
  print("error", std::move(fields));
}

void Messages::failUsage(llvm::Error error) const {
  Object own;
  std::string text;
  llvm::handleAllErrors(
      std::move(error),
      [&](const OptionError &wrong) {
        text = wrong.message();
        for (auto [name, value] :
             {std::pair("option", &wrong.option), std::pair("has", &wrong.has),
              std::pair("expected", &wrong.expected)})
          if (!value->empty())
            own[name] = utf8(*value);
      },
      [&](const llvm::ErrorInfoBase &other) { text = other.message(); });
  if (!isJson)
    return fail("usage", text);
  Object fields = fieldsOf(text, files);
  for (auto &[name, value] : own)
    fields[name] = std::move(value);
  fields["code"] = "usage";
  fields["text"] = utf8(text);
  print("error", std::move(fields));
}

//===----------------------------------------------------------------------===//
// The fields of a message
//===----------------------------------------------------------------------===//

/// The name that follows `what` in quotes: "node 'a' (Add)" names 'a'. A name
/// may hold quotes; the one that ends it stands before the operator, a colon, a
/// comma, a space or the end.
static std::optional<StringRef> quotedAfter(StringRef text, StringRef what) {
  size_t begin = text.find((what + " '").str());
  if (begin == StringRef::npos)
    return std::nullopt;
  StringRef rest = text.drop_front(begin + what.size() + 2);
  for (size_t end = rest.find('\''); end != StringRef::npos;
       end = rest.find('\'', end + 1)) {
    StringRef next = rest.drop_front(end + 1);
    if (next.empty() || StringRef(" :,;").contains(next.front()))
      return rest.take_front(end);
  }
  return std::nullopt;
}

/// Takes the file from the front of a message.
static std::optional<StringRef> takeFile(StringRef &text,
                                         llvm::ArrayRef<std::string> files) {
  StringRef longest;
  for (StringRef file : files)
    if (file.size() > longest.size() && text.starts_with((file + ": ").str()))
      longest = file;
  if (longest.empty())
    return std::nullopt;
  StringRef file = text.take_front(longest.size());
  text = text.drop_front(longest.size() + 2);
  return file;
}

/// What stands behind the last "has" or "is" before ", expected".
static std::optional<StringRef> foundIn(StringRef text) {
  for (StringRef verb : {"has ", "is "})
    if (text.starts_with(verb))
      return text.drop_front(verb.size());
  size_t begin = StringRef::npos;
  for (StringRef verb : {" has ", " is "})
    if (size_t at = text.rfind(verb);
        at != StringRef::npos &&
        (begin == StringRef::npos || at + verb.size() > begin))
      begin = at + verb.size();
  if (begin == StringRef::npos)
    return std::nullopt;
  return text.drop_front(begin);
}

Object onnxfold::fieldsOf(StringRef message,
                          llvm::ArrayRef<std::string> files) {
  Object fields;
  auto add = [&](StringRef name, std::optional<StringRef> value) {
    if (value)
      fields[name] = utf8(*value);
  };
  StringRef text = message;
  add("file", takeFile(text, files));
  for (StringRef what : {"node", "attribute", "initializer", "input"})
    add(what, quotedAfter(text, what));
  size_t end = text.rfind(", expected ");
  if (end == StringRef::npos)
    return fields;
  StringRef expected = text.drop_front(end + StringRef(", expected ").size());
  expected.consume_back(" (see onnx-fold --help)");
  add("expected", expected.take_until([](char c) { return c == ';'; }));
  add("has", foundIn(text.take_front(end)));
  return fields;
}
