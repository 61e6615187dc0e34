"""Calls a gRPC server with gRPC's own library for Python, which knows the contract only from the server's reflection.

Takes HOST:PORT. What is checked depends on the services that the server lists: those of roundtrip.v1, or the conformance service
with its streams. Prints one JSON object a line for each check: id, about, ok, and what was said when it is not ok. Ends with 0
whenever it ran to its end, whatever the checks found.
"""

import base64
import json
import re
import sys
import time
import zlib
from collections.abc import Callable
from typing import Any

import grpc
from google.protobuf import descriptor_pool, json_format, message_factory
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from grpc_status import rpc_status

TIMEOUT_S = 10

Check = Callable[["Server"], None]
CHECKS: list[tuple[str, str, str, Check]] = []


def check(service: str, id_: str, about: str) -> Callable[[Check], Check]:
    """Registers a check of servers that list the service; the empty name is every server."""

    def register(function: Check) -> Check:
        CHECKS.append((service, id_, about, function))
        return function

    return register


class Server:
    """A server, as its reflection describes it."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.channel = grpc.insecure_channel(target)
        self.database = ProtoReflectionDescriptorDatabase(self.channel)
        self.pool = descriptor_pool.DescriptorPool(self.database)
        self.called: set[str] = set()

    def call(self, name: str, request: Any, **options: Any) -> Any:
        """Calls `package.Service.Method` with a request as JSON, or an iterable of them where the method takes a stream."""
        service_name, method_name = name.rsplit(".", 1)
        method = self.pool.FindServiceByName(service_name).FindMethodByName(method_name)
        self.called.add(name)
        shape = ("stream" if method.client_streaming else "unary") + "_" + ("stream" if method.server_streaming else "unary")
        input_class = message_factory.GetMessageClass(method.input_type)
        output_class = message_factory.GetMessageClass(method.output_type)
        stub = getattr(self.channel, shape)(
            f"/{service_name}/{method_name}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=output_class.FromString,
        )

        def message(value: Any) -> Any:
            return json_format.ParseDict(value, input_class(), descriptor_pool=self.pool)

        sent = (message(one) for one in request) if method.client_streaming else message(request)
        return stub(sent, timeout=options.pop("timeout", TIMEOUT_S), **options)

    def answer(self, name: str, request: Any, **options: Any) -> Any:
        return shown(self.call(name, request, **options))


def shown(message: Any) -> Any:
    return json_format.MessageToDict(message, preserving_proto_field_name=True)


def expect(actual: Any, wanted: Any) -> None:
    if actual != wanted:
        raise AssertionError(f"got {actual!r}, wanted {wanted!r}")


def refused(code: grpc.StatusCode, call: Callable[[], Any]) -> grpc.RpcError:
    try:
        answered = call()
    except grpc.RpcError as error:
        expect(error.code(), code)
        return error
    raise AssertionError(f"answered {answered!r}, wanted {code}")


def details_of(error: grpc.RpcError, kind: Any) -> Any:
    status = rpc_status.from_call(error)
    for detail in status.details if status is not None else ():
        if detail.Is(kind.DESCRIPTOR):
            message = kind()
            detail.Unpack(message)
            return message
    raise AssertionError(f"no {kind.DESCRIPTOR.full_name} in the error: {error.details()}")


# Every server

@check("", "reflection-services", "reflection lists services, and each of their methods with its messages")
def reflection_services(server: Server) -> None:
    for name in server.database.get_services():
        service = server.pool.FindServiceByName(name)
        if not service.methods:
            raise AssertionError(f"{name} has no methods")
        for method in service.methods:
            message_factory.GetMessageClass(method.input_type)
            message_factory.GetMessageClass(method.output_type)


@check("", "health-check", "the server and each service of the contract are SERVING; another service is NOT_FOUND")
def health_check(server: Server) -> None:
    stub = health_pb2_grpc.HealthStub(server.channel)
    ours = [name for name in server.database.get_services() if not name.startswith("grpc.")]
    for name in ["", *ours]:
        answer = stub.Check(health_pb2.HealthCheckRequest(service=name), timeout=TIMEOUT_S)
        expect(answer.status, health_pb2.HealthCheckResponse.SERVING)
    request = health_pb2.HealthCheckRequest(service="no.Such")
    refused(grpc.StatusCode.NOT_FOUND, lambda: stub.Check(request, timeout=TIMEOUT_S))


@check("", "health-watch", "a watch receives SERVING at once, and SERVICE_UNKNOWN for a missing service")
def health_watch(server: Server) -> None:
    stub = health_pb2_grpc.HealthStub(server.channel)
    for name, status in [("", "SERVING"), ("no.Such", "SERVICE_UNKNOWN")]:
        watch = stub.Watch(health_pb2.HealthCheckRequest(service=name), timeout=TIMEOUT_S)
        expect(next(watch).status, health_pb2.HealthCheckResponse.ServingStatus.Value(status))
        watch.cancel()


@check("", "unknown-method", "a method that is not there is UNIMPLEMENTED")
def unknown_method(server: Server) -> None:
    call = server.channel.unary_unary("/no.Such/Method")
    refused(grpc.StatusCode.UNIMPLEMENTED, lambda: call(b"", timeout=TIMEOUT_S))


# roundtrip.v1

HELLO = "roundtrip.v1.HelloService"
CUSTOMERS = "roundtrip.v1.CustomerService"
PAYLOADS = "roundtrip.v1.PayloadService"
MATRICES = "roundtrip.v1.MatrixService"
ATTRIBUTES = {
    "name": ("Ada Lovelace 🧮", "Ada Byron"),
    "address": ("12 St James's Square", "6 Moore Street"),
    "vat_identification_number": ("GB123", "GB456"),
    "mail": ("ada@example.com", "byron@example.com"),
    "phone_number": ("+44 20 1", "+44 20 2"),
}
ADA = {"id": 900_001, **{name: values[0] for name, values in ATTRIBUTES.items()}}


def method_of(attribute: str, verb: str) -> str:
    return f"{CUSTOMERS}.{verb}Customer{''.join(part.capitalize() for part in attribute.split('_'))}"


@check(HELLO, "hello", "a greeting comes with its name, in any script")
def hello(server: Server) -> None:
    for name in ["World", "Zoë 👋 世界", "x" * 200]:
        expect(server.answer(f"{HELLO}.SayHello", {"name": name}), {"message": f"Hello, {name}!"})


@check(HELLO, "violations", "a request that breaks a rule is INVALID_ARGUMENT with the field and the rule in BadRequest")
def violations(server: Server) -> None:
    error = refused(grpc.StatusCode.INVALID_ARGUMENT, lambda: server.call(f"{HELLO}.SayHello", {}))
    (violation,) = details_of(error, error_details_pb2.BadRequest).field_violations
    expect((violation.field, violation.reason), ("name", "string.min_len"))


@check(HELLO, "malformed", "bytes that are no request, and text that is no UTF-8, are INVALID_ARGUMENT")
def malformed(server: Server) -> None:
    call = server.channel.unary_unary("/roundtrip.v1.HelloService/SayHello")
    for request in [b"\x0a\x05abc", b"\x0a\x02\xc3\x28", b"\xff\xff"]:
        refused(grpc.StatusCode.INVALID_ARGUMENT, lambda request=request: call(request, timeout=TIMEOUT_S))


@check(HELLO, "metadata", "metadata of text and of bytes, several times under one name, does no harm")
def metadata(server: Server) -> None:
    sent = [("x-tenant", "blue"), ("x-tenant", "green"), ("trace-bin", b"\x00\xff"), ("trace-bin", b"\x01")]
    expect(server.answer(f"{HELLO}.SayHello", {"name": "x"}, metadata=sent), {"message": "Hello, x!"})


@check(HELLO, "compression", "a compressed request is read")
def compression(server: Server) -> None:
    for kind in [grpc.Compression.Gzip, grpc.Compression.Deflate]:
        answer = server.answer(f"{HELLO}.SayHello", {"name": "x" * 200}, compression=kind)
        expect(answer, {"message": f"Hello, {'x' * 200}!"})


@check(HELLO, "too-large", "a request larger than the server takes is RESOURCE_EXHAUSTED, and the server serves on")
def too_large(server: Server) -> None:
    call = server.channel.unary_unary("/roundtrip.v1.HelloService/SayHello")
    refused(grpc.StatusCode.RESOURCE_EXHAUSTED, lambda: call(b"x" * (5 * 1024 * 1024), timeout=TIMEOUT_S))
    refused(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        lambda: call(b"x" * (5 * 1024 * 1024), timeout=TIMEOUT_S, compression=grpc.Compression.Gzip),
    )
    expect(server.answer(f"{HELLO}.SayHello", {"name": "x"}), {"message": "Hello, x!"})


@check(HELLO, "concurrent", "two hundred calls at once on one connection each get their own answer")
def concurrent(server: Server) -> None:
    method = server.pool.FindServiceByName(HELLO).FindMethodByName("SayHello")
    output = message_factory.GetMessageClass(method.output_type)
    request = message_factory.GetMessageClass(method.input_type)
    call = server.channel.unary_unary(
        f"/{HELLO}/SayHello",
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=output.FromString,
    )
    futures = [call.future(request(name=str(number)), timeout=TIMEOUT_S) for number in range(200)]
    expect([future.result().message for future in futures], [f"Hello, {number}!" for number in range(200)])


@check(CUSTOMERS, "create", "a customer is created whole, and only once")
def create(server: Server) -> None:
    expect(server.answer(f"{CUSTOMERS}.CreateCustomer", {"customer": ADA}), ADA)
    error = refused(
        grpc.StatusCode.ALREADY_EXISTS, lambda: server.call(f"{CUSTOMERS}.CreateCustomer", {"customer": ADA})
    )
    info = details_of(error, error_details_pb2.ErrorInfo)
    expect((info.reason != "", info.domain != "", info.metadata["id"]), (True, True, "900001"))


@check(CUSTOMERS, "get", "a customer is read whole, or as a mask says")
def get(server: Server) -> None:
    expect(server.answer(f"{CUSTOMERS}.GetCustomer", {"id": ADA["id"]}), ADA)
    masked = server.answer(f"{CUSTOMERS}.GetCustomer", {"id": ADA["id"], "read_mask": "mail,name"})
    expect(masked, {"name": ADA["name"], "mail": ADA["mail"]})


@check(CUSTOMERS, "attributes", "each attribute is read and written by a method of its own")
def attributes(server: Server) -> None:
    for attribute, (before, after) in ATTRIBUTES.items():
        key = {"id": ADA["id"]}
        expect(server.answer(method_of(attribute, "Get"), key), {attribute: before})
        expect(server.answer(method_of(attribute, "Set"), {**key, attribute: after}), {attribute: after})
        expect(server.answer(method_of(attribute, "Get"), key), {attribute: after})


@check(CUSTOMERS, "update", "an update writes what its mask names")
def update(server: Server) -> None:
    request = {"customer": {"id": ADA["id"], "name": "Countess", "mail": "ignored"}, "update_mask": "name"}
    expect(server.answer(f"{CUSTOMERS}.UpdateCustomer", request)["name"], "Countess")
    expect(server.answer(method_of("mail", "Get"), {"id": ADA["id"]}), {"mail": ATTRIBUTES["mail"][1]})


@check(CUSTOMERS, "change-id", "a customer is found under a new id, and no longer under the old one")
def change_id(server: Server) -> None:
    expect(server.answer(f"{CUSTOMERS}.SetCustomerId", {"id": ADA["id"], "new_id": 900_002}), {"id": 900_002})
    expect(server.answer(f"{CUSTOMERS}.GetCustomerId", {"id": 900_002}), {"id": 900_002})
    refused(grpc.StatusCode.NOT_FOUND, lambda: server.call(f"{CUSTOMERS}.GetCustomer", {"id": ADA["id"]}))


@check(CUSTOMERS, "delete", "a customer is deleted, and then NOT_FOUND with its id in ErrorInfo")
def delete(server: Server) -> None:
    expect(server.answer(f"{CUSTOMERS}.DeleteCustomer", {"id": 900_002}), {})
    error = refused(grpc.StatusCode.NOT_FOUND, lambda: server.call(f"{CUSTOMERS}.GetCustomer", {"id": 900_002}))
    expect(details_of(error, error_details_pb2.ErrorInfo).metadata["id"], "900002")


@check(CUSTOMERS, "pages", "pages hold every customer once, in order")
def pages(server: Server) -> None:
    ids: list[int] = []
    token = ""
    while True:
        page = server.answer(f"{CUSTOMERS}.ListCustomers", {"page_size": 50, "page_token": token})
        ids += [customer["id"] for customer in page.get("customers", [])]
        token = page.get("next_page_token", "")
        if token == "":
            break
    expect(ids, sorted(set(ids)))
    expect(len(ids) >= 120, True)


@check(PAYLOADS, "payload-echo", "a text and bytes come back as they were sent")
def payload_echo(server: Server) -> None:
    sent = {"text": "Zoë 👋" * 10_000, "data": "AAEC/w=="}
    expect(server.answer(f"{PAYLOADS}.Echo", sent), sent)


@check(PAYLOADS, "payload-streams", "what is downloaded in chunks is what the server says was uploaded")
def payload_streams(server: Server) -> None:
    asked = {"size_bytes": 3_900_000, "chunk_bytes": 65_536}
    chunks = [shown(answer)["data"] for answer in server.call(f"{PAYLOADS}.Download", asked)]
    sent = [base64.b64decode(chunk) for chunk in chunks]
    expect([len(chunk) for chunk in sent], [65_536] * 59 + [33_376])
    answer = server.answer(f"{PAYLOADS}.Upload", ({"data": chunk} for chunk in chunks))
    expect(answer, {"size_bytes": 3_900_000, "crc32": zlib.crc32(b"".join(sent))})


@check(MATRICES, "matrix-power", "a power is computed, with the time that it waited and took")
def matrix_power(server: Server) -> None:
    answer = server.answer(f"{MATRICES}.Power", {"matrix": {"size": 2, "elements": [1, 1, 0, 1]}, "exponent": 7})
    expect(answer["power"], {"size": 2, "elements": [1, 7, 0, 1]})
    for name in ("queue_time", "service_time"):
        expect(re.fullmatch(r"\d+(\.\d+)?s", answer[name]) is not None, True)
    expect(answer["cache_status"], "CACHE_STATUS_BYPASS")


@check(MATRICES, "matrix-not-square", "a matrix that is not square is INVALID_ARGUMENT, with its field in BadRequest")
def matrix_not_square(server: Server) -> None:
    request = {"matrix": {"size": 2, "elements": [1]}, "exponent": 2}
    error = refused(grpc.StatusCode.INVALID_ARGUMENT, lambda: server.call(f"{MATRICES}.Power", request))
    violations = details_of(error, error_details_pb2.BadRequest).field_violations
    expect([violation.field for violation in violations], ["matrix.elements"])


@check(CUSTOMERS, "every-method", "every method of the contract was called by now")
def every_method(server: Server) -> None:
    for name in (HELLO, CUSTOMERS, MATRICES, PAYLOADS):
        methods = {f"{name}.{method.name}" for method in server.pool.FindServiceByName(name).methods}
        expect(sorted(methods - server.called), [])


# The conformance service, whose streams serve.ts answers

CONFORMANCE = "roundtrip.conformance.v1.ConformanceService"


@check(CONFORMANCE, "server-stream", "a stream of responses comes whole and in order")
def server_stream(server: Server) -> None:
    answers = [shown(one) for one in server.call(f"{CONFORMANCE}.Download", {"count": 500, "size_bytes": 1000})]
    expect([one.get("index", 0) for one in answers], list(range(500)))


@check(CONFORMANCE, "stream-error", "an error after answers comes after them, with its details")
def stream_error(server: Server) -> None:
    answers = server.call(f"{CONFORMANCE}.Download", {"count": 3, "code_at_end": 15})
    expect([next(answers).index for _ in range(3)], [0, 1, 2])
    error = refused(grpc.StatusCode.DATA_LOSS, lambda: next(answers))
    expect(details_of(error, error_details_pb2.ErrorInfo).reason, "END")


@check(CONFORMANCE, "client-stream", "a stream of requests comes whole and in order")
def client_stream(server: Server) -> None:
    requests = ({"index": index, "data": "AAAA" * 1000} for index in range(300))
    answer = server.answer(f"{CONFORMANCE}.Upload", requests)
    expect(answer, {"count": 300, "size_bytes": "900000", "in_order": True})


@check(CONFORMANCE, "conversation", "both sides speak in turns")
def conversation(server: Server) -> None:
    heard: list[str] = []
    said = [f"{number} 👋" for number in range(20)]

    def requests() -> Any:
        for text in said:
            # Nothing more is said until what was said is answered.
            give_up = time.monotonic() + TIMEOUT_S
            while len(heard) < said.index(text) and time.monotonic() < give_up:
                time.sleep(0.001)
            yield {"text": text}

    for answer in server.call(f"{CONFORMANCE}.Converse", requests()):
        heard.append(answer.text)
    expect(heard, [f"heard {text}" for text in said])


@check(CONFORMANCE, "stream-cancel", "a stream that is cancelled ends, and the server serves on")
def stream_cancel(server: Server) -> None:
    answers = server.call(f"{CONFORMANCE}.Download", {"count": 1_000_000, "size_bytes": 10_000})
    next(answers)
    answers.cancel()
    refused(grpc.StatusCode.CANCELLED, lambda: list(answers))
    expect(len(list(server.call(f"{CONFORMANCE}.Download", {"count": 1}))), 1)


@check(CONFORMANCE, "deadline", "a deadline ends a stream that goes on for longer, and the server serves on")
def deadline(server: Server) -> None:
    answers = server.call(f"{CONFORMANCE}.Download", {"count": 1_000_000, "size_bytes": 10_000}, timeout=0.3)
    refused(grpc.StatusCode.DEADLINE_EXCEEDED, lambda: [None for _ in answers])
    expect(len(list(server.call(f"{CONFORMANCE}.Download", {"count": 1}))), 1)


@check(CONFORMANCE, "answer-metadata", "metadata comes back with the answer and with the error, text and bytes, duplicates joined")
def answer_metadata(server: Server) -> None:
    sent = [("x-said", "one"), ("x-said", "two"), ("said-bin", b"\x00\xff")]
    answers = server.call(f"{CONFORMANCE}.Download", {"count": 1}, metadata=sent)
    headers = dict(answers.initial_metadata())
    expect((headers["x-said"], headers["said-bin"]), ("one, two", b"\x00\xff"))
    expect(len(list(answers)), 1)
    failing = server.call(f"{CONFORMANCE}.Download", {"count": 0, "code_at_end": 10}, metadata=sent)
    error = refused(grpc.StatusCode.ABORTED, lambda: next(failing))
    trailers = dict(error.trailing_metadata())
    expect((trailers["x-said"], trailers["said-bin"]), ("one, two", b"\x00\xff"))


@check(CONFORMANCE, "large-error", "an error with more to say than metadata holds arrives with its code and what fits")
def large_error(server: Server) -> None:
    sent = [("x-violations", "1000")]
    answers = server.call(f"{CONFORMANCE}.Download", {"count": 0, "code_at_end": 9}, metadata=sent)
    error = refused(grpc.StatusCode.FAILED_PRECONDITION, lambda: next(answers))
    expect(error.details().startswith("at the end: größer größer"), True)
    expect(details_of(error, error_details_pb2.ErrorInfo).reason, "END")
    expect(len(details_of(error, error_details_pb2.BadRequest).field_violations) > 10, True)


def main() -> None:
    (target,) = sys.argv[1:]
    server = Server(target)
    services = ["", *server.database.get_services()]
    for service, id_, about, function in CHECKS:
        if service not in services:
            continue
        try:
            function(server)
            said = ""
        # A check that breaks is one that did not pass; the others still run.
        except Exception as error:  # noqa: BLE001
            said = f"{type(error).__name__}: {error}"
        print(json.dumps({"id": id_, "about": about, "ok": said == "", "said": said}), flush=True)
    server.channel.close()


if __name__ == "__main__":
    main()
