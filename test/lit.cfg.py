# The lit suite: .mlir and .onnxtxt files run through cameo-opt, .test files through the other tools.
# Features (REQUIRES: ...) are discovered, so that a missing tool is a visible skip.

import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "Cameo"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".onnxtxt", ".test"]
config.excludes = ["Inputs", "unit", "CMakeLists.txt", "README.md"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.cameo_build_dir, "test", "lit")

path = [os.path.join(config.cameo_build_dir, "bin"), config.llvm_tools_dir, config.environment.get("PATH", "")]
# Starting cameo and cameo-opt takes longer than what most tests do with them: programs of these names ask a server for it (utils/command-server). It ends with
# its input, when lit has ended. What needs the programs themselves calls %build/bin/cameo.
sys.dont_write_bytecode = True  # the folder may be read-only, and is part of a source tree
sys.path.append(os.path.join(config.cameo_source_dir, "utils", "command-server"))
from command_server import client_for

client = client_for(os.path.join(config.cameo_build_dir, "bin", "cameo"))
config.environment["CAMEO_PROGRAM_SERVER"] = os.environ["CAMEO_PROGRAM_SERVER"]
path.insert(0, os.path.dirname(client))
config.environment["PATH"] = os.pathsep.join(path)
# Tests leave nothing with the user.
config.environment["CAMEO_CACHE"] = "off"
# A user's settings must not decide a test.
for name in ("CAMEO_CPU", "CAMEO_NUM_THREADS", "ORT_LIBRARY"):
    config.environment.pop(name, None)

config.substitutions.append(("%python", config.python))
config.substitutions.append(("%cc", config.c_compiler))
config.substitutions.append(("%source", config.cameo_source_dir))
config.substitutions.append(("%build", config.cameo_build_dir))

# Where the tests of tools find the small networks that they share.
config.substitutions.append(("%zoo", os.path.join(config.cameo_source_dir, "utils", "zoo", "zoo")))
# A triple that this machine is not.
config.substitutions.append(("%{other-triple}", "x86_64-linux-gnu" if os.uname().machine == "aarch64" else "aarch64-linux-gnu"))

if os.uname().machine == "x86_64":
    config.available_features.add("x86_64")
    with open("/proc/cpuinfo") as cpuinfo:
        flags = cpuinfo.read()
    for feature in ("avx2", "avx512f"):
        if f" {feature}" in flags:
            config.available_features.add(feature)
elif os.uname().machine == "aarch64":
    config.available_features.add("aarch64")

for tool, feature in (("qemu-aarch64", "qemu-aarch64"), ("aarch64-linux-gnu-gcc", "aarch64-gcc")):
    if shutil.which(tool):
        config.available_features.add(feature)
try:
    mounts = subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if mounts.returncode == 0:
        config.available_features.add("mount-namespaces")
except OSError:
    pass
plugin = os.path.join(config.cameo_build_dir, "lib", "cameo-plugin.so")
config.substitutions.append(("%plugin", plugin))
if os.path.exists(plugin) and shutil.which("mlir-opt", path=config.llvm_tools_dir):
    config.available_features.add("plugin")
if config.has_xgboost:
    config.available_features.add("xgboost")
for shell in ("bash", "zsh", "fish"):
    if shutil.which(shell):
        config.available_features.add(shell)
