# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, the body of onnxfold::buildNumber(): a hash of SEED and of the names and contents of the files that the file
# LIST names, one a line, relative to ROOT. Run by the build when one of them has changed (OnnxfoldBuildNumber.cmake).
file(STRINGS ${LIST} sources)
set(text "${SEED}")
foreach(source IN LISTS sources)
  file(SHA256 ${ROOT}/${source} hash)
  string(APPEND text "\n${source} ${hash}")
endforeach()
string(SHA256 hash "${text}")
string(SUBSTRING ${hash} 0 16 low)
string(SUBSTRING ${hash} 16 16 high)
file(WRITE ${OUTPUT} "  return {0x${low}u, 0x${high}u};\n")
