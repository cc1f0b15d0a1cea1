"""Reads cubins, the ELF files that ptxas writes."""

import dataclasses
import struct

# Attributes of the sections .nv.info and .nv.info.KERNEL: two bytes, the form and the attribute, and a value. The value has two bytes, or a length and as many bytes.
SIZED_FORM = 4
MAX_THREADS, FRAME_SIZE, REGISTER_COUNT = 0x05, 0x11, 0x2F
ELF_HEADER, SECTION_HEADER, SYMBOL = "<16sHHIQQQIHHHHHH", "<IIQQQQIIQQ", "<IBBHQQ"
NEW_ABI = 0x41  # of the flags of the ELF header: the architecture is in their second byte, before in the first


@dataclasses.dataclass
class Kernel:
    name: str
    capability: int  # 80 for sm_80, 90 for sm_90a
    threads: int  # the most threads of a block (.maxntid); 0: any number
    registers: int  # of a thread
    shared_bytes: int  # static shared memory of a block, with what the system reserves
    stack_bytes: int  # of a thread
    code: bytes


class Section:
    def __init__(self, image, header, names):
        name, self.kind, _, _, offset, self.size, self.link, self.info, _, _ = header
        self.name = text_at(names, name)
        is_empty = self.kind == 8  # SHT_NOBITS
        self.content = b"" if is_empty else image[offset:offset + self.size]
        if not is_empty and len(self.content) != self.size:
            raise ValueError(f"section {self.name} ends behind the end of the file")


def text_at(strings, offset):
    return strings[offset:strings.index(b"\0", offset)].decode()


def sections_of(image):
    header = struct.unpack_from(ELF_HEADER, image)
    offset, size, count, names = header[6], header[11], header[12], header[13]
    headers = [struct.unpack_from(SECTION_HEADER, image, offset + size * number) for number in range(count)]
    names = image[headers[names][4]:][:headers[names][5]]
    return [Section(image, each, names) for each in headers]


def attributes_of(content):
    """Yields the attributes of a section .nv.info that have a length: (attribute, its value as 32-bit numbers)."""
    at = 0
    while at + 4 <= len(content):
        form, attribute, length = struct.unpack_from("<BBH", content, at)
        at += 4
        if form == SIZED_FORM:
            yield attribute, struct.unpack_from(f"<{length // 4}I", content, at)
            at += length


def read_cubin(image):
    """Returns the kernels of `image`, the bytes of a cubin, in the order of the file. Raises ValueError if it is none."""
    try:
        return list(kernels_of(image))
    except (struct.error, IndexError, StopIteration) as error:
        raise ValueError(f"expected a cubin: {error}") from error


def kernels_of(image):
    header = struct.unpack_from(ELF_HEADER, image)
    nvidia = 190
    if not header[0].startswith(b"\x7fELF\x02\x01") or header[2] != nvidia:
        raise ValueError("expected a cubin: a 64-bit ELF file for NVIDIA GPUs")
    flags = header[7]
    capability = flags >> 8 & 0xFF if image[7] == NEW_ABI else flags & 0xFF
    sections = {section.name: section for section in sections_of(image)}
    symbols = sections[".symtab"].content if ".symtab" in sections else b""
    names = [text_at(sections[".strtab"].content, symbol[0]) for symbol in struct.iter_unpack(SYMBOL, symbols)]
    registers, stacks = {}, {}
    for attribute, values in attributes_of(sections[".nv.info"].content if ".nv.info" in sections else b""):
        if attribute in (REGISTER_COUNT, FRAME_SIZE):
            into = registers if attribute == REGISTER_COUNT else stacks
            into[names[values[0]]] = values[1]
    for section in sections.values():
        if not section.name.startswith(".text."):
            continue
        name = section.name[len(".text."):]
        own = dict(attributes_of(sections[".nv.info." + name].content)) if ".nv.info." + name in sections else {}
        threads = 1
        for side in own.get(MAX_THREADS, (0,)):
            threads *= side
        shared = sections.get(".nv.shared." + name)
        yield Kernel(name, capability, threads, registers.get(name, 0), shared.size if shared else 0, stacks.get(name, 0), section.content)
