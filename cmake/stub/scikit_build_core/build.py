# SPDX-License-Identifier: Apache-2.0
"""Build backend that only names the package: pip asks it before it hands over the source distribution."""
import pathlib


def get_requires_for_build_wheel(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    name = "onnx-1.23.2.dist-info"
    folder = pathlib.Path(metadata_directory, name)
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: onnx\nVersion: 1.23.2\n")
    return name
