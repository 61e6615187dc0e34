"""The services of the contract: hello, and customers in memory. gRPC and REST serve the same functions."""

import base64
import functools
import logging
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from buf.validate import validate_pb2
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.empty_pb2 import Empty
from google.rpc import code_pb2, error_details_pb2, status_pb2
from roundtrip.v1 import customer_pb2, hello_pb2
from roundtrip.v1.customer_pb2 import Customer

BadRequest = error_details_pb2.BadRequest
Violation = BadRequest.FieldViolation

DEFAULT_PAGE_SIZE = 50
MAX_PAGE_SIZE = 1_000
MAX_CUSTOMERS = 100_000
SEEDED_CUSTOMERS = 1_000


class Failure(Exception):
    """An error for the caller, with a code of google.rpc."""

    def __init__(self, code: str, message: str, detail: Any = None) -> None:
        super().__init__(message)
        self.status = status_pb2.Status(code=code_pb2.Code.Value(code), message=message)
        if detail is not None:
            packed = AnyMessage()
            packed.Pack(detail)
            self.status.details.append(packed)


def invalid(violations: list[Violation]) -> Failure:
    message = f"{violations[0].field}: {violations[0].description}"
    more = f" (and {len(violations) - 1} more)" if len(violations) > 1 else ""
    return Failure("INVALID_ARGUMENT", message + more, BadRequest(field_violations=violations))


def bad_field(field: str, description: str, reason: str) -> Failure:
    return invalid([Violation(field=field, description=description, reason=reason)])


# Each kind of rule that hello and customers have: its name, its description, and whether a value follows it.
RULES: list[tuple[str, str, Callable[[Any, Any], bool]]] = [
    ("int32.gt", "must be greater than {}", lambda value, limit: value > limit),
    ("int32.gte", "must be greater than or equal to {}", lambda value, limit: value >= limit),
    ("string.min_len", "must be at least {} characters", lambda text, limit: len(text) >= limit),
    ("string.max_len", "must be at most {} characters", lambda text, limit: len(text) <= limit),
    # Without its own ends: Python's $ also matches before a line break at the end.
    ("string.pattern", "does not match regex pattern `{}`", lambda text, pattern: bool(re.fullmatch(pattern[1:-1], text))),
]


@functools.cache
def ruled_fields(message: Any) -> list[tuple[Any, bool, list[Any]]]:
    """The fields of a message with whether they are required, and their rules with a limit each."""
    found = []
    for field in message.fields:
        options = field.GetOptions().Extensions[validate_pb2.field]
        rules = []
        for rule in RULES:
            kind, name = rule[0].split(".")
            of_kind = getattr(options, kind)
            if of_kind.HasField(name):
                rules.append((*rule, getattr(of_kind, name)))
        found.append((field, options.required, rules))
    return found


def broken(message: Any, path: str = "") -> Iterator[Violation]:
    """The rules of the contract (buf.validate) that a request breaks."""
    for field, required, rules in ruled_fields(message.DESCRIPTOR):
        name = path + field.name
        if field.has_presence and not message.HasField(field.name):
            if required:
                yield Violation(field=name, description="value is required", reason="required")
            continue
        value = getattr(message, field.name)
        for reason, description, follows, limit in rules:
            if not follows(value, limit):
                yield Violation(field=name, description=description.format(limit), reason=reason)
        if field.message_type is not None:
            yield from broken(value, f"{name}.")


def customer_failure(code: str, reason: str, message: str, id_: int) -> Failure:
    info = error_details_pb2.ErrorInfo(reason=reason, domain="roundtrip.dev", metadata={"id": str(id_)})
    return Failure(code, message, info)


def seeded_customers() -> Iterator[Customer]:
    """Those of packages/service/src/customer-store.ts."""
    yield Customer(
        id=1,
        name="Wilhelmina van der Bergh-Oosterhuizen.",
        address="Prins Hendrikkade 33-III, 1012 TM Amsterdam, Noord-Holland",
        vat_identification_number="NL12345",
        mail="wil@example.co.nl",
        phone_number="+31 20 5550123",
    )
    for id_ in range(2, SEEDED_CUSTOMERS + 1):
        yield Customer(
            id=id_,
            name=f"Customer number {id_}",
            address=f"{id_} High Street, Exampletown",
            vat_identification_number=f"GB{id_:05}",
            mail=f"customer{id_}@example.com",
            phone_number=f"+44 20 {7_000_000 + id_}",
        )


def page_token(id_: int) -> str:
    return base64.urlsafe_b64encode(f"after:{id_}".encode()).decode().rstrip("=")


def id_before(token: str) -> int:
    """The id after which a page starts; 0 for the first."""
    if token == "":
        return 0
    try:
        text = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode()
        id_ = int(text.removeprefix("after:"))
    except ValueError:
        id_ = 0
    # Another spelling of the same id is not a token either.
    if id_ < 1 or page_token(id_) != token:
        raise bad_field("page_token", "not a token of this service", "page_token")
    return id_


def masked(paths: list[str], mask: str) -> list[str]:
    """The fields that a mask names; "*" alone names all."""
    known = [field.name for field in Customer.DESCRIPTOR.fields]
    if paths == ["*"]:
        return known
    unknown = [path for path in paths if path not in known]
    if unknown:
        why = (f'Customer has no field "{path}"' for path in unknown)
        raise invalid([Violation(field=mask, description=text, reason="field_mask") for text in why])
    return paths


class HelloService:
    def SayHello(self, request: Any) -> Any:
        return hello_pb2.SayHelloResponse(message=f"Hello, {request.name}!")


class CustomerService:
    def __init__(self) -> None:
        self.by_id = {customer.id: customer for customer in seeded_customers()}
        # Sorted ids; empty after one was added or removed.
        self.ascending: list[int] = []

    def found(self, id_: int) -> Customer:
        customer = self.by_id.get(id_)
        if customer is None:
            raise customer_failure("NOT_FOUND", "CUSTOMER_NOT_FOUND", f"there is no customer {id_}", id_)
        return customer

    def require_free(self, id_: int) -> None:
        if id_ in self.by_id:
            raise customer_failure("ALREADY_EXISTS", "CUSTOMER_EXISTS", f"customer {id_} already exists", id_)

    def GetCustomer(self, request: Any) -> Any:
        # An invalid mask is an error for missing customers too.
        fields = masked(list(request.read_mask.paths), "read_mask")
        customer = self.found(request.id)
        return Customer(**{name: getattr(customer, name) for name in fields}) if fields else customer

    def ListCustomers(self, request: Any) -> Any:
        after = id_before(request.page_token)
        size = min(request.page_size or DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
        self.ascending = self.ascending or sorted(self.by_id)
        first = bisect_right(self.ascending, after)
        ids = self.ascending[first : first + size]
        token = page_token(ids[-1]) if first + size < len(self.ascending) else ""
        return customer_pb2.ListCustomersResponse(customers=[self.by_id[id_] for id_ in ids], next_page_token=token)

    def CreateCustomer(self, request: Any) -> Any:
        self.require_free(request.customer.id)
        if len(self.by_id) >= MAX_CUSTOMERS:
            raise Failure("RESOURCE_EXHAUSTED", f"the store is full: it has the maximum of {MAX_CUSTOMERS} customers")
        self.by_id[request.customer.id] = request.customer
        self.ascending = []
        return request.customer

    def UpdateCustomer(self, request: Any) -> Any:
        given = request.customer
        # Without a mask, a write changes the attributes that are not empty (AIP-134).
        fields = masked(list(request.update_mask.paths), "update_mask") or [field.name for field, _ in given.ListFields()]
        customer = self.found(given.id)
        for name in fields:
            setattr(customer, name, getattr(given, name))
        return customer

    def DeleteCustomer(self, request: Any) -> Any:
        self.found(request.id)
        del self.by_id[request.id]
        self.ascending = []
        return Empty()

    def SetCustomerId(self, request: Any) -> Any:
        customer = self.found(request.id)
        if request.new_id != request.id:
            self.require_free(request.new_id)
            self.by_id[request.new_id] = self.by_id.pop(request.id)
            customer.id = request.new_id
            self.ascending = []
        return customer_pb2.SetCustomerIdResponse(id=request.new_id)

    def __getattr__(self, method: str) -> Callable[[Any], Any]:
        """Getters and setters of single attributes, such as GetCustomerPhoneNumber."""
        verb, words = re.fullmatch(r"(Get|Set)Customer(\w+)", method).groups()
        attribute = re.sub(r"(?<!^)([A-Z])", r"_\1", words).lower()
        answer = getattr(customer_pb2, f"{method}Response")

        def get(request: Any) -> Any:
            return answer(**{attribute: getattr(self.found(request.id), attribute)})

        def put(request: Any) -> Any:
            value = getattr(request, attribute)
            setattr(self.found(request.id), attribute, value)
            return answer(**{attribute: value})

        return get if verb == "Get" else put


@dataclass
class Method:
    """A method of a service. `call` checks requests first; its errors are all Failures."""

    descriptor: Any
    handle: Callable[[Any], Any]

    def call(self, request: Any) -> Any:
        try:
            if violations := list(broken(request)):
                raise invalid(violations)
            return self.handle(request)
        except Failure:
            raise
        except Exception as thrown:
            logging.exception("a method failed")
            raise Failure("INTERNAL", "internal error") from thrown


def methods() -> list[Method]:
    """The methods of new services."""
    services = [(hello_pb2, HelloService()), (customer_pb2, CustomerService())]
    return [
        Method(descriptor, getattr(service, descriptor.name))
        for module, service in services
        for descriptor in module.DESCRIPTOR.services_by_name[type(service).__name__].methods
    ]
