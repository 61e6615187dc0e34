// Totals are those of their lines, made up or created, where the names of a contract say so.
import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { type Call, callsTo } from "../support/calls-to.ts";
import { list } from "../resources/library.ts";

/** Orders with these fields beside their lines, whose fields are these. */
function orders(fields: string, line: string): Call {
  return callsTo(
    compileContract(`
syntax = "proto3";
package acme.shop.v1;
import "buf/validate/validate.proto";
import "google/api/field_behavior.proto";
service Orders {
  rpc GetOrder(GetOrderRequest) returns (Order);
  rpc ListOrders(ListOrdersRequest) returns (ListOrdersResponse);
  rpc CreateOrder(CreateOrderRequest) returns (Order);
  rpc UpdateOrder(CreateOrderRequest) returns (Order);
}
message Order { string id = 1; repeated Line lines = 2; ${fields} }
message Line { ${line} }
message GetOrderRequest { string id = 1; }
message ListOrdersRequest { int32 page_size = 1; }
message ListOrdersResponse { repeated Order orders = 1; }
message CreateOrderRequest { Order order = 1; }
`),
  );
}

const integers = "int32 quantity = 1; int32 unit_price = 2;";
const outputOnly = "[(google.api.field_behavior) = OUTPUT_ONLY]";
const cents = [
  { quantity: 2, unitPrice: 500 },
  { quantity: 1, unitPrice: 50 },
];

describe("a created resource has the totals of its lines", () => {
  it.each([
    [
      "net, tax and gross",
      "int32 net_total = 3; int32 tax_total = 4; int32 gross_total = 5;",
      integers,
      cents,
      { netTotal: 1_050, taxTotal: 200, grossTotal: 1_250 },
    ],
    [
      "subtotal, vat and total",
      "int32 subtotal = 3; int32 vat_amount = 4; int32 total = 5;",
      integers,
      cents,
      { subtotal: 1_050, vatAmount: 200, total: 1_250 },
    ],
    [
      "a gross of net and tax in fractions",
      "double net_total = 3; double tax_total = 4; double gross_total = 5;",
      "uint32 qty = 1; double price = 2;",
      [{ qty: 3, price: 0.02 }],
      { netTotal: 0.06, taxTotal: 0.01, grossTotal: 0.07 },
    ],
    [
      "a gross with the tax that its caller sends",
      "int32 net_total = 3; int32 tax_total = 4; int32 gross_total = 5;",
      integers,
      cents,
      { netTotal: 1_050, taxTotal: 74, grossTotal: 1_124 },
      { taxTotal: 74 },
    ],
    ["a total without tax", "int64 total_amount = 3;", integers, cents, { totalAmount: "1050" }],
    ["fractions", "double total = 3;", "uint32 qty = 1; double price = 2;", [{ qty: 3, price: 0.1 }], { total: 0.3 }],
    [
      "units that match",
      "int64 total_cents = 3; string total = 4;",
      "int64 qty = 1; int64 price_cents = 2;",
      [{ qty: "3", priceCents: "7" }],
      { totalCents: "21" },
    ],
    [
      "units that match in camel case",
      "int64 totalCents = 3;",
      "int64 qty = 1; int64 priceCents = 2;",
      [{ qty: "3", priceCents: "7" }],
      { totalCents: "21" },
    ],
    [
      "no units that differ",
      "int64 total_cents = 3; double total = 4;",
      "int32 quantity = 1; int32 price = 2;",
      [{ quantity: 1, price: 7 }],
      {},
    ],
    ["no tax rates and ids", "int32 tax_rate = 3; int32 vat_id = 4; int32 net_weight = 5;", integers, cents, {}],
    ["nothing of two lists", "repeated Line returned = 3; int32 total = 4;", integers, cents, {}],
    ["nothing that rules forbid", "int32 total = 3 [(buf.validate.field).int32.lt = 1000];", integers, cents, {}],
    ["what its caller sends", "int32 total = 3;", integers, cents, { total: 9 }, { total: 9 }],
    ["what only the service sets", `int32 total = 3 ${outputOnly};`, integers, cents, { total: 1_050 }, { total: 9 }],
  ] as const)("%s", async (_what, fields, line, lines, expected, sent: JsonObject = {}) => {
    const order = { lines: lines.map((each) => ({ ...each })), ...sent };
    const { id, lines: kept, ...totals } = await orders(fields, line)("CreateOrder", { order });
    expect([kept, totals]).toEqual([order.lines, expected]);
    expect(id).toMatch(/./);
  });

  it("and new ones when its lines change", async () => {
    const call = orders(`int32 total = 3 ${outputOnly};`, integers);
    const { id = "" } = await call("CreateOrder", { order: { lines: cents } });
    expect(await call("UpdateOrder", { order: { id, lines: cents.slice(1) } })).toMatchObject({ total: 50 });
  });
});

it("made-up resources have the totals of their lines, and lines those of their prices", async () => {
  const call = orders(
    "int32 net_total = 3; int32 tax_total = 4; int32 gross_total = 5;",
    `${integers} int32 line_total = 3;`,
  );
  const found = list((await call("ListOrders"))["orders"]);
  expect(found.length).toBeGreaterThan(10);
  for (const { lines, netTotal = 0, taxTotal = 0, grossTotal } of found) {
    let sum = 0;
    for (const line of list(lines)) {
      const { quantity = 0, unitPrice = 0, lineTotal = 0 } = line as Readonly<Record<string, number>>;
      expect(lineTotal).toBe(quantity * unitPrice);
      sum += lineTotal;
    }
    expect([netTotal, grossTotal]).toEqual([sum, (netTotal as number) + (taxTotal as number)]);
  }
});
