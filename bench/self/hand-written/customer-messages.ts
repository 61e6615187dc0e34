// What a specialist writes by hand for customers as generated messages: the paths of a mask, and a copy with them.
import { create } from "@bufbuild/protobuf";
import { CustomerSchema, type Customer } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { checkPaths, customerOf } from "./customers.ts";

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
