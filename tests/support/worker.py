#!/usr/bin/env python3
"""A worker of perigee written from docs/workers.md alone: computes cells of an experiment with a factor x.

worker.py work [FILE]           as `perigee work`; $PERIGEE names the program whose version it claims to be
$LEVELS                         the levels of x, as in "1 2 3"; a cell measures the square of its level, and its replication.
                                A negative level fails.
$VERSION, $SECRET               said and used in place of the right ones
"""
import hashlib, hmac, json, os, socket, struct, subprocess, sys, time

HELLO, BEAT, ENTERED, ANSWERS, STOP, LOST, LEAVES, ENDS = range(1, 9)
REFUSED, JOB, CELLS, OVER, RESULTS, DIFFERS, FAILS = range(9, 16)
MAGIC = b"perigee workers\n"


def text(value):
    data = value if isinstance(value, bytes) else value.encode()
    return struct.pack("<I", len(data)) + data


def exactly(read, size):
    data = b""
    while len(data) < size:
        more = read(size - len(data))
        if not more:
            sys.exit(0)  # the coordinator is gone
        data += more
    return data


def read_frame(read):
    size, kind = struct.unpack("<IB", exactly(read, 5))
    return kind, exactly(read, size)


def connect(path):
    """What reads and writes the frames of a coordinator that is found by its file of access."""
    with open(path) as file:
        access = json.load(file)
    secret = bytes.fromhex(os.environ.get("SECRET") or access["secret"])
    channel = socket.create_connection((access["address"], access["port"]))
    channel.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    ours = os.urandom(32)
    channel.sendall(MAGIC + ours)
    theirs, proof = exactly(channel.recv, 32), exactly(channel.recv, 32)

    def keyed_hash(side):
        return hmac.new(secret, side + ours + theirs, hashlib.sha512).digest()[:32]

    if not hmac.compare_digest(proof, keyed_hash(b"coordinator")):
        if not os.environ.get("SECRET"):
            sys.exit("the coordinator does not know the secret")
    channel.sendall(keyed_hash(b"worker"))
    return channel.recv, channel.sendall


def pipes():
    def write(data):
        while data:
            data = data[os.write(1, data):]
    return lambda size: os.read(0, size), write


def hello():
    """That of `perigee work`, which says it before anything else."""
    with subprocess.Popen([os.environ["PERIGEE"], "work"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        kind, body = read_frame(lambda size: program.stdout.read(size))
        program.stdin.close()
    assert kind == HELLO and struct.unpack("<I", body[:4])[0] == len(body) - 4
    said = json.loads(body[4:])
    said.update(host="python", process=os.getpid())
    if os.environ.get("VERSION"):
        said["version"] = os.environ["VERSION"]
    return said


def main():
    read, write = connect(sys.argv[2]) if len(sys.argv) > 2 else pipes()
    levels = [float(each) for each in os.environ["LEVELS"].split()]
    names = [b"square", b"replication"]
    nth = 0
    known = False  # whether the names have been sent

    def send(kind, body=b""):
        write(struct.pack("<IB", len(body), kind) + body)

    def outcome(cell):
        nonlocal known
        level, replication = levels[(cell - 1) % len(levels)], (cell - 1) // len(levels) + 1
        if level < 0:
            return struct.pack("<QB", cell, 0) + text("a negative level") + struct.pack("<II", 0, 0)
        body = struct.pack("<QB", cell, 1 if known else 2)
        if not known:
            body += struct.pack("<I", len(names)) + b"".join(text(name) for name in names)
            known = True
        return body + struct.pack("<dd", level * level, replication) + struct.pack("<II", 0, 0)

    send(HELLO, text(json.dumps(hello())))
    while True:
        kind, body = read_frame(read)
        if kind == REFUSED:
            sys.exit(body[4:].decode())
        elif kind == JOB:
            job = json.loads(body[4:])
            assert bytes.fromhex(job["script"]).endswith(b".lua") and job["silence"] > 0
            send(ENTERED, struct.pack("<Q", nth) + text(""))
        elif kind == CELLS:
            at, count = struct.unpack("<QI", body[:12])
            cells = struct.unpack("<%dQ" % count, body[12:])
            began = time.monotonic_ns()
            outcomes = b"".join(outcome(cell) for cell in cells)
            send(ANSWERS, struct.pack("<QQI", at, time.monotonic_ns() - began, count) + outcomes)
        elif kind == RESULTS and body[0] == 1:  # the last part: the script goes on to the next experiment
            nth += 1
            send(ENTERED, struct.pack("<Q", nth) + text(""))
        elif kind == BEAT:
            send(BEAT)  # as often as the coordinator does
        elif kind in (DIFFERS, FAILS):
            sys.exit(0)


try:
    main()
except (BrokenPipeError, ConnectionResetError):
    pass  # the coordinator is gone
