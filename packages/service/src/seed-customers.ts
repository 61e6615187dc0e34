// The customers that a server starts with. Customer 1 has attributes of the exact lengths of the 2010 study.
import { create } from "@bufbuild/protobuf";
import { CustomerSchema, type Customer } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";

const first = create(CustomerSchema, {
  id: 1,
  name: "Wilhelmina van der Bergh-Oosterhuizen.", // 38 characters
  address: "Prins Hendrikkade 33-III, 1012 TM Amsterdam, Noord-Holland", // 58
  vatIdentificationNumber: "NL12345", // 7
  mail: "wil@example.co.nl", // 17
  phoneNumber: "+31 20 5550123", // 14
});

/** Customer 2 onwards differ in every attribute, so that a mixed-up answer shows. */
function another(id: number): Customer {
  return create(CustomerSchema, {
    id,
    name: `Customer number ${id}`,
    address: `${id} High Street, Exampletown`,
    vatIdentificationNumber: `GB${String(id).padStart(5, "0")}`,
    mail: `customer${id}@example.com`,
    phoneNumber: `+44 20 ${String(7_000_000 + id)}`,
  });
}

/** Customers 1 to `count`, always the same. */
export function seedCustomers(count = 120): readonly Customer[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? first : another(index + 1)));
}
