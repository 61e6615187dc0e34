"""Calls a SOAP server with zeep, which knows the contract only from the server's WSDL.

Takes the address of the SOAP endpoint, and that of the same service over REST, whose answers are compared; without the latter, the
server has the conformance contract, whose operations give back what they are given. Every answer is validated against the schemas
of the WSDL by xmlschema. Prints one JSON object a line for each check: id, about, ok, and what was said when it is not ok. Ends
with 0 whenever it ran to its end, whatever the checks found.
"""

import base64
import datetime
import decimal
import json
import math
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import requests
import xmlschema
import zeep
import zeep.exceptions
import zeep.helpers
import zeep.plugins
from lxml import etree

TIMEOUT_S = 10
XS = "{http://www.w3.org/2001/XMLSchema}"
ERROR = "{urn:roundtrip:error}Error"
VERSIONS = {"soap11": "http://schemas.xmlsoap.org/soap/envelope/", "soap12": "http://www.w3.org/2003/05/soap-envelope"}

Check = Callable[["Server", str], None]
CHECKS: list[tuple[str, str, str, Check]] = []


def check(contract: str, id_: str, about: str) -> Callable[[Check], Check]:
    """Registers a check of servers of a contract, made over each version of SOAP."""

    def register(function: Check) -> Check:
        CHECKS.append((contract, id_, about, function))
        return function

    return register


def plain(value: Any) -> Any:
    """A value as both zeep and REST can have it: without absent members and empty lists."""
    if isinstance(value, dict):
        found = {name: plain(inner) for name, inner in value.items()}
        return {name: inner for name, inner in found.items() if inner is not None and inner != []}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, decimal.Decimal):
        return float(value)
    return value


def snake(value: Any) -> Any:
    """JSON with the names of the contract."""
    if isinstance(value, dict):
        return {re.sub("([A-Z])", lambda found: "_" + found[0].lower(), name): snake(inner) for name, inner in value.items()}
    return [snake(inner) for inner in value] if isinstance(value, list) else value


def same(one: Any, other: Any) -> bool:
    """Equality under which not-a-number equals itself, and -0 is not 0."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isnan(one) and math.isnan(other) or (one == other and math.copysign(1, one) == math.copysign(1, other))
    return bool(one == other)


def expect_same(got: Any, wanted: Any) -> None:
    if not same(got, wanted):
        raise AssertionError(f"got {got!r}, not {wanted!r}")


class Schemas:
    """The schemas in a WSDL document, by an implementation other than zeep's."""

    def __init__(self, wsdl: bytes) -> None:
        # The document has a folder of its own: schemas refer to each other by namespace only.
        with tempfile.TemporaryDirectory() as folder:
            found = etree.fromstring(wsdl).iter(f"{XS}schema")
            files = {}
            for index, schema in enumerate(found):
                path = Path(folder) / f"{index}.xsd"
                path.write_bytes(etree.tostring(schema))
                files[schema.get("targetNamespace")] = str(path)
            self.files = list(files)
            self.schemas = {name: xmlschema.XMLSchema(path, locations=files) for name, path in files.items()}

    def validate(self, element: Any) -> None:
        """Raises for an element that is not of its schema."""
        self.schemas[etree.QName(element).namespace].validate(element)


class Server:
    """A server, as its WSDL describes it."""

    def __init__(self, url: str, rest: str | None) -> None:
        self.rest = rest
        self.address = f"{url}?wsdl"
        self.history = zeep.plugins.HistoryPlugin()
        self.client = zeep.Client(self.address, plugins=[self.history])
        self.client.transport.operation_timeout = TIMEOUT_S
        wsdl = requests.get(self.address, timeout=TIMEOUT_S)
        wsdl.raise_for_status()
        self.schemas = Schemas(wsdl.content)
        self.called: set[str] = set()

    def call(self, version: str, name: str, /, **request: Any) -> Any:
        """Calls `package.Service.Operation`, and validates what is sent and received."""
        service, operation = name.rsplit(".", 1)
        self.called.add(name)
        port = self.client.bind(service, f"{service}.{version}")
        answer = port[operation](**request)
        for envelope in (self.history.last_sent["envelope"], self.history.last_received["envelope"]):
            [body] = envelope.findall(f"{{{VERSIONS[version]}}}Body")
            self.schemas.validate(body[0])
        return plain(zeep.helpers.serialize_object(answer, dict)) if answer is not None else {}

    def operations(self) -> set[str]:
        services = self.client.wsdl.services.values()
        ports = [port for service in services for port in service.ports.values()]
        return {f"{port.binding.port_type.name.localname}.{name}" for port in ports for name in port.binding.port_type.operations}

    def over_rest(self, method: str, path: str, body: Any = None) -> Any:
        answer = requests.request(method, f"{self.rest}{path}", json=body, timeout=TIMEOUT_S)
        answer.raise_for_status()
        return snake(answer.json()) if answer.content else {}


CUSTOMERS = "roundtrip.v1.CustomerService"
ATTRIBUTES = ["name", "address", "vat_identification_number", "mail", "phone_number"]


def camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def lower_camel(name: str) -> str:
    return camel(name)[0].lower() + camel(name)[1:]


def customer(id_: int) -> dict[str, Any]:
    text = f"<&> \"é\" \U0001d518 {id_}"
    return {
        "id": id_,
        "name": f"name {text}",
        "address": f"1 Road\n{text}",
        "vat_identification_number": f"DE{id_}",
        "mail": f"ada{id_}@example.org",
        "phone_number": f"+49 30 {id_}",
    }


@check("roundtrip", "hello", "a greeting is the same as over REST, also of a name with markup and line breaks")
def hello(server: Server, version: str) -> None:
    for name in ["Ada", "<a b='c'>&amp;]]>", "tab\tline\nreturn\r.", "  spaces  ", "é \U0001d518"]:
        wanted = server.over_rest("GET", f"/v1/hello?name={requests.utils.quote(name, safe='')}")
        # zeep gives a message of one element as the element's value.
        expect_same(server.call(version, "roundtrip.v1.HelloService.SayHello", name=name), wanted["message"])


@check("roundtrip", "customers", "customers are created, read, listed, updated and deleted as over REST")
def customers(server: Server, version: str) -> None:
    id_ = {"soap11": 900_001, "soap12": 900_002}[version]
    wanted = customer(id_)
    expect_same(server.call(version, f"{CUSTOMERS}.CreateCustomer", customer=wanted), wanted)
    expect_same(server.over_rest("GET", f"/v1/customers/{id_}"), wanted)
    expect_same(server.call(version, f"{CUSTOMERS}.GetCustomer", id=id_), wanted)
    masked = server.call(version, f"{CUSTOMERS}.GetCustomer", id=id_, read_mask={"paths": ["name", "mail"]})
    expect_same(masked, server.over_rest("GET", f"/v1/customers/{id_}?readMask=name,mail"))
    listed = server.call(version, f"{CUSTOMERS}.ListCustomers", page_size=3)
    expect_same(listed, server.over_rest("GET", "/v1/customers?pageSize=3"))
    changed = {"id": id_, "name": "changed"}
    update = server.call(version, f"{CUSTOMERS}.UpdateCustomer", customer=changed, update_mask={"paths": ["name"]})
    expect_same(update, {**wanted, "name": "changed"})
    expect_same(server.call(version, f"{CUSTOMERS}.SetCustomerId", id=id_, new_id=id_ + 10), id_ + 10)
    expect_same(server.call(version, f"{CUSTOMERS}.GetCustomerId", id=id_ + 10), id_ + 10)
    expect_same(server.call(version, f"{CUSTOMERS}.DeleteCustomer", id=id_ + 10), {})


@check("roundtrip", "attributes", "each attribute is read and written as over REST")
def attributes(server: Server, version: str) -> None:
    for name in ATTRIBUTES:
        path = f"/v1/customers/2/{name.replace('_', '-')}"
        member = lower_camel(name)
        written = customer(7 if version == "soap11" else 8)[name]
        other = customer(9)[name]
        expect_same(server.call(version, f"{CUSTOMERS}.SetCustomer{camel(name)}", id=2, **{name: written}), written)
        expect_same(server.over_rest("GET", path), {name: written})
        server.over_rest("PUT", path, {member: other})
        expect_same(server.call(version, f"{CUSTOMERS}.GetCustomer{camel(name)}", id=2), other)


@check("roundtrip", "payload", "text and bytes come back as they were sent")
def payload(server: Server, version: str) -> None:
    data = bytes(range(256)) * 64
    answer = server.call(version, "roundtrip.v1.PayloadService.Echo", text="é" * 1000, data=data)
    expect_same(answer, {"text": "é" * 1000, "data": base64.b64encode(data).decode()})


@check("roundtrip", "matrix", "a power of a matrix is the same as over REST, with times as durations")
def matrix(server: Server, version: str) -> None:
    request = {"matrix": {"size": 2, "elements": [0.1, 1e-300, -2.5, 1.0]}, "exponent": 3}
    wanted = server.over_rest("POST", "/v1/matrices:power", request)["power"]
    answer = server.call(version, "roundtrip.v1.MatrixService.Power", **request)
    expect_same(answer["power"], wanted)
    for name in ["queue_time", "service_time"]:
        if not isinstance(answer.get(name, datetime.timedelta()), datetime.timedelta):
            raise AssertionError(f"{name} is {answer[name]!r}, not a duration")


@check("roundtrip", "not-found", "a missing customer is a fault whose detail is of its schema")
def not_found(server: Server, version: str) -> None:
    error = fault_of(server, version, f"{CUSTOMERS}.GetCustomer", id=123_456)
    expect_same(error.findtext("code"), "NOT_FOUND")


@check("roundtrip", "violations", "an invalid request is a fault that names the field")
def violations(server: Server, version: str) -> None:
    error = fault_of(server, version, f"{CUSTOMERS}.SetCustomerName", id=-1, name="x")
    expect_same(error.findtext("code"), "INVALID_ARGUMENT")
    expect_same([field.text for field in error.findall("violations/field")], ["id"])


@check("roundtrip", "every-operation", "every operation of the WSDL has been called")
def every_operation(server: Server, _version: str) -> None:
    expect_same(sorted(server.operations() - server.called), [])


def fault_of(server: Server, version: str, name: str, /, **request: Any) -> Any:
    """The typed detail of the fault that a call must end with."""
    try:
        server.call(version, name, **request)
    except zeep.exceptions.Fault as fault:
        detail = fault.detail if fault.detail is not None else etree.Element("none")
        [error] = detail.iter(ERROR)
        server.schemas.validate(error)
        return error
    raise AssertionError("the call succeeds")


ECHO = "roundtrip.conformance.v1.ConformanceService.Echo"
UTC = datetime.timezone.utc


def expect_echo(server: Server, version: str, **values: Any) -> None:
    """What is sent comes back. zeep gives a message of one element as the element's value."""
    expect_same(server.call(version, ECHO, values=values), plain(values))


@check("conformance", "scalars", "scalars are kept, from the least to the greatest")
def scalars(server: Server, version: str) -> None:
    expect_echo(
        server,
        version,
        scalars={
            "double_value": 0.1 + 0.2,
            "float_value": 16_777_216.0,
            "int32_value": -(2**31),
            "int64_value": -(2**63),
            "uint32_value": 2**32 - 1,
            "uint64_value": 2**64 - 1,
            "sint32_value": 2**31 - 1,
            "sint64_value": 2**63 - 1,
            "fixed32_value": 1,
            "fixed64_value": 2**53 + 1,
            "sfixed32_value": -1,
            "sfixed64_value": -1,
            "bool_value": True,
            "string_value": " é \U0001d518 \t<&>",
            "bytes_value": bytes(range(256)),
            "colour": "COLOUR_INFRA_RED",
        },
    )
    # Infinity and not-a-number are not sent: zeep writes them as Python does, and not as XML Schema does.
    expect_echo(server, version, scalars={"double_value": -0.0, "float_value": -0.0})


@check("conformance", "presence", "zero and empty values are present, and absent ones absent")
def presence(server: Server, version: str) -> None:
    expect_echo(server, version, presence={"number": 0, "fraction": 0.0, "flag": False, "colour": "COLOUR_UNSPECIFIED"})
    expect_same(server.call(version, ECHO, values={"presence": {"flag": False}}), {"presence": {"flag": False}})


@check("conformance", "lists", "lists are kept in their order")
def lists(server: Server, version: str) -> None:
    expect_echo(
        server,
        version,
        lists={
            "numbers": [3, 0, -1],
            "large_numbers": [2**62],
            "fractions": [0.5, -0.0],
            "flags": [True, False],
            "texts": ["b", "a"],
            "datas": [b"\x00", b"\xff"],
            "colours": ["COLOUR_RED", "COLOUR_GREEN"],
            "trees": [{"label": "a"}, {"label": "b"}],
            "wrapped_texts": ["x", "y"],
        },
    )


@check("conformance", "maps", "maps are lists of entries")
def maps(server: Server, version: str) -> None:
    expect_echo(
        server,
        version,
        maps={
            "text_by_text": [{"key": "a", "value": "b"}, {"key": "__proto__", "value": "c"}],
            "large_number_by_number": [{"key": -1, "value": 2**40}],
            "colour_by_large_number": [{"key": 2**60, "value": "COLOUR_RED"}],
            "data_by_large_number": [{"key": 1, "value": b"\x00\x01"}],
            "fraction_by_flag": [{"key": True, "value": 0.5}],
            "tree_by_text": [{"key": "t", "value": {"label": "oak"}}],
            "duration_by_text": [{"key": "d", "value": datetime.timedelta(days=1, microseconds=1)}],
        },
    )


@check("conformance", "well-known", "times, durations, masks and wrappers are kept")
def well_known(server: Server, version: str) -> None:
    expect_echo(
        server,
        version,
        well_known={
            "time": datetime.datetime(2026, 1, 31, 12, 30, 15, 123_456, UTC),
            "duration": datetime.timedelta(hours=-36, microseconds=-1),
            "mask": {"paths": ["a.b_c", "d"]},
        },
    )
    offset = datetime.datetime(2026, 1, 1, 0, 30, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))
    answer = server.call(version, ECHO, values={"well_known": {"time": offset}})
    expect_same(answer["well_known"]["time"], offset)
    expect_echo(server, version, wrappers={"int64_value": 2**62, "bool_value": False, "string_value": "x"})


@check("conformance", "choices", "one member of a oneof is kept, and untyped values with it")
def choices(server: Server, version: str) -> None:
    expect_echo(server, version, well_known={"value": {"number_value": 1.5}})
    expect_echo(
        server,
        version,
        well_known={"struct": {"fields": [{"key": "a", "value": {"list_value": {"values": [{"string_value": "b"}]}}}]}},
    )


@check("conformance", "trees", "a recursive type is kept, fifty levels deep")
def trees(server: Server, version: str) -> None:
    tree: dict[str, Any] = {"label": "leaf"}
    for level in range(50):
        tree = {"label": str(level), "only": tree}
    expect_echo(server, version, tree=tree)


@check("conformance", "streams", "operations with streams are not in the WSDL")
def streams(server: Server, _version: str) -> None:
    names = {name.rsplit(".", 1)[1] for name in server.operations()}
    expect_same(sorted(names), ["Echo", "Look", "PutTree"])


def main() -> None:
    url, *rest = sys.argv[1:]
    server = Server(url, rest[0] if rest else None)
    contract = "roundtrip" if rest else "conformance"
    for wanted, id_, about, function in CHECKS:
        if wanted != contract:
            continue
        for version in VERSIONS:
            result: dict[str, Any] = {"id": f"{id_} {version}", "about": about, "ok": True}
            try:
                function(server, version)
            except Exception as thrown:  # noqa: BLE001 -- whatever a check meets is its finding
                result |= {"ok": False, "said": f"{type(thrown).__name__}: {thrown}"[:500]}
            print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
