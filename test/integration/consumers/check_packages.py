#!/usr/bin/env python3
"""Makes the Debian packages, looks at what they hold and depend on, and builds an example with them where they are unpacked.

usage: check_packages.py CMAKE BUILD EXAMPLES WORK
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

# The files that each package must contain, and its dependencies.
MACHINE = os.uname().machine
PACKAGES = {
    "cameo": (["usr/bin/cameo", "usr/bin/cameo-opt", "usr/bin/cameo-worker", f"usr/lib/{MACHINE}-linux-gnu/cameo-worker", "usr/lib/cmake/Cameo/CameoConfig.cmake", "usr/share/man/man1/cameo-compile.1",
               "usr/share/bash-completion/completions/cameo", "usr/share/zsh/vendor-completions/_cameo", "usr/share/fish/vendor_completions.d/cameo.fish"], ["libcameo0", "libcameo-rt-dev", "libc6"]),
    "cameo-farm": (["usr/bin/cameo-farm", "usr/lib/systemd/system/cameo-farm-agent@.service"], ["libnats3.4", "libssl3", "libc6"]),
    "libcameo0": ([f"usr/lib/{MACHINE}-linux-gnu/libcameo.so.0"], ["libc6", "libllvm22", "libmlir-22", "libonnx1", "libprotobuf32"]),
    "libcameo-gpu-emulator": ([f"usr/lib/{MACHINE}-linux-gnu/cameo/cameo-gpu-emulator.so"], ["libc6"]),
    "libcameo-dev": (["usr/include/cameo/compiler.h", "usr/include/cameo-compiler/dialects/Task/TaskDialect.h", f"usr/lib/{MACHINE}-linux-gnu/libcameo.so"],
                     ["libcameo0", "libcameo-rt-dev"]),
    "libcameo-rt-dev": (["usr/include/cameo/abi.h", "usr/include/cameo/runtime.h", "usr/include/cameo/text.h", f"usr/lib/{MACHINE}-linux-gnu/libcameo_rt.a",
                         f"usr/lib/{MACHINE}-linux-gnu/pkgconfig/cameo.pc"], ["libc6-dev"]),
    "libcameo-rt-dev-arm64-cross": (["usr/lib/aarch64-linux-gnu/libcameo_rt.a", "usr/lib/aarch64-linux-gnu/pkgconfig/cameo.pc"], ["libcameo-rt-dev"]),
}


def run(*command):
    result = subprocess.run([str(each) for each in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {result.stdout}")
    return result.stdout


def fail(message):
    sys.exit(f"check_packages.py: {message}")


def check_copyright(path):
    """Checks that the file is in Debian's format: each paragraph of files names holders and licences, and the text of each licence occurs once."""
    text = path.read_text(encoding="utf-8")
    if not text.startswith("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"):
        fail(f"{path}: expected Debian's format")
    used, stated = set(), []
    for paragraph in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in paragraph.splitlines() if not line.startswith(" "))
        if "Files" in fields and not {"Copyright", "License"} <= set(fields):
            fail(f"{path}: expected holders and a licence of {fields['Files']}")
        if "Files" in fields:
            used.update(fields["License"].split(" and "))
        elif "License" in fields:
            stated.append(fields["License"])
            if paragraph.count("\n ") < 10:
                fail(f"{path}: expected the text of {fields['License']}")
    if set(stated) != used or len(stated) != len(used):
        fail(f"{path}: expected the texts of {sorted(used)}, got {stated}")


def check_sources(cpack, build, work):
    """Checks that the archive of sources has the licence, and no build outputs."""
    run(cpack, "-G", "TGZ", "--config", build / "CPackSourceConfig.cmake", "-B", work)  # xz takes ten times as long, and packs the same files
    [archive] = work.glob("cameo-*.tar.gz")
    held = {line.split("/", 1)[1] for line in run("tar", "-tf", archive).splitlines()}
    for file in ("LICENSE", "CMakeLists.txt", "utils/package/copyright.in", "docs/install.md"):
        if file not in held:
            fail(f"{archive.name}: expected {file}")
    if wrong := [file for file in held if file.startswith(("build/", ".git/"))]:
        fail(f"{archive.name}: expected sources alone, got {wrong[:3]}")


def check(deb, files, dependencies):
    """Compares a package with its expected contents."""
    depends = [each.split()[0] for each in run("dpkg-deb", "-f", deb, "Depends").split(", ")]
    for dependency in dependencies:
        if dependency not in depends:
            fail(f"{deb.name}: expected a dependency on {dependency}, got {depends}")
    name = deb.name.split("_")[0]
    held = [line.split()[5].removeprefix("./") for line in run("dpkg-deb", "-c", deb).splitlines()]
    for file in [*files, f"usr/share/doc/{name}/copyright"]:
        if file not in held:
            fail(f"{deb.name}: expected {file}, got {held}")
    owners = {line.split()[1] for line in run("dpkg-deb", "-c", deb).splitlines()}
    if owners != {"root/root"}:
        fail(f"{deb.name}: expected files of root, got {owners}")
    if any(not (path + "/").startswith("usr/") for path in held):
        fail(f"{deb.name}: expected files below /usr, got {held}")


def check_paths(build, root):
    """Checks that no file contains the path of the build tree. If the build does not map paths, messages of assertions in binaries are exempt."""
    cache = (build / "CMakeCache.txt").read_text()
    [source] = re.findall(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", cache, re.MULTILINE)
    maps = "\nCAMEO_MAP_PATHS:BOOL=ON\n" in cache
    found = subprocess.run(["grep", "-rlF" if maps else "-rlIF", source + "/", root], stdout=subprocess.PIPE, text=True).stdout.split()
    if found:
        fail(f"expected no file that names {source}, got {found}")


def main():
    cmake, build, examples, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
    for tool in ("dpkg-deb", "dpkg-shlibdeps"):
        if not shutil.which(tool):
            print(f"skipped: {tool} was not found")
            sys.exit(77)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    cpack = pathlib.Path(shutil.which(cmake)).with_name("cpack")
    run(cpack, "-G", "DEB", "--config", build / "CPackConfig.cmake", "-B", work, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=none")
    debs = {deb.name.split("_")[0]: deb for deb in work.glob("*.deb")}
    expected = {name for name in PACKAGES if not name.endswith("-cross") or shutil.which("aarch64-linux-gnu-gcc") or name in debs}
    if not (build / "bin/cameo-farm").exists():
        expected.discard("cameo-farm")  # without NATS
    if MACHINE == "x86_64" and set(debs) & set(PACKAGES) != expected:
        fail(f"expected the packages {sorted(expected)}, got {sorted(debs)}")
    for name, deb in debs.items():
        check(deb, *PACKAGES.get(name, ([], [])))
        run("dpkg-deb", "-x", deb, work / "root")
        check_copyright(work / f"root/usr/share/doc/{name}/copyright")
    check_paths(build, work / "root")
    check_sources(cpack, build, work)
    # This machine has everything that the packages depend on; the example uses nothing of this tree.
    builder = [sys.executable, pathlib.Path(__file__).with_name("build_example.py"), "--cmake", cmake, "--example", examples / "c", "--package",
               work / "root/usr/lib/cmake/Cameo", "--work", work / "consumer", "--generator", "Unix Makefiles"]
    print(run(*builder), end="")
    print(", ".join(sorted(debs)))


if __name__ == "__main__":
    main()
