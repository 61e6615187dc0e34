"""REST by Starlette: routes from the google.api.http options of the contract, and requests and answers in ProtoJSON."""

import json
import re
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

from google.api import annotations_pb2
from google.protobuf import json_format, message_factory
from google.protobuf.field_mask_pb2 import FieldMask
from google.rpc import code_pb2, error_details_pb2
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from service import Failure, Method, bad_field

MAX_REQUEST_BYTES = 4 << 20
MAX_NESTING = 100

# The HTTP statuses of google/rpc/code.proto; 500 for others.
STATUSES = {
    "INVALID_ARGUMENT": 400,
    "NOT_FOUND": 404,
    "ALREADY_EXISTS": 409,
    "RESOURCE_EXHAUSTED": 429,
    "UNIMPLEMENTED": 501,
}


def json_of(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def json_path(path: str) -> str:
    """A field as REST spells it: "customer.phone_number" is "customer.phoneNumber"."""
    return re.sub("_(.)", lambda found: found[1].upper(), path)


def problem(failure: Failure, http_status: int | None = None, headers: Any = None) -> Response:
    """An error as a problem (RFC 9457)."""
    code = code_pb2.Code.Name(failure.status.code)
    number = http_status or STATUSES.get(code, 500)
    title = HTTPStatus(number).phrase
    document = {"type": "about:blank", "title": title, "status": number, "detail": failure.status.message, "code": code}
    for packed in failure.status.details:
        info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        if packed.Unpack(info):
            document |= {"reason": info.reason, "domain": info.domain, "metadata": dict(info.metadata)}
        elif packed.Unpack(bad):
            first = bad.field_violations[0].field
            document["detail"] = json_path(first) + failure.status.message.removeprefix(first)
            document["violations"] = [
                {"field": json_path(one.field), "description": one.description, "reason": one.reason}
                for one in bad.field_violations
            ]
    return Response(json_of(document), number, headers, "application/problem+json")


def set_field(message: Any, path: str, text: str) -> None:
    """Sets a field of a type that this contract has in URLs. Fields have the name of the contract or that of ProtoJSON."""
    *parents, last = path.split(".")
    for name in parents:
        message = getattr(message, name)
    field = message.DESCRIPTOR.fields_by_name.get(last) or message.DESCRIPTOR.fields_by_camelcase_name.get(last)
    if field is None:
        raise bad_field(path, "there is no such query parameter", "json")
    try:
        if field.message_type is FieldMask.DESCRIPTOR:
            # A mask in ProtoJSON is one text. json_format refuses "*", which names all fields.
            paths = [re.sub("([A-Z])", r"_\1", name).lower() for name in text.split(",") if name != ""]
            message.MergeFrom(type(message)(**{field.name: FieldMask(paths=paths)}))
        elif field.cpp_type == field.CPPTYPE_INT32 and not re.fullmatch("-?[0-9]{1,10}", text):
            raise ValueError
        else:
            setattr(message, field.name, int(text) if field.cpp_type == field.CPPTYPE_INT32 else text)
    except (ValueError, TypeError) as thrown:
        raise bad_field(path, f"cannot be {json_of(text).decode()}", "json") from thrown


async def body_of(request: Request) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_REQUEST_BYTES:
            raise HTTPException(413, "the request is too large")
    return bytes(body)


class Operation:
    """A method with its HTTP rule."""

    def __init__(self, method: Method) -> None:
        descriptor = method.descriptor
        rule = descriptor.GetOptions().Extensions[annotations_pb2.http]
        self.verb = rule.WhichOneof("pattern").upper()
        self.path = getattr(rule, self.verb.lower())
        self.body = rule.body
        self.variables = re.findall(r"{([^}]+)}", self.path)
        self.creates = descriptor.name.startswith("Create")
        self.input = message_factory.GetMessageClass(descriptor.input_type)
        self.call = method.call

    async def message_in(self, request: Request) -> Any:
        message = self.input()
        body = await body_of(request)
        if self.body != "" and body != b"":
            if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
                raise Failure("INVALID_ARGUMENT", "the body must be application/json")
            inner = message if self.body == "*" else getattr(message, self.body)
            inner.SetInParent()
            try:
                json_format.Parse(body, inner, max_recursion_depth=MAX_NESTING)
            except (json_format.ParseError, ValueError) as thrown:
                raise Failure("INVALID_ARGUMENT", f"the body is not valid: {thrown}") from thrown
        for path, text in zip(self.variables, request.path_params.values()):
            set_field(message, path, text)
        self.read_query(message, request.scope["query_string"].decode("latin-1"))
        return message

    def read_query(self, message: Any, query: str) -> None:
        try:
            given = parse_qsl(query, keep_blank_values=True, errors="strict")
        except ValueError as thrown:
            raise Failure("INVALID_ARGUMENT", f"the query is not valid: {thrown}") from thrown
        names = [name for name, _ in given]
        elsewhere = {self.body, *(path.partition(".")[0] for path in self.variables)}
        for name, text in given:
            if self.body == "*" or "." in name or name in elsewhere:
                raise bad_field(name, "there is no such query parameter", "json")
            if names.count(name) > 1:
                raise bad_field(name, "given more than once", "json")
            set_field(message, name, text)

    async def answer(self, request: Request) -> Response:
        try:
            answer = self.call(await self.message_in(request))
        except Failure as failure:
            return problem(failure)
        if answer.DESCRIPTOR.full_name == "google.protobuf.Empty":
            return Response(status_code=204)
        text = json_of(json_format.MessageToDict(answer))
        if self.creates:
            return Response(text, 201, {"location": f"{self.path}/{answer.id}"}, "application/json")
        return Response(text, media_type="application/json")


async def refused(_request: Request, thrown: Exception) -> Response:
    """What the router, or the limit of a body, refuses."""
    assert isinstance(thrown, HTTPException)
    code = "RESOURCE_EXHAUSTED" if thrown.status_code == 413 else "UNIMPLEMENTED"
    return problem(Failure(code, thrown.detail), thrown.status_code, thrown.headers)


def rest_app(offered: list[Method]) -> Starlette:
    by_path: dict[str, dict[str, Operation]] = {}
    for method in offered:
        operation = Operation(method)
        # The router's variables have names of Python, without dots.
        by_path.setdefault(operation.path.replace(".", "_"), {})[operation.verb] = operation

    def route(path: str, operations: dict[str, Operation]) -> Route:
        async def endpoint(request: Request) -> Response:
            return await operations["GET" if request.method == "HEAD" else request.method].answer(request)

        return Route(path, endpoint, methods=list(operations))

    # A variable also matches a custom verb such as ":changeId", so paths with one come first.
    ordered = sorted(by_path.items(), key=lambda one: ":" not in one[0])
    return Starlette(routes=[route(*one) for one in ordered], exception_handlers={HTTPException: refused})
