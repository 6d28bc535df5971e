"""A DirectPlay client written from directplay.md 4 and 11 alone, without any code of this project: what the bridge
must be able to host. Blocking sockets with a deadline; nothing sleeps."""
import socket
import struct
import time

GUID = bytes.fromhex("011f1d3c70a8d1118400000021b14415")
DEADLINE_S = 20


def z(text):
    return text.encode("utf-16le") + b"\0\0"


class Original:
    def __init__(self, name):
        self.name = name
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen()
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.tcp_port, self.udp_port = self.listener.getsockname()[1], self.udp.getsockname()[1]
        self.incoming, self.buffer = None, b""
        self.out = None
        self.seen = []

    # ---- blocks

    def header(self, size):
        return struct.pack("<IH", size | 0xFAB << 20, 2) + struct.pack(">H", self.tcp_port) + bytes(12)

    def system(self, command, body):
        return self.header(28 + len(body)) + b"play" + struct.pack("<HH", command, 14) + body

    def send(self, block):
        if self.out is None:
            self.out = socket.create_connection(self.host, timeout=DEADLINE_S)
        self.out.sendall(block)

    def receive(self):
        """The next block the other side wrote on the connection it opened to us."""
        if self.incoming is None:
            self.listener.settimeout(DEADLINE_S)
            self.incoming = self.listener.accept()[0]
            self.incoming.settimeout(DEADLINE_S)
        while len(self.buffer) < 4 or len(self.buffer) < struct.unpack("<I", self.buffer[:4])[0] & 0xFFFFF:
            data = self.incoming.recv(65536)
            if not data:
                raise ConnectionError("the host closed its connection")
            self.buffer += data
        size = struct.unpack("<I", self.buffer[:4])[0] & 0xFFFFF
        block, self.buffer = self.buffer[:size], self.buffer[size:]
        return block

    def expect(self, command):
        """The body of the next message with that command; what comes before it is kept in `seen`."""
        end = time.monotonic() + DEADLINE_S
        while time.monotonic() < end:
            block = self.receive()
            if block[20:24] == b"play" and struct.unpack("<H", block[24:26])[0] == command:
                return block[28:]
            self.seen.append(block)
        raise TimeoutError(f"no command {command:#x}")

    def expect_data(self):
        end = time.monotonic() + DEADLINE_S
        while time.monotonic() < end:
            block = self.receive()
            if block[20:24] != b"play":
                return struct.unpack("<II", block[20:28]) + (block[28:],)
            self.seen.append(block)
        raise TimeoutError("no player message")

    # ---- the session

    def enumerate(self, enum_port):
        self.udp.sendto(self.system(0x02, GUID + struct.pack("<II", 0, 1)), ("127.0.0.1", enum_port))
        block = self.receive()
        assert block[20:26] == b"play\x01\x00", block
        self.host = ("127.0.0.1", struct.unpack(">H", block[6:8])[0])
        desc = block[28:108]
        self.key = struct.unpack("<I", desc[56:60])[0]
        self.session_name = block[112:].decode("utf-16le").rstrip("\0")

    def sockets(self):
        return (struct.pack("<H", 2) + struct.pack(">H", self.tcp_port) + bytes(12) +
                struct.pack("<H", 2) + struct.pack(">H", self.udp_port) + bytes(12))

    def packed(self, player, flags, owner, short=b"", data=b""):
        sp = self.sockets()
        size = 48 + len(short) + len(sp) + len(data)
        return struct.pack("<12I", size, flags, player, len(short), 0, len(sp), len(data), 0, owner, 48, 14, 0) + short + sp + data

    def request_id(self, flags):
        self.send(self.system(0x05, struct.pack("<I", flags)))
        reply = self.expect(0x07)
        result = struct.unpack("<I", reply[36:40])[0]
        if result:
            raise ConnectionRefusedError(f"{result:#x}")
        return struct.unpack("<I", reply[:4])[0]

    def join(self):
        self.system_id = self.request_id(9)
        player = self.packed(self.system_id, 9, self.system_id)
        self.send(self.system(0x13, struct.pack("<5I", 0, self.system_id, 0, 28, 28 + len(player)) + player + b"\0\0" + struct.pack("<I", self.key)))
        self.table = self.read_table(self.expect(0x29))

    @staticmethod
    def read_table(body):
        """{id: (flags, short name, UDP port)} of a SUPERENUMPLAYERSREPLY."""
        whole = bytes(8) + body
        players, groups, at, shortcuts = struct.unpack("<4I", body[:16])
        out = {}
        for _ in range(players + groups + shortcuts):
            size, flags, player, mask, _ = struct.unpack("<5I", whole[at:at + 20])
            assert size == 16
            at += 20
            names = []
            for bit in (1, 2):
                text = b""
                if mask & bit:
                    while whole[at:at + 2] != b"\0\0":
                        text += whole[at:at + 2]
                        at += 2
                    at += 2
                names.append(text.decode("utf-16le"))
            parts = []
            for shift in (4, 2):
                width = (0, 1, 2, 4)[mask >> shift & 3]
                length = int.from_bytes(whole[at:at + width], "little")
                at += width
                parts.append(whole[at:at + length])
                at += length
            width = (0, 1, 2, 4)[mask >> 6 & 3]
            at += width + 4 * int.from_bytes(whole[at:at + width], "little")
            if mask & 0x100:
                at += 4
            udp = struct.unpack(">H", parts[1][18:20])[0] if parts[1] else 0
            out[player] = (flags, names[0], udp)
        assert at <= len(whole)
        return out

    def create_player(self, data=b""):
        self.player = self.request_id(8)
        player = self.packed(self.player, 8, self.system_id, z(self.name), data)
        self.send(self.system(0x08, struct.pack("<5I", 0, self.player, 0, 28, 0) + player + bytes(6)))
        self.expect(0x1A)  # the host refreshes the number of players

    def say(self, to, data):
        self.send(self.header(28 + len(data)) + struct.pack("<II", self.player, to) + data)

    def say_datagram(self, to, data):
        port = next(udp for flags, _, udp in self.table.values() if flags & 2)
        self.udp.sendto(struct.pack("<II", self.player, to) + data, ("127.0.0.1", port))

    def expect_datagram(self):
        self.udp.settimeout(DEADLINE_S)
        while True:
            data = self.udp.recv(65536)
            if data[20:24] != b"play":
                return struct.unpack("<II", data[:8]) + (data[8:],)

    def leave(self):
        for player in (self.player, self.system_id):
            self.send(self.system(0x0B, struct.pack("<5I", 0, player, 0, 0, 0)))
        self.close()

    def close(self):
        for s in (self.out, self.incoming, self.listener, self.udp):
            if s is not None:
                s.close()
        self.out = self.incoming = None
