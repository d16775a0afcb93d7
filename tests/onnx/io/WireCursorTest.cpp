//===- WireCursorTest.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/wire/WireCursor.h"

#include "TestFiles.h"

#include <fcntl.h>
#include <unistd.h>

using namespace onnxfold;

namespace {

class WireCursorTest : public FileTest {
protected:
  /// Walks the whole file and returns a line per field, or the error.
  std::string walk(const std::string &bytes) {
    InputFileRef file = openBytes(bytes);
    WireReader reader(file);
    WireCursor cursor(reader, {0, file->size()}, {"model"});
    WireField field;
    std::string text;
    while (cursor.next(field))
      text += std::to_string(field.number) + ":" +
              std::to_string(unsigned(field.type)) + "[" +
              std::to_string(field.begin) + " " +
              std::to_string(field.bodyBegin) + " " +
              std::to_string(field.bodyEnd) + " " + std::to_string(field.end) +
              "]=" + std::to_string(field.value) + "\n";
    if (llvm::Error error = reader.takeError())
      return errorText(std::move(error), folder);
    return text;
  }
};

TEST_F(WireCursorTest, AllWireTypes) {
  std::string eight("\1\0\0\0\0\0\0\1", 8), four("\2\0\0\1", 4);
  EXPECT_EQ(walk(intField(1, 300) + fixed64Field(2, eight) +
                 bytesField(3, "abc") + fixed32Field(4, four)),
            "1:0[0 1 3 3]=300\n"
            "2:1[3 4 12 12]=72057594037927937\n"
            "3:2[12 14 17 17]=3\n"
            "4:5[17 18 22 22]=16777218\n");
}

// Fields of one-byte numbers are read at once, where three bytes are left.
TEST_F(WireCursorTest, ShortFieldsAtTheEnd) {
  EXPECT_EQ(walk(varint(20 << 3) + varint(7)), "20:0[0 2 3 3]=7\n");
  EXPECT_EQ(walk(varint(3 << 3 | 2) + varint(0)), "3:2[0 2 2 2]=0\n");
  EXPECT_EQ(walk(varint(1 << 3, 2) + varint(5)), "1:0[0 2 3 3]=5\n");
  EXPECT_EQ(walk(varint(1 << 3) + varint(127)), "1:0[0 1 2 2]=127\n");
}

TEST_F(WireCursorTest, OddEncodingsOfNumbers) {
  // Overlong tag, length and value; negative int64; the largest field number.
  EXPECT_EQ(walk(varint(1 << 3, 4) + varint(5, 10)), "1:0[0 4 14 14]=5\n");
  EXPECT_EQ(walk(varint(3 << 3 | 2, 5) + varint(2, 5) + "ab"),
            "3:2[0 10 12 12]=2\n");
  EXPECT_EQ(walk(intField(1, uint64_t(-1))),
            "1:0[0 1 11 11]=18446744073709551615\n");
  EXPECT_EQ(walk(varint(uint64_t(536870911) << 3) + varint(0)),
            "536870911:0[0 5 6 6]=0\n");
}

TEST_F(WireCursorTest, GroupsAreSkippedWhole) {
  std::string inner = intField(1, 4) + groupField(4, bytesField(5, "x")) +
                      groupField(3, "") + fixed32Field(9, "abcd");
  EXPECT_EQ(walk(groupField(3, inner) + intField(2, 1)),
            "3:3[0 1 " + std::to_string(inner.size() + 1) + " " +
                std::to_string(inner.size() + 2) + "]=0\n2:0[" +
                std::to_string(inner.size() + 2) + " " +
                std::to_string(inner.size() + 3) + " " +
                std::to_string(inner.size() + 4) + " " +
                std::to_string(inner.size() + 4) + "]=1\n");
}

TEST_F(WireCursorTest, Errors) {
  const std::string model = "model.onnx: model at byte 0: ";
  EXPECT_EQ(walk(bytesField(7, "abc").substr(0, 4)),
            model +
                "field 7 at byte 0 has a length of 3 bytes, which runs past "
                "the end of the model at byte 4");
  EXPECT_EQ(walk(varint(7 << 3 | 2) + varint(uint64_t(-1)) + "abc"),
            model + "the field at byte 0 has a length in 10 bytes, expected at "
                    "most 5");
  EXPECT_EQ(walk("\x08\x80"),
            model + "the field at byte 0 is cut off by the end of the model");
  EXPECT_EQ(walk("\x08" + std::string(11, '\x80') + std::string(9, '\0')),
            model + "the field at byte 0 has a number of more than 10 bytes");
  EXPECT_EQ(walk(std::string(11, '\x80') + std::string(9, '\0')),
            model + "the field at byte 0 has a number of more than 10 bytes");
  EXPECT_EQ(walk(std::string(2, '\0')),
            model + "byte 0 starts no field (tag 0 in 1 bytes)");
  EXPECT_EQ(walk(varint(uint64_t(1) << 35) + varint(0)),
            model + "byte 0 starts no field (tag 34359738368 in 6 bytes)");
  EXPECT_EQ(walk(intField(1, 1) + "\x0e"),
            model + "the field at byte 2 has wire type 6, expected 0, 1, 2, 3 "
                    "or 5");
  EXPECT_EQ(walk("\x0c"),
            model + "the field at byte 0 has wire type 4, expected 0, 1, 2, 3 "
                    "or 5");
  EXPECT_EQ(walk("\x0b" + intField(1, 1)),
            model + "group 1 at byte 0 has no end");
  EXPECT_EQ(walk(std::string("\x0b\x14")),
            model + "the group end at byte 1 belongs to no open group");
  EXPECT_EQ(walk(std::string(500, '\x0b')),
            model + "group 1 at byte 0 is more than 100 messages deep, which "
                    "protobuf does not read");
  EXPECT_EQ(walk(varint(3 << 3 | 2, 6) + varint(2) + "ab"),
            model + "byte 0 starts no field (tag 26 in 6 bytes)");
  EXPECT_EQ(walk(varint(3 << 3 | 2) + varint(2, 6) + "ab"),
            model + "the field at byte 0 has a length in 6 bytes, expected at "
                    "most 5");
}

TEST_F(WireCursorTest, FirstErrorEndsAllWalksOfTheReader) {
  InputFileRef file = openBytes(intField(1, 1) + std::string("\0", 1));
  WireReader reader(file);
  WireCursor bad(reader, {2, 3}), good(reader, {0, 2});
  WireField field;
  EXPECT_FALSE(bad.next(field));
  EXPECT_FALSE(good.next(field));
  EXPECT_NE(errorText(reader.takeError()), "");
  EXPECT_TRUE(good.next(field)) << "usable again";
  EXPECT_EQ(errorText(reader.takeError()), "");
}

TEST_F(WireCursorTest, SkipsPayloadsWithoutReadingThem) {
  // 5 GB of payloads in a sparse file: 500 fields of 10 MB.
  constexpr uint64_t payload = 10 << 20;
  std::string name = path("sparse");
  int fd = ::open(name.c_str(), O_CREAT | O_WRONLY, 0600);
  uint64_t at = 0;
  for (int i = 0; i < 500; ++i) {
    std::string head = varint(5 << 3 | 2) + varint(payload);
    ASSERT_EQ(::pwrite(fd, head.data(), head.size(), at), ssize_t(head.size()));
    at += head.size() + payload;
  }
  ASSERT_EQ(::ftruncate(fd, at), 0);
  ::close(fd);
  InputFileRef file = cantFail(InputFile::open(name));
  WireReader reader(file);
  WireCursor cursor(reader, {0, file->size()});
  WireField field;
  int count = 0;
  while (cursor.next(field))
    ++count;
  EXPECT_EQ(errorText(reader.takeError()), "");
  EXPECT_EQ(count, 500);
  EXPECT_LE(file->bytesRead(), 500u * 4096 + 8192);
}

TEST_F(WireCursorTest, ManySmallFieldsAreReadOnce) {
  std::string bytes;
  for (int i = 0; i < 200000; ++i)
    bytes += bytesField(1, "some name");
  InputFileRef file = openBytes(bytes);
  WireReader reader(file);
  WireCursor cursor(reader, {0, file->size()});
  WireField field;
  llvm::BumpPtrAllocator arena;
  size_t count = 0;
  while (cursor.next(field))
    count += reader.text(field.body(), arena) == "some name";
  EXPECT_EQ(count, 200000u);
  EXPECT_LE(file->bytesRead(), bytes.size() + 64 * 1024);
}

TEST_F(WireCursorTest, TextsHaveALimit) {
  InputFileRef file = openBytes(std::string((1 << 20) + 1, 'x'));
  WireReader reader(file);
  llvm::BumpPtrAllocator arena;
  EXPECT_EQ(reader.text({1, (1 << 20) + 1}, arena), std::string(1 << 20, 'x'));
  EXPECT_EQ(reader.text({0, (1 << 20) + 1}, arena), "");
  EXPECT_EQ(errorText(reader.takeError(), folder),
            "model.onnx: text at byte 0 has 1048577 bytes, expected at most "
            "1048576");
}

} // namespace
