// Masks name fields: all of them, some, or one that is not there.
import { create } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { CustomerSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { copyFields, maskedFields } from "../src/customer.ts";

const names = CustomerSchema.fields.map(({ name }) => name);
const masked = (...paths: string[]) =>
  maskedFields(CustomerSchema, create(FieldMaskSchema, { paths }), "read_mask").map(({ name }) => name);

it("names each field once, in the order of the message", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...names)), (paths) => {
      expect(masked(...paths)).toEqual(names.filter((name) => paths.includes(name)));
    }),
  );
});

it("names all fields by a star alone", () => {
  expect(masked("*")).toEqual(names);
  expect(() => masked("*", "name")).toThrow('read_mask: Customer has no field "*"');
});

it("is refused with one violation for each path that is no field", () => {
  expect(() => masked("name", "shoe_size", "phoneNumber")).toThrow(
    expect.objectContaining({
      code: "INVALID_ARGUMENT",
      details: expect.objectContaining({
        violations: [
          { field: "read_mask", reason: "field_mask", description: 'Customer has no field "shoe_size"' },
          { field: "read_mask", reason: "field_mask", description: 'Customer has no field "phoneNumber"' },
        ],
      }) as unknown,
    }),
  );
});

it("copies the fields that it names, empty ones included, and leaves the others", () => {
  const from = create(CustomerSchema, { id: 1, name: "Ada", mail: "" });
  const to = create(CustomerSchema, { id: 2, name: "Eve", mail: "eve@example.com", phoneNumber: "1" });
  const fields = CustomerSchema.fields.filter(({ name }) => ["name", "mail"].includes(name));
  copyFields(CustomerSchema, fields, from, to);
  expect(to).toEqual(create(CustomerSchema, { id: 2, name: "Ada", mail: "", phoneNumber: "1" }));
});
