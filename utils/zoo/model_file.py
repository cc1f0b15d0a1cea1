"""File names of networks. Needs no Python module, so that programs without onnx can find the files."""


def file_stem(name, form="float32"):
    """Returns the name of a network's file without its suffix."""
    return name if form == "float32" else f"{name}_{form}"
