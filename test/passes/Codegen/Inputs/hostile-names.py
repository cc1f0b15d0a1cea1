"""Writes a model whose inputs and dimensions are called like keywords, macros, types and comments, and a program that includes its header behind all headers
of the system that there are: FOLDER/net.onnx, FOLDER/main.c, FOLDER/main.cpp.

usage: hostile-names.py C_COMPILER FOLDER
"""

import pathlib
import re
import subprocess
import sys

import onnx
from onnx import TensorProto, helper

C_HEADERS = """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib
stdnoreturn string tgmath threads time uchar wchar wctype""".split()
POSIX_HEADERS = """aio arpa/inet cpio dirent dlfcn fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen monetary mqueue ndbm net/if netdb netinet/in netinet/tcp
nl_types poll pthread pwd regex sched search semaphore spawn strings sys/ipc sys/mman sys/msg sys/resource sys/select sys/sem sys/shm sys/socket sys/stat
sys/statvfs sys/time sys/times sys/types sys/uio sys/un sys/utsname sys/wait sys/sysmacros syslog tar termios ucontext ulimit unistd utime utmpx
wordexp""".split()
CPP_HEADERS = """algorithm array cassert cctype cerrno cfenv cfloat cinttypes climits clocale cmath complex csetjmp csignal cstdarg cstddef cstdint cstdio
cstdlib cstring ctime cwchar cwctype functional map memory mutex string thread vector""".split()
# No header of this system has these, and other systems' have.
OTHER_MACROS = """near far small min max interface hyper pascal cdecl IN OUT CONST ERROR DELETE VOID None Bool Status True False Success Always Above Below
Complex nil Nil YES NO""".split()
KEYWORDS = """alignas alignof asm auto bool break case catch char char8_t class co_await concept const const_cast consteval constexpr constinit continue decltype
default delete do double else enum explicit export extern final float for friend goto id if import in inline inout int int64_t long module mutable namespace
new noexcept nullptr operator out override private protected public register reinterpret_cast requires restrict return self short signed sizeof size_t static
static_assert struct super switch template this thread_local throw try typedef typeid typename typeof uint8_t union unsigned using virtual void volatile
wchar_t while""".split()
OURS = """inputs outputs dims workspace context symbols bytes none text_area net net_inputs net_run cameo_status cameo_text_area CAMEO_ALIGNMENT
CAMEO_OK NET_ALIGNMENT cameo""".split()
ODD = ["", " ", "*/ int x; /*", "/*", "//", "\\", "a\nb", "??/", "é", "a:0", "a/0", "a.0", "0", "_", "__x", "EOF_", "eof", '"', "%s", "#define"]


def includes(headers):
    return "".join(f"#if __has_include(<{each}>)\n#include <{each}>\n#endif\n" for each in headers)


def macros_of_system(compiler):
    """Macros without parameters; of those in capitals some, of the others all."""
    source = includes([f"{each}.h" for each in C_HEADERS + POSIX_HEADERS])
    text = subprocess.run([compiler, "-std=gnu11", "-D_GNU_SOURCE", "-dM", "-E", "-x", "c", "-"], input=source, text=True, check=True, stdout=subprocess.PIPE).stdout
    names = sorted(set(re.findall(r"^#define ([A-Za-z]\w*)\s", text, re.MULTILINE)))
    short = [each for each in names if each.isupper() and len(each) < 4]
    capitals = [each for each in names if each.isupper() and len(each) >= 4]
    return short + capitals[::20] + [each for each in names if not each.isupper()][::4] + [each for each in names if each.islower()]


def main():
    compiler, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    standard = ["INT64_MAX", "EOF", "I", "NULL", "NAN", "INFINITY", "SIGTERM", "ENOENT", "errno", "stdin", "PRId64"]
    names = list(dict.fromkeys(standard + macros_of_system(compiler) + OTHER_MACROS + KEYWORDS + OURS + [each for each in ODD if each]))
    inputs = [helper.make_tensor_value_info(each, TensorProto.FLOAT, [2]) for each in names]
    # Dimensions with the same names.
    dims = standard + OTHER_MACROS[:8] + KEYWORDS[:20] + OURS[:8] + [each for each in ODD if each.strip()]
    inputs += [helper.make_tensor_value_info(f"sized{number}", TensorProto.FLOAT, [each]) for number, each in enumerate(dims)]
    output = helper.make_tensor_value_info("*/ y", TensorProto.FLOAT, [2])
    graph = helper.make_graph([helper.make_node("Identity", ["EOF"], ["*/ y"], name="*/ node")], "*/ graph", inputs, [output], doc_string="*/ text")
    model = helper.make_model(graph, producer_name="*/ producer", opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, folder / "net.onnx")
    others = "".join(f"#ifndef {each}\n#define {each}\n#endif\n" for each in OTHER_MACROS)
    tail = '#include "net.h"\n#include "net.h"\nint main(void) { return NET_ALIGNMENT == CAMEO_ALIGNMENT ? 0 : 1; }\n'
    (folder / "main.c").write_text(includes([f"{each}.h" for each in C_HEADERS + POSIX_HEADERS]) + others + tail)
    (folder / "main.cpp").write_text(includes(CPP_HEADERS + [f"{each}.h" for each in POSIX_HEADERS]) + others + tail)


if __name__ == "__main__":
    main()
