"""Runs a program as on a system without walls: the call that makes them is not there."""

import ctypes
import os
import struct
import sys

LANDLOCK_CREATE_RULESET, NOT_THERE = 444, 38
LOAD, IS_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, ERROR = 0x7FFF0000, 0x00050000
SET_NO_NEW_PRIVILEGES, SET_SECCOMP, FILTER = 38, 22, 2

steps = [
    (LOAD, 0, 0, 0),
    (IS_EQUAL, 0, 1, LANDLOCK_CREATE_RULESET),
    (RETURN, 0, 0, ERROR | NOT_THERE),
    (RETURN, 0, 0, ALLOW),
]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))


class Program(ctypes.Structure):
    _fields_ = [("len", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


program = Program(len(steps), ctypes.addressof(code))
libc = ctypes.CDLL(None, use_errno=True)
for words in [(SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0), (SET_SECCOMP, FILTER, ctypes.byref(program))]:
    if libc.prctl(*words) != 0:
        sys.exit(f"no filter: {os.strerror(ctypes.get_errno())}")
os.execvp(sys.argv[1], sys.argv[1:])
