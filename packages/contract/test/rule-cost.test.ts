// Rules that would take long are not checked: nothing can interrupt the library that checks them, and others would wait.
import { create, type MessageInitShape, type DescMessage } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { requestRules } from "../src/calls/service-of.ts";
import { BatchGetInvoicesRequestSchema } from "../src/gen/roundtrip/v1/invoice_pb.ts";
import { PowerRequestSchema } from "../src/gen/roundtrip/v1/matrix_pb.ts";
import { builtInContract, CallError, type Contract, ownTurn } from "../src/index.ts";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";

const contract = compileContract(`
  edition = "2023";
  package costs;
  import "buf/validate/validate.proto";
  import "google/api/field_behavior.proto";
  import "google/protobuf/field_mask.proto";
  service Costs {
    rpc Ask(Request) returns (Request);
    rpc Need(Needs) returns (Needs);
  }
  message Request {
    option (buf.validate.message).cel = {id: "least", expression: "this.least <= size(this.free)"};
    int32 least = 1;
    repeated int32 free = 2;
    repeated string unique = 3 [(buf.validate.field).repeated.unique = true];
    repeated bytes unique_bytes = 4 [(buf.validate.field).repeated.unique = true];
    repeated Item unique_items = 5 [(buf.validate.field).repeated.unique = true];
    repeated int32 numbers = 6 [(buf.validate.field).repeated.items.int32.gt = 5];
    map<string, int32> map = 7 [(buf.validate.field).map.values.int32.gt = 5];
    string email = 8 [(buf.validate.field).string.email = true];
    string uri = 9 [(buf.validate.field).string.uri = true];
    string code = 10 [(buf.validate.field).string = {pattern: "^(a+)+$"}];
    string text = 11 [(buf.validate.field).string.max_len = 10000000];
    repeated Item items = 12;
    repeated Item pairs = 13 [(buf.validate.field).cel = {id: "pairs", expression: "this.all(a, this.all(b, a.size >= 0 || b.size >= 0))"}];
    repeated Item ids = 14 [(buf.validate.field).cel = {id: "ids", expression: "this.map(a, a.name).unique()"}];
    repeated Order orders = 15 [(buf.validate.field).cel = {id: "orders", expression: "this.all(o, o.items.all(i, i.size >= 0))"}];
    repeated Order open_orders = 16 [(buf.validate.field).cel = {id: "open", expression: "this.filter(o, o.size > 0).all(o, o.items.all(i, i.size >= 0))"}];
    string letters = 17 [(buf.validate.field).cel = {id: "letters", expression: "this.split('').all(a, this.split('').all(b, a + b != 'bb'))"}];
    repeated string matched = 18 [(buf.validate.field).repeated.items.cel = {id: "matched", expression: "this.matches('^a*$')"}];
    google.protobuf.FieldMask mask = 19 [(buf.validate.field).field_mask.in = "a"];
    repeated int32 few = 20 [(buf.validate.field).repeated = {items: {int32: {gt: 5}}, max_items: 100}];
    map<string, int32> few_pairs = 21 [(buf.validate.field).map = {values: {int32: {gt: 5}}, max_pairs: 100}];
    repeated int32 predefined = 23 [(buf.validate.field).repeated.(costs.Request.rising) = true];
    extend buf.validate.RepeatedRules {
      bool rising = 1002 [(buf.validate.predefined).cel = {id: "rising", expression: "this.all(a, this.exists(b, a <= b))"}];
    }
    repeated string joined = 24 [(buf.validate.field).cel = {id: "joined", expression: "this.join(',').matches('^.*$')"}];
    string few_letters = 22 [(buf.validate.field).string = {pattern: "^(a+)+$", max_len: 100}];
  }
  message Order { repeated Item items = 1; int32 size = 2; }
  message Item { int32 size = 1; string name = 2 [(buf.validate.field).string.max_len = 10]; }
  message Needs { repeated Need needs = 1; }
  message Need { string name = 1 [(google.api.field_behavior) = REQUIRED]; }
`);
const { input } = contract.operation("costs.Costs.Ask");

function errorOf(init: MessageInitShape<DescMessage>, schema = input, of: Contract = contract): CallError | undefined {
  try {
    requestRules(of)(schema, create(schema, init));
    return undefined;
  } catch (thrown) {
    if (thrown instanceof CallError) return thrown;
    throw thrown;
  }
}

function list<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}

const item = (index: number) => ({ size: 1, name: String(index) });
const orders = (count: number, items: number) => list(count, () => ({ size: 1, items: list(items, item) }));

describe("the rules of a request cost too much", () => {
  it.each([
    ["distinct texts", (n) => ({ unique: list(n, String) }), 50_000],
    ["distinct bytes", (n) => ({ uniqueBytes: list(n, (index) => Buffer.from(String(index))) }), 25_000],
    ["distinct messages", (n) => ({ uniqueItems: list(n, item) }), 2_000],
    ["numbers", (n) => ({ numbers: list(n, () => 6) }), 100_000],
    ["entries of a map", (n) => ({ map: Object.fromEntries(list(n, (index) => [index, 6])) }), 10_000],
    ["an email", (n) => ({ email: `${"a".repeat(n)}@b.c` }), 1_000_000],
    ["a URI", (n) => ({ uri: `http://${"a".repeat(n)}` }), 100_000],
    ["a text with a pattern", (n) => ({ code: "a".repeat(n) }), 50_000],
    ["messages", (n) => ({ items: list(n, item) }), 10_000],
    ["pairs of items", (n) => ({ pairs: list(n, item) }), 80],
    ["distinct ids", (n) => ({ ids: list(n, item) }), 1_000],
    ["items in items", (n) => ({ orders: orders(n, 40) }), 60],
    ["items in filtered items", (n) => ({ openOrders: orders(n, 40) }), 60],
    ["pairs of letters", (n) => ({ letters: "a".repeat(n) }), 60],
    ["texts that an expression matches", (n) => ({ matched: list(n, () => "a".repeat(1_000)) }), 50],
    ["pairs of a predefined rule", (n) => ({ predefined: list(n, () => 1) }), 90],
    ["texts that are joined", (n) => ({ joined: list(n, () => "a".repeat(1_000)) }), 30],
    ["paths of a mask", (n) => ({ mask: { paths: list(n, () => "a") } }), 2_000],
  ] satisfies [string, (count: number) => MessageInitShape<DescMessage>, number][])(
    "for many: %s",
    (_, request, enough) => {
      expect(errorOf(request(enough))).toBeUndefined();
      expect(errorOf(request(4 * enough))).toMatchObject({
        code: "RESOURCE_EXHAUSTED",
        message: "the request has too many values to check their rules (cost above 100000)",
      });
    },
  );

  it("for messages with a required field", () => {
    const { input: needs } = contract.operation("costs.Costs.Need");
    const named = (count: number) => ({ needs: list(count, () => ({ name: "a" })) });
    expect(errorOf(named(20_000), needs)).toBeUndefined();
    expect(errorOf(named(80_000), needs)?.code).toBe("RESOURCE_EXHAUSTED");
    expect(errorOf({ needs: list(80_000, () => ({})) }, needs)?.details.violations).toHaveLength(1_000);
  });

  it("not for what no rule reads", () => {
    expect(errorOf({ free: list(300_000, () => 1), text: "a".repeat(3_000_000), least: 300_000 })).toBeUndefined();
  });
});

describe("sizes are judged before values", () => {
  it.each([
    ["repeated.max_items", (n) => ({ few: list(n, () => 6) })],
    ["map.max_pairs", (n) => ({ fewPairs: Object.fromEntries(list(n, (index) => [index, 6])) })],
    ["string.max_len", (n) => ({ fewLetters: "a".repeat(n) })],
  ] satisfies [string, (count: number) => MessageInitShape<DescMessage>][])(
    "%s, in the words of the library",
    (reason, request) => {
      const [small, large] = [101, 300_000].map((count) => errorOf(request(count)));
      expect(small?.details.violations.map((violation) => violation.reason)).toEqual([reason]);
      expect(large?.code).toBe("INVALID_ARGUMENT");
      expect(large?.details).toEqual(small?.details);
    },
  );

  it("also in the contract of our service, with the path of the list", () => {
    const builtIn = builtInContract();
    const ids = list(3_000_000, () => 0);
    expect(errorOf({ ids }, BatchGetInvoicesRequestSchema, builtIn)?.details.violations).toEqual([
      { field: "ids", reason: "repeated.max_items", description: "must contain no more than 100 item(s)" },
    ]);
    const matrix = { size: 1, elements: list(500_000, () => Number.NaN) };
    expect(errorOf({ matrix }, PowerRequestSchema, builtIn)?.message).toBe(
      "matrix.elements: must contain no more than 10000 item(s)",
    );
  });
});

it("names a thousand violations and their number, and of very many values the first", () => {
  const many = errorOf({ numbers: list(20_000, () => 1) });
  expect(many?.message).toMatch(/^numbers\[0\]: .* \(and at least 19999 more\)$/);
  expect(many?.details.violations.at(-1)?.field).toBe("numbers[999]");
  const first = errorOf({ numbers: list(100_000, (index) => (index < 50 ? 6 : 1)) });
  expect(first?.details.violations.map(({ field }) => field)).toEqual(["numbers[50]"]);
});

it("checks rules that take long in a turn of their own", async () => {
  const check = requestRules(contract);
  const turns: number[] = [];
  const turn = () => {
    turns.push(1);
    return ownTurn();
  };
  expect(check(input, create(input, { numbers: [6] }), turn)).toBeUndefined();
  expect(turns).toEqual([]);
  await check(input, create(input, { numbers: list(10_000, () => 6) }), turn);
  await expect(check(input, create(input, { numbers: list(10_000, () => 1) }), turn)).rejects.toThrow(
    "and at least 9999 more",
  );
  expect(turns).toEqual([1, 1]);
});
