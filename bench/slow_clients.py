#!/usr/bin/env python3
"""How the page's server bears slow clients; never run as a test. Loopback only.

    python3 bench/slow_clients.py build/karikomi [CONNECTIONS] [SECONDS]

Half of the connections say nothing, half send a byte of a header every second; who is dropped comes
again. Meanwhile an honest client asks for /api/searches twice a second: little work, so that the wait
is what is measured. Then one connection sends an
endless header. Printed: answers and how long they took, memory, threads.
"""
import json
import resource
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

program = sys.argv[1]
connections = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 20
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
folder = tempfile.mkdtemp(prefix="karikomi-slow-")
server = subprocess.Popen([program, "serve", "--port", "0", "--json", "--data", folder],
                          stdout=subprocess.PIPE, text=True)
port = json.loads(server.stdout.readline())["port"]
resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, connections + 500), hard))


def fact(name):
    with open(f"/proc/{server.pid}/status", encoding="ascii") as status:
        return int(next(line for line in status if line.startswith(name)).split()[1])


def connect():
    line = socket.socket()
    line.settimeout(2)
    try:
        line.connect(("127.0.0.1", port))
    except OSError:
        return None
    line.setblocking(False)
    return line


def alive(line):
    try:
        return line.recv(4096) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def honest():
    start = time.monotonic()
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/searches", timeout=15) as answer:
            answer.read()
        return time.monotonic() - start
    except OSError:
        return None


memory_before = fact("VmRSS")
slow = []
for i in range(connections):
    slow.append(connect())
    if i % 2 and slow[-1]:
        slow[-1].send(b"GET / HTTP/1.1\r\nX: ")
times, failed, again = [], 0, 0
most_memory = most_threads = 0
end = time.monotonic() + seconds
while time.monotonic() < end:
    took = honest()
    if took is None:
        failed += 1
    else:
        times.append(took)
    for i, line in enumerate(slow):
        if line is None or not alive(line):
            if line:
                line.close()
            slow[i] = connect()
            again += 1
            if i % 2 and slow[i]:
                slow[i].send(b"GET / HTTP/1.1\r\nX: ")
        elif i % 2:
            try:
                line.send(b"x")
            except OSError:
                pass
    most_memory = max(most_memory, fact("VmRSS"))
    most_threads = max(most_threads, fact("Threads"))
    time.sleep(0.5)
for line in slow:
    if line:
        line.close()
time.sleep(1)

sent = 0
line = socket.create_connection(("127.0.0.1", port))
line.settimeout(5)
try:
    line.sendall(b"GET / HTTP/1.1\r\n")
    for _ in range(34_000):
        line.sendall(b"X: " + b"x" * 4000 + b"\r\n")
        sent += 4005
except OSError:
    pass
header_memory = fact("VmRSS")
times.sort()
print(json.dumps({
    "connections": connections,
    "seconds": seconds,
    "honest_answered": len(times),
    "honest_failed": failed,
    "median_s": round(times[len(times) // 2], 3) if times else None,
    "slowest_s": round(times[-1], 3) if times else None,
    "came_again": again,
    "memory_mb": [round(memory_before / 1024), round(most_memory / 1024)],
    "threads": most_threads,
    "endless_header_mb_taken": round(sent / 2**20, 1),
    "memory_after_header_mb": round(header_memory / 1024),
}))
server.kill()
