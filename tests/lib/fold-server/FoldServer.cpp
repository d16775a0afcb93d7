//===- FoldServer.cpp - The tool, without a start for every run -----------===//
// SPDX-License-Identifier: Apache-2.0
//
//   fold-server [MODEL...]
//
// Runs of onnx-fold for the Python tests. Each request is a command line; a
// fork of this process runs it through runTool(), the function that main() of
// the tool calls, so every run has fresh globals and its own memory, and a run
// that crashes is one that failed.
//
// A request on standard input is one line of JSON, then `stdin` bytes:
//   {"args": ["-O2", "m.onnx"], "cwd": "/tmp/x", "stdin": 0, "timeout": 60,
//    "env": {"TMPDIR": "/x", "LANG": null}}
// `args` without the program's name; all but `args` may be missing. null takes
// a variable out of the environment.
//
// The answer on standard output is one line, then the bytes of both streams:
//   {"status": 0, "stdout": 0, "stderr": 12, "seconds": 0.004}
// A run that a signal killed has the negative number of that signal as status
// (SIGKILL after `timeout` seconds, with "timeout": true), as Python's
// subprocess has it. Requests are served one after the other. The end of
// standard input ends the server; a request that is no request ends it with
// status 2 and a text on standard error.
//
// The models are folded before the first request, and what comes out is thrown
// away: an emulator keeps the code that it translates in the memory of the
// process, so all runs have it.
//
//===----------------------------------------------------------------------===//
#include "Tool.h"

#include "onnxfold/onnx/driver/FoldModel.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using Clock = std::chrono::steady_clock;

namespace {

struct Request {
  std::vector<std::string> args;
  std::string cwd, input;
  std::vector<std::pair<std::string, std::optional<std::string>>> environment;
  double timeout = 0; ///< seconds; 0: none
};

struct Answer {
  int status = 0;
  bool isTimeout = false;
  std::string streams[2]; ///< standard output, standard error
  double seconds = 0;
};

/// A pipe; ends that are not closed by hand close with it.
struct Pipe {
  int ends[2] = {-1, -1};

  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0)
      ::perror("fold-server: pipe"), ::_exit(2);
  }
  ~Pipe() { close(0), close(1); }
  Pipe(const Pipe &) = delete;
  Pipe &operator=(const Pipe &) = delete;

  void close(int end) {
    if (ends[end] >= 0)
      ::close(ends[end]);
    ends[end] = -1;
  }
};

} // namespace

[[noreturn]] static void refuse(const llvm::Twine &text) {
  llvm::errs() << "fold-server: " << text << "\n";
  ::_exit(2);
}

/// Reads up to the end of a line; nothing at the end of the requests.
static std::optional<std::string> readLine() {
  std::string line;
  for (char c; ::read(STDIN_FILENO, &c, 1) == 1;) {
    if (c == '\n')
      return line;
    line.push_back(c);
  }
  if (!line.empty())
    refuse("the last request has no end");
  return std::nullopt;
}

static std::string readBytes(size_t size) {
  std::string bytes(size, '\0');
  for (size_t done = 0; done < size;) {
    ssize_t count = ::read(STDIN_FILENO, bytes.data() + done, size - done);
    if (count <= 0)
      refuse("a request has fewer bytes than it says");
    done += count;
  }
  return bytes;
}

static std::optional<Request> readRequest() {
  std::optional<std::string> line = readLine();
  if (!line)
    return std::nullopt;
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(*line);
  if (!value)
    refuse(llvm::toString(value.takeError()));
  const llvm::json::Object *fields = value->getAsObject();
  const llvm::json::Array *args = fields ? fields->getArray("args") : nullptr;
  if (!args)
    refuse("a request has no list 'args'");
  Request request;
  for (const llvm::json::Value &arg : *args)
    request.args.push_back(arg.getAsString().value_or("").str());
  request.cwd = fields->getString("cwd").value_or("").str();
  request.timeout = fields->getNumber("timeout").value_or(0);
  if (const llvm::json::Object *env = fields->getObject("env"))
    for (const auto &[name, text] : *env) {
      auto &variable =
          request.environment.emplace_back(name.str(), std::nullopt);
      if (std::optional<llvm::StringRef> given = text.getAsString())
        variable.second = given->str();
    }
  request.input = readBytes(fields->getInteger("stdin").value_or(0));
  return request;
}

/// The child's part: what a shell does before main(), and main().
[[noreturn]] static void runChild(Request &request, Pipe (&pipes)[3]) {
  for (int stream = 0; stream < 3; ++stream)
    ::dup2(pipes[stream].ends[stream == 0 ? 0 : 1], stream);
  // Without exec nothing closes the ends: the child would wait for itself.
  for (Pipe &pipe : pipes)
    pipe.close(0), pipe.close(1);
  for (const auto &[name, text] : request.environment)
    text ? ::setenv(name.c_str(), text->c_str(), 1) : ::unsetenv(name.c_str());
  if (!request.cwd.empty() && ::chdir(request.cwd.c_str()) != 0)
    refuse("cannot go to " + request.cwd);
  ::signal(SIGPIPE, SIG_DFL);
  std::string program = "onnx-fold";
  std::vector<char *> argv{program.data()};
  for (std::string &arg : request.args)
    argv.push_back(arg.data());
  argv.push_back(nullptr);
  std::exit(onnxfold::runTool(int(argv.size()) - 1, argv.data()));
}

/// Writes what the pipe takes; closes it when there is no more to write.
static void feed(Pipe &pipe, llvm::StringRef input, size_t &done) {
  ssize_t count =
      ::write(pipe.ends[1], input.data() + done, input.size() - done);
  if (count < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  done = count < 0 ? input.size() : done + count;
  if (done == input.size())
    pipe.close(1);
}

/// Reads what there is; closes the pipe at its end.
static void drain(Pipe &pipe, std::string &text) {
  char buffer[64 << 10];
  ssize_t count = ::read(pipe.ends[0], buffer, sizeof buffer);
  if (count > 0)
    text.append(buffer, count);
  else if (count == 0 || errno != EINTR)
    pipe.close(0);
}

/// Moves bytes in and out until both streams of the child have ended, and kills
/// it when its time is over.
static void transfer(pid_t child, const Request &request, Pipe (&pipes)[3],
                     Clock::time_point begin, Answer &answer) {
  size_t fed = 0;
  ::fcntl(pipes[0].ends[1], F_SETFL, O_NONBLOCK);
  if (request.input.empty())
    pipes[0].close(1);
  while (pipes[1].ends[0] >= 0 || pipes[2].ends[0] >= 0) {
    pollfd files[3] = {{pipes[0].ends[1], POLLOUT, 0},
                       {pipes[1].ends[0], POLLIN, 0},
                       {pipes[2].ends[0], POLLIN, 0}};
    std::chrono::duration<double> passed = Clock::now() - begin;
    double left = request.timeout - passed.count();
    if (request.timeout > 0 && left <= 0) {
      answer.isTimeout = true;
      ::kill(child, SIGKILL);
      return;
    }
    ::poll(files, 3, request.timeout > 0 ? int(left * 1000) + 1 : -1);
    if (files[0].revents)
      feed(pipes[0], request.input, fed);
    for (int stream = 1; stream < 3; ++stream)
      if (files[stream].revents)
        drain(pipes[stream], answer.streams[stream - 1]);
  }
}

static Answer serve(Request &request) {
  Answer answer;
  Clock::time_point begin = Clock::now();
  Pipe pipes[3];
  pid_t child = ::fork();
  if (child < 0)
    refuse("cannot fork");
  if (child == 0)
    runChild(request, pipes);
  pipes[0].close(0);
  pipes[1].close(1);
  pipes[2].close(1);
  transfer(child, request, pipes, begin, answer);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  answer.status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  std::chrono::duration<double> passed = Clock::now() - begin;
  answer.seconds = passed.count();
  return answer;
}

static void print(const Answer &answer) {
  llvm::json::Object header{{"status", answer.status},
                            {"stdout", int64_t(answer.streams[0].size())},
                            {"stderr", int64_t(answer.streams[1].size())},
                            {"seconds", answer.seconds}};
  if (answer.isTimeout)
    header["timeout"] = true;
  llvm::outs() << llvm::json::Value(std::move(header)) << "\n"
               << answer.streams[0] << answer.streams[1];
  llvm::outs().flush(); // or a child would write it once more
}

/// Twice, as qemu translates everything anew once the process has had threads.
static void foldBefore(const char *path) {
  for (int i = 0; i < 2; ++i) {
    std::string folded;
    onnxfold::FoldReport report;
    if (llvm::Error error = onnxfold::foldModel(
            onnxfold::ModelInput::file(path),
            onnxfold::ModelOutput::bytes(folded), {}, report))
      refuse(llvm::toString(std::move(error)));
  }
}

int main(int argc, char **argv) {
  ::signal(SIGPIPE, SIG_IGN);
  for (int i = 1; i < argc; ++i)
    foldBefore(argv[i]);
  while (std::optional<Request> request = readRequest())
    print(serve(*request));
  return 0;
}
