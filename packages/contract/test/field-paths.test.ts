// Fields in errors travel in the style's spelling and arrive in the contract's.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CallError } from "../src/index.ts";
import { fieldPaths } from "../src/descriptors/field-names.ts";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";

const contract = compileContract(`
syntax = "proto3";
package shop.v1;
service Shop { rpc Buy(Order) returns (Order); }
message Order {
  int32 order_id = 1;
  repeated Line order_lines = 2;
  map<string, Line> by_name = 3;
  Order former_order = 4;
  string exactAsItIs = 5;
  oneof pay_by { string card_number = 6; }
}
message Line { string unit_price = 1; Tax tax = 2; }
message Tax { oneof exempt_by { int32 per_cent = 1; } }
`);
const { input } = contract.operation("shop.v1.Shop.Buy");
const flat = fieldPaths(input, ({ jsonName }) => jsonName);
const grouped = fieldPaths(
  input,
  ({ jsonName }) => jsonName,
  ({ localName }) => localName,
);
const { spelled, restored } = flat;

function failure(message: string, ...fields: readonly string[]): CallError {
  const violations = fields.map((field) => ({ field, description: "is wrong", reason: "wrong" }));
  return new CallError("INVALID_ARGUMENT", message, { violations });
}

function shown(error: CallError): readonly string[] {
  return [error.message, ...error.details.violations.map(({ field }) => field)];
}

describe("a field is spelled as the style does", () => {
  test.for([
    ["order_id", "orderId"],
    ["former_order.former_order.order_id", "formerOrder.formerOrder.orderId"],
    ["order_lines[12].unit_price", "orderLines[12].unitPrice"],
    ['by_name["a.b_c]\\"d"].unit_price', 'byName["a.b_c]\\"d"].unitPrice'],
    ["card_number", "cardNumber"],
    ["exactAsItIs", "exactAsItIs"],
  ] as const)("%s", ([field, style]) => {
    const error = failure(`${field}: is wrong`, field);
    expect(shown(spelled(error))).toEqual([`${style}: is wrong`, style]);
    expect(shown(restored(spelled(error)))).toEqual(shown(error));
  });
});

describe("where a style has a oneof as a field, its members stand behind that", () => {
  test.for([
    ["card_number", "payBy.cardNumber"],
    ["order_lines[3].tax.exempt_by", "orderLines[3].tax.exemptBy"],
    ["order_lines[3].tax.per_cent", "orderLines[3].tax.exemptBy.perCent"],
    ["former_order.card_number", "formerOrder.payBy.cardNumber"],
    ["pay_by", "payBy"],
    ["order_id", "orderId"],
  ] as const)("%s", ([field, style]) => {
    const error = failure(`${field}: is wrong`, field);
    expect(shown(grouped.spelled(error))).toEqual([`${style}: is wrong`, style]);
    expect(shown(grouped.restored(grouped.spelled(error)))).toEqual(shown(error));
  });

  test.for(["pay_by.card_number", "pay_by[0]", "payBy.cardNumber", "card_number.x"])(
    "what is no field of the request stays as it is: %s",
    (field) => {
      expect(shown(grouped.spelled(failure("is wrong", field)))).toEqual(["is wrong", field]);
    },
  );

  test.for(["cardNumber", "payBy.orderId", "payBy.payBy", "payBy[0].cardNumber", "payBy."])(
    "what is no field of the style stays as it is: %s",
    (field) => {
      expect(shown(grouped.restored(failure("is wrong", field)))).toEqual(["is wrong", field]);
    },
  );
});

test.for([
  "",
  "no_such",
  "order_id.no_such",
  "order_id.",
  ".order_id",
  "order_lines[x].unit_price",
  "pay_by",
  "order id",
])("what is no field of the request stays as it is: %j", (field) => {
  expect(shown(spelled(failure(`${field}: is wrong`, field)))).toEqual([`${field}: is wrong`, field]);
});

test("of the text only the first field is spelled, where it begins with that", () => {
  const error = failure("order_id and order_lines", "order_id", "order_lines");
  expect(shown(spelled(error))).toEqual(["order_id and order_lines", "orderId", "orderLines"]);
});

test.each([
  ["flat", flat],
  ["behind the names of oneofs", grouped],
])("every error about fields of the request comes back as it was: %s", (_where, style) => {
  const name = fc.constantFrom(
    "order_id",
    "order_lines[3]",
    'by_name["x"]',
    "former_order",
    "unit_price",
    "exactAsItIs",
    "card_number",
    "pay_by",
    "tax",
    "per_cent",
    "exempt_by",
  );
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("."));
  fc.assert(
    fc.property(fc.array(path, { maxLength: 3 }), fc.boolean(), (paths, isFirst) => {
      const error = failure(isFirst ? `${paths[0] ?? ""}: is wrong` : "is wrong", ...paths);
      expect(shown(style.restored(style.spelled(error)))).toEqual(shown(error));
    }),
  );
});

test("the paths of a mask are spelled as in JSON, in the texts about it too", () => {
  const description = 'Order has no field "ordr_id"; did you mean "order_id"?';
  const violations = [{ field: "update_mask", description, reason: "field_mask" }];
  const error = new CallError("INVALID_ARGUMENT", `update_mask: ${description}`, { violations });
  expect(spelled(error)).toMatchObject({
    message: 'update_mask: Order has no field "ordrId"; did you mean "orderId"?',
    details: { violations: [{ description: 'Order has no field "ordrId"; did you mean "orderId"?' }] },
  });
  expect(restored(spelled(error))).toMatchObject({ message: error.message, details: error.details });
});
