# SPDX-License-Identifier: Apache-2.0
# A formula for Homebrew on Linux, of an archive of a release (tools/make-release.sh):
#   HOMEBREW_ONNXFOLD_ARCHIVE=file://$PWD/onnx-fold-0.1.0-linux-x86_64.tar.xz \
#   HOMEBREW_ONNXFOLD_SHA256=... brew install --formula examples/ci/onnx-fold.rb
class OnnxFold < Formula
  desc "Computes everything in an ONNX model that depends on constants alone"
  url ENV.fetch("HOMEBREW_ONNXFOLD_ARCHIVE")
  sha256 ENV.fetch("HOMEBREW_ONNXFOLD_SHA256")
  license "Apache-2.0"

  depends_on :linux

  def install
    bin.install "onnx-fold", "onnx-to-dml", "dml-to-onnx"
    man1.install Dir["share/man/man1/*"]
    bash_completion.install Dir["share/bash-completion/completions/*"]
    zsh_completion.install Dir["share/zsh/site-functions/*"]
    fish_completion.install Dir["share/fish/vendor_completions.d/*"]
  end

  test do
    assert_match "onnx-fold", shell_output("#{bin}/onnx-fold --version")
  end
end
