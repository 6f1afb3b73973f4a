"""What a test puts in the place of a worker, or between a worker and its coordinator. Written from docs/workers.md.

  workers_peer.py version [FILE]        a worker of another version: over standard input and output, or by the file of access
  workers_peer.py secret FILE           one that does not know the secret
  workers_peer.py garbage FILE          connections that send what is no greeting, that say nothing, and that prove
                                        themselves and then send what is no message
  workers_peer.py proxy FILE NEW LOG    stands between workers that are given the file NEW and the coordinator of FILE;
                                        writes a line for each cell that is dealt out, "dealt NTH CELL", or answered
"""
import hashlib
import hmac
import json
import os
import socket
import struct
import sys
import threading

MAGIC = b"perigee workers\n"
HELLO, ANSWERS, REFUSED, JOB, CELLS = 1, 4, 9, 10, 11


def proof(side, secret, worker, coordinator):
    return hmac.new(secret, side + worker + coordinator, hashlib.sha512).digest()[:32]


def frame(kind, body):
    return struct.pack("<IB", len(body), kind) + body


def text(value):
    return struct.pack("<I", len(value)) + value


def read_exactly(read, count):
    data = b""
    while len(data) < count:
        more = read(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def read_frame(read):
    header = read_exactly(read, 5)
    size, kind = struct.unpack("<IB", header)
    return kind, header + read_exactly(read, size)


def access(file):
    with open(file) as opened:
        found = json.load(opened)
    return found["address"], found["port"], bytes.fromhex(found["secret"])


def connected(file, secret=None):
    address, port, known = access(file)
    secret = secret or known
    peer = socket.create_connection((address, port))
    ours = os.urandom(32)
    peer.sendall(MAGIC + ours)
    theirs = read_exactly(peer.recv, 32)
    told = read_exactly(peer.recv, 32)
    right = told == proof(b"coordinator", secret, ours, theirs)
    peer.sendall(proof(b"worker", secret, ours, theirs))
    return peer, right


def version(file=None):
    if file is None:
        read, write = lambda n: os.read(0, n), lambda data: os.write(1, data)
    else:
        peer, right = connected(file)
        assert right, "the coordinator does not know its secret"
        read, write = peer.recv, peer.sendall
    hello = {"protocol": 1, "version": "0.0.1", "sources": "0123456789", "host": "old", "process": 1, "slurm_job": ""}
    write(frame(HELLO, text(json.dumps(hello).encode())))
    kind, said = read_frame(read)
    assert kind == REFUSED, kind
    sys.stderr.write("was told: %s\n" % said[9:].decode())


def wrong_secret(file):
    peer, right = connected(file, b"x" * 32)
    assert not right
    assert peer.recv(1) == b"", "the coordinator speaks to a stranger"


def garbage(file):
    address, port, _ = access(file)
    silent = [socket.create_connection((address, port)) for _ in range(20)]
    for what in (b"GET / HTTP/1.1\r\n\r\n" * 5, os.urandom(1000), MAGIC + b"x", b"\0" * 48):
        peer = socket.create_connection((address, port))
        peer.sendall(what)
        if len(what) < 48:
            continue
        try:
            assert peer.recv(100) == b""
        except ConnectionResetError:
            pass
    for what in (frame(200, b""), struct.pack("<IB", 0xFFFFFFFF, HELLO), frame(HELLO, text(b"{")), frame(HELLO, b"\xff" * 4),
                 frame(HELLO, text(b"[" * 100000)), frame(ANSWERS, b"\0" * 20), frame(CELLS, b""), b"\x05\0"):
        peer, right = connected(file)
        assert right
        peer.sendall(what)
        if len(what) < 5:
            peer.close()
            continue
        try:
            while peer.recv(100):
                pass
        except ConnectionResetError:
            pass
    for peer in silent:
        peer.settimeout(0.01)
        try:
            assert peer.recv(1) == b"", "the coordinator speaks first"
        except socket.timeout:
            pass


def relay(source, sink, log, begin, of_worker):
    try:
        sink.sendall(read_exactly(source.recv, begin))
        if of_worker:
            sink.sendall(read_exactly(source.recv, 32))
        while True:
            kind, data = read_frame(source.recv)
            if kind == CELLS and not of_worker:
                nth, count = struct.unpack_from("<QI", data, 5)
                for cell in struct.unpack_from("<%dQ" % count, data, 17):
                    log("dealt %d %d" % (nth, cell))
            if kind == ANSWERS and of_worker:
                nth, _, count = struct.unpack_from("<QQI", data, 5)
                log("answered %d %d" % (nth, count))
            sink.sendall(data)
    except (EOFError, OSError):
        for each in (source, sink):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def proxy(file, new, log_file):
    address, port, secret = access(file)
    listener = socket.create_server(("127.0.0.1", 0))
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT, 0o600), "w") as opened:
        json.dump({"address": "127.0.0.1", "port": listener.getsockname()[1], "secret": secret.hex()}, opened)
    lines = open(log_file, "w", buffering=1)
    lock = threading.Lock()

    def log(line):
        with lock:
            lines.write(line + "\n")

    while True:
        worker, _ = listener.accept()
        coordinator = socket.create_connection((address, port))
        for source, sink, begin, of_worker in ((worker, coordinator, 48, True), (coordinator, worker, 64, False)):
            source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=relay, args=(source, sink, log, begin, of_worker), daemon=True).start()


if __name__ == "__main__":
    {"version": version, "secret": wrong_secret, "garbage": garbage, "proxy": proxy}[sys.argv[1]](*sys.argv[2:])
