"""Serves the contract in ../proto over REST, with Python's own library: server.py PORT."""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ITEMS = 200
DEFAULT_PAGE_SIZE = 20


class CallError(Exception):
    """An error of the contract, with its HTTP status."""

    def __init__(self, status, code, detail):
        super().__init__(detail)
        self.status = status
        self.body = {"code": code, "detail": detail}


def item(number):
    # JSON has no 64-bit integers: protobuf writes them as strings.
    return {"sku": f"sku-{number:03d}", "name": f"Part number {number}", "priceCents": str(100 + 7 * number)}


def find(sku):
    match = re.fullmatch(r"sku-(\d{3})", sku)
    if match is None or not 1 <= int(match[1]) <= ITEMS:
        raise CallError(404, "NOT_FOUND", f'there is no item "{sku}"')
    return item(int(match[1]))


def get_item(request):
    return find(request.get("sku", ""))


def list_items(request):
    size = request.get("pageSize", 0) or DEFAULT_PAGE_SIZE
    if not 0 <= size <= ITEMS:
        raise CallError(400, "INVALID_ARGUMENT", f"page_size must be 0 to {ITEMS}, got {size}")
    return {"items": [item(number) for number in range(1, size + 1)]}


def reserve(request):
    return {"sku": find(request.get("sku", ""))["sku"], "pieces": request.get("pieces", 0)}


# A contract without HTTP rules is served at the paths of gRPC.
OPERATIONS = {
    "/inventory.v1.Inventory/GetItem": get_item,
    "/inventory.v1.Inventory/ListItems": list_items,
    "/inventory.v1.Inventory/Reserve": reserve,
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # An answer is one small packet, and must not wait for the one before to arrive.
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        try:
            operation = OPERATIONS.get(self.path)
            if operation is None:
                raise CallError(404, "UNIMPLEMENTED", f"there is no operation at {self.path}")
            self.answer(200, "application/json", operation(request))
        except CallError as error:
            self.answer(error.status, "application/problem+json", error.body)

    def answer(self, status, media_type, message):
        body = json.dumps(message).encode()
        self.send_response(status)
        self.send_header("content-type", media_type)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Nothing: a log costs more than an answer."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
