// The common part of the hand-written servers: the customers, and the rules of the contract as a specialist writes them, one `if` each. They answer
// only the two timed operations, which keeps dispatch minimal.
import { create } from "@bufbuild/protobuf";
import { CallError, type FieldViolation } from "@roundtrip/contract";
import { type Customer, CustomerSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { seedCustomers } from "@roundtrip/service";

const byId = new Map<number, Readonly<Customer>>(seedCustomers().map((customer) => [customer.id, customer]));

/** The error for a broken rule. */
export function invalid(field: string, description: string, reason: string): CallError {
  const violations: FieldViolation[] = [{ field, description, reason }];
  return new CallError("INVALID_ARGUMENT", `${field}: ${description}`, { violations });
}

/** The greeting for a name. Throws INVALID_ARGUMENT. */
export function greetingOf(name: string): string {
  const { length } = name;
  if (length === 0) throw invalid("name", "must be at least 1 characters", "string.min_len");
  // The rule counts characters, of which there are never more than UTF-16 units.
  if (length > 200 && Array.from(name).length > 200) {
    throw invalid("name", "must be at most 200 characters", "string.max_len");
  }
  return `Hello, ${name}!`;
}

/** Throws INVALID_ARGUMENT for an id that no customer can have. */
export function checkId(id: number): void {
  if (id <= 0) throw invalid("id", "must be greater than 0", "int32.gt");
}

/** Throws NOT_FOUND. */
export function customerOf(id: number): Readonly<Customer> {
  const customer = byId.get(id);
  if (customer === undefined) {
    throw new CallError("NOT_FOUND", `there is no customer ${id}`, {
      reason: "CUSTOMER_NOT_FOUND",
      domain: "roundtrip.dev",
      metadata: { id: String(id) },
    });
  }
  return customer;
}

/** The error for paths that are not attributes. `mask` is the name of the read mask in the style; paths are in the spelling of the caller. */
export function unknownPaths(mask: "read_mask" | "readMask", paths: readonly string[]): CallError {
  const violations = paths.map((path) => {
    return { field: mask, description: `Customer has no field "${path}"`, reason: "field_mask" };
  });
  return new CallError("INVALID_ARGUMENT", `${mask}: ${violations[0]?.description ?? ""}`, { violations });
}

const attributes = new Set(["id", "name", "address", "vat_identification_number", "mail", "phone_number"]);

/** Throws INVALID_ARGUMENT for paths that are not attributes, in the spelling of the contract. */
function checkPaths(paths: readonly string[]): void {
  const unknown = paths.filter((path) => !attributes.has(path));
  if (unknown.length > 0) throw unknownPaths("read_mask", unknown);
}

/** A copy with the attributes that the paths name. */
function masked(customer: Customer, paths: readonly string[]): Customer {
  const copy = create(CustomerSchema);
  for (const path of paths) {
    switch (path) {
      case "id":
        copy.id = customer.id;
        break;
      case "name":
        copy.name = customer.name;
        break;
      case "address":
        copy.address = customer.address;
        break;
      case "vat_identification_number":
        copy.vatIdentificationNumber = customer.vatIdentificationNumber;
        break;
      case "mail":
        copy.mail = customer.mail;
        break;
      case "phone_number":
        copy.phoneNumber = customer.phoneNumber;
        break;
    }
  }
  return copy;
}

/** A customer with the attributes that the paths name: all without paths. Throws INVALID_ARGUMENT and NOT_FOUND. */
export function customerWith(id: number, paths: readonly string[] = []): Customer {
  if (paths.length === 0 || (paths.length === 1 && paths[0] === "*")) return customerOf(id);
  checkPaths(paths);
  return masked(customerOf(id), paths);
}

/** The error for a deadline that had passed before the call was processed. */
export function deadlineExceeded(): CallError {
  return new CallError("DEADLINE_EXCEEDED", "deadline exceeded");
}
