# Tries what a bot must not be able to do, says what came of it on its standard error, and plays on.
import ctypes, errno, json, os, platform, resource, socket, subprocess, sys, tempfile

libc = ctypes.CDLL(None, use_errno=True)


def called(number, *args):
    # Whatever else is wrong with these arguments: it was not kept from calling.
    if libc.syscall(number, *args) == -1 and ctypes.get_errno() == errno.EPERM:
        raise OSError(errno.EPERM, "refused")


def run(*words):
    return subprocess.run(words, capture_output=True, check=True).stdout


def in_ancestors(work):
    """Something done to each process above this one, of which none may be reached."""
    pid = os.getppid()
    while pid > 1:
        work(pid)
        pid = int(open(f"/proc/{pid}/stat").read().rsplit(") ", 1)[1].split()[1])


PTRACE = {"aarch64": 117}.get(platform.machine(), 101)
here = os.path.dirname(os.path.abspath(__file__))
ATTEMPTS = {
    "read what it is made of": lambda: open(__file__).read(),
    "read the folder that read= names": lambda: open("given/open.txt").read(),
    "write into a folder of its own": lambda: tempfile.NamedTemporaryFile().write(b"x"),
    "start a program of the system": lambda: run("ls", here),
    "join two sockets of its own": socket.socketpair,
    "begin a session of its own": lambda: subprocess.run("true", start_new_session=True),
    "read a file beside": lambda: open("secret/hidden.txt").read(),
    "read a home": lambda: os.listdir(os.environ["HOME"]),
    "write where it was started": lambda: open("new.txt", "w"),
    "write beside its program": lambda: open(f"{here}/new.txt", "w"),
    "list the temporary folder": lambda: os.listdir(os.path.dirname(tempfile.gettempdir())),
    "open a socket to the network": socket.socket,
    "open a socket of the machine": lambda: socket.socket(socket.AF_UNIX),
    "open a socket to the kernel": lambda: socket.socket(16, 3, 0),
    "read the environment of its keeper": lambda: open(f"/proc/{os.getppid()}/environ").read(),
    "send a signal to its keeper": lambda: os.kill(os.getppid(), 0),
    "send a signal above its keeper": lambda: in_ancestors(lambda pid: os.kill(pid, 0)),
    "begin asynchronous calls": lambda: called(425, 1, 0),
    "read a secret of ours": lambda: os.environ["RISK_CLI_SECRET"],
    "read a variable that env= names": lambda: os.environ["GIVEN"],
}
# Where nothing keeps it from them, these do harm.
if sys.argv[1] == "on":
    ATTEMPTS |= {
        "read the system's secrets": lambda: open("/etc/shadow").read(),
        "change who may use its program": lambda: os.chmod(__file__, 0o777),
        "change who may use its program, by a newer call": lambda: called(
            463, -100, __file__.encode(), 0, b"user.note", None, 0
        ),
        "remove its program": lambda: os.unlink(__file__),
        "limit its keeper": lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1)),
        "trace its keeper": lambda: called(PTRACE, 16, os.getppid(), 0, 0),
    }
for name, attempt in ATTEMPTS.items():
    try:
        attempt()
        told = "done"
    except (OSError, KeyError, subprocess.CalledProcessError):
        told = "refused"
    print(f"{name}: {told}", file=sys.stderr, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"protocol": 1}), flush=True)
    if message["type"] == "ask":
        print(json.dumps({"id": message["id"], "action": ["nothing"]}), flush=True)
