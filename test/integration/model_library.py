"""Makes shared libraries of small models and judges them: what the programs here that try many shapes have in common.

`tools` is the compiler, the runtime's archive and a C compiler. Each function returns the messages of what went wrong, or None.
"""

import subprocess


def run(*command):
    result = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return result.stdout if result.returncode != 0 else None


def build(tools, model, library, *options):
    """Compiles `model` with `options` and links it to `library`; the object stays beside it."""
    cameo, runtime, compiler = tools
    built = library.with_suffix(".o")
    return (run(cameo, "compile", model, "-o", built, *options) or
            run(compiler, "-shared", "-o", library, built, runtime, "-lm"))


def verify(tools, model, library, *options):
    """Compares `library` with the reference of `options`, the naive path when they name none."""
    return run(tools[0], "verify", model, "--library", library, "--rtol=1e-5", *options)


def verify_against(references, tools, model, library, *options):
    """As verify, with each of the references in turn; where ONNX Runtime is not installed, a line says so."""
    for reference in references:
        wrong = verify(tools, model, library, f"--against={reference}", *options)
        if wrong and "ONNX Runtime was not found" in wrong:
            print("ONNX Runtime was not found: compared with the naive path alone")
        elif wrong:
            return wrong
    return None
