// The fast path of the rules: it accepts no request that the validator would refuse, and it accepts the common ones.
import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CreateCustomerRequestSchema,
  GetCustomerRequestSchema,
  ListCustomersRequestSchema,
  SetCustomerPhoneNumberRequestSchema,
} from "../src/gen/roundtrip/v1/customer_pb.ts";
import { BatchGetInvoicesRequestSchema, CreateInvoiceRequestSchema } from "../src/gen/roundtrip/v1/invoice_pb.ts";
import { DownloadRequestSchema, UploadRequestSchema } from "../src/gen/roundtrip/v1/payload_pb.ts";
import { PowerRequestSchema } from "../src/gen/roundtrip/v1/matrix_pb.ts";
import { SayHelloRequestSchema } from "../src/gen/roundtrip/v1/hello_pb.ts";
import { plainRules, seemsToNeedValidator } from "../src/validation/plain-rules.ts";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";

const validator = createValidator();

function isValid(schema: DescMessage, request: ReturnType<typeof create>): boolean {
  return validator.validate(schema, request).kind === "valid";
}

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ unit: fc.constantFrom("A", "Z", "0", "9", "+", "(", ")", " ", "-", "a", "\n", "🙂"), maxLength: 40 }),
  fc.constantFrom("x", "🙂").chain((unit) => fc.integer({ min: 0, max: 260 }).map((length) => unit.repeat(length))),
);
const number = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer());

const customer = fc.record(
  { id: number, name: text, vatIdentificationNumber: text, mail: text, phoneNumber: text },
  { requiredKeys: [] },
);

const line = fc.record({ productId: number, quantity: number, unitPrice: number }, { requiredKeys: [] });
const invoice = fc.record(
  {
    customerId: fc.constantFrom(0, 1),
    issueTime: fc.constant({}),
    currency: fc.constantFrom("EUR", "eur"),
    lines: fc.array(line, { maxLength: 21 }),
  },
  { requiredKeys: ["customerId", "currency"] },
);

const matrix = fc.record({
  size: fc.integer({ min: -1, max: 101 }),
  elements: fc.oneof(
    fc.array(fc.double(), { maxLength: 4 }),
    fc.constantFrom(10_000, 10_001).map((length) => Array.from({ length }, () => 0.5)),
  ),
});

describe("what passes the plain rules", () => {
  it("is valid, whatever the request, and what fails them is not, if there are no others", () => {
    const requests = fc.oneof(
      fc.record({ name: text }).map((init) => [SayHelloRequestSchema, create(SayHelloRequestSchema, init)] as const),
      fc
        .record({ id: number })
        .map((init) => [GetCustomerRequestSchema, create(GetCustomerRequestSchema, init)] as const),
      fc
        .record({ pageSize: number, pageToken: text })
        .map((init) => [ListCustomersRequestSchema, create(ListCustomersRequestSchema, init)] as const),
      fc
        .integer({ min: -2, max: 2 })
        .map((more) => ({ data: new Uint8Array(1_048_576 + more) }))
        .map((init) => [UploadRequestSchema, create(UploadRequestSchema, init)] as const),
      fc
        .record({ matrix: fc.option(matrix, { nil: undefined }), exponent: number })
        .map((init) => [PowerRequestSchema, create(PowerRequestSchema, init)] as const),
      fc
        .record({ ids: fc.array(number, { maxLength: 3 }) })
        .map((init) => [BatchGetInvoicesRequestSchema, create(BatchGetInvoicesRequestSchema, init)] as const),
      fc
        .record({ invoice }, { requiredKeys: [] })
        .map((init) => [CreateInvoiceRequestSchema, create(CreateInvoiceRequestSchema, init)] as const),
      fc
        .record({ customer }, { requiredKeys: [] })
        .map((init) => [CreateCustomerRequestSchema, create(CreateCustomerRequestSchema, init)] as const),
      fc
        .record({ id: fc.constant(1), phoneNumber: text }, { requiredKeys: ["id"] })
        .map(
          (init) => [SetCustomerPhoneNumberRequestSchema, create(SetCustomerPhoneNumberRequestSchema, init)] as const,
        ),
    );
    let passed = 0;
    fc.assert(
      fc.property(requests, ([schema, request]) => {
        const { obeysPlainRules, areAll } = plainRules(schema);
        const obeys = obeysPlainRules(request);
        passed += Number(obeys);
        if (!obeys && !areAll) return;
        expect(isValid(schema, request)).toBe(obeys);
      }),
      { numRuns: 1000 },
    );
    expect(passed).toBeGreaterThan(100);
  });

  it.each([
    [SayHelloRequestSchema, { name: "World" }],
    [GetCustomerRequestSchema, { id: 1, readMask: { paths: ["name"] } }],
    [CreateCustomerRequestSchema, { customer: { id: 1, vatIdentificationNumber: "NL12345", phoneNumber: "+31 (20)" } }],
    [SetCustomerPhoneNumberRequestSchema, { id: 1, phoneNumber: "" }],
    [DownloadRequestSchema, { sizeBytes: 16_777_216, chunkBytes: 1_048_576 }],
    [UploadRequestSchema, { data: new Uint8Array(1_048_576) }],
    [PowerRequestSchema, { matrix: { size: 1, elements: [-0] } }],
    [BatchGetInvoicesRequestSchema, { ids: [1] }],
    [
      CreateInvoiceRequestSchema,
      { invoice: { customerId: 1, issueTime: {}, currency: "EUR", lines: [{ productId: 1, quantity: 1 }] } },
    ],
    [
      PowerRequestSchema,
      { matrix: { size: 100, elements: Array.from({ length: 10_000 }, () => 1) }, exponent: 10_000 },
    ],
  ] as const)("is every good request of %s", (schema, init) => {
    const request = create(schema as DescMessage, init as MessageInitShape<DescMessage>);
    expect(plainRules(schema).obeysPlainRules(request)).toBe(true);
  });
});

const cases = compileContract(`syntax = "proto3";
package cases;
import "buf/validate/validate.proto";
service Cases {
  rpc A(Outside) returns (Above);
  rpc B(Unknown) returns (Required);
  rpc C(Plain) returns (Whole);
  rpc D(Patterns) returns (Patterns);
  rpc E(Lists) returns (Lists);
}
message Lists {
  repeated Above any = 1;
  repeated Above few = 2 [(buf.validate.field).repeated.max_items = 1];
  repeated Unknown unknown = 3;
}
message Outside { int32 n = 1 [(buf.validate.field).int32 = {gt: 5, lt: 2}]; }
message Above { int32 n = 1 [(buf.validate.field).int32.gt = 0]; }
message Unknown { int32 n = 1 [(buf.validate.field) = {int32: {gt: 0}, cel: {id: "any", expression: "true"}}]; }
message Required { int32 n = 1 [(buf.validate.field).required = true]; }
message Plain { int32 n = 1; }
message Whole { option (buf.validate.message).cel = {id: "any", expression: "true"}; int32 n = 1; }
message Patterns {
  message Class { string n = 1 [(buf.validate.field).string.pattern = "^[A-Z]{2}[0-9][a-z]*$"]; }
  message Bounded { string n = 1 [(buf.validate.field).string.pattern = "^[A-Z]{2,3}$"]; }
  message Repeated { string n = 1 [(buf.validate.field).string.pattern = "^[a-z]+[a-z]+$"]; }
  message Starred { string n = 1 [(buf.validate.field).string.pattern = "^[a-z]*[a-z]$"]; }
  message Optional { string n = 1 [(buf.validate.field).string.pattern = "^[a]?[a]?[a]$"]; }
  message Counted { string n = 1 [(buf.validate.field).string.pattern = "^[a]{0,9}[b]{2}$"]; }
}`);

it.each([
  ['(buf.validate.field).string = {min_len: 1, pattern: "^cel(email)$"}];', false],
  ["(buf.validate.field).repeated.max_items = 3, (google.api.field_behavior) = REQUIRED];", false],
  ["(buf.validate.field).string.email = true];", true],
  ["(buf.validate.message).cel = {};", true],
])("%s seems to need the validator: %s", (proto, needs) => {
  expect(seemsToNeedValidator(proto)).toBe(needs);
});

function caseOf(name: string): DescMessage {
  return cases.registry.getMessage(`cases.${name}`) as DescMessage;
}

function passes(name: string, n: number): boolean {
  return plainRules(caseOf(name)).obeysPlainRules(create(caseOf(name), { n }));
}

describe("the validator is asked", () => {
  it("where bounds exclude each other, because then what is outside is meant", () => {
    expect([0, 3, 9].map((n) => passes("Outside", n))).toEqual([false, false, false]);
  });

  it.each([
    ["a field has a rule that is not known here", "Above", "Unknown"],
    ["a number is required", "Plain", "Required"],
    ["there is a rule about the message as a whole", "Plain", "Whole"],
  ])("where %s", (_where, plain, asked) => {
    expect([passes(plain, 1), passes(asked, 1)]).toEqual([true, false]);
  });

  it("where a message in a list breaks a rule or has one that is not known here, or there are too many", () => {
    const { obeysPlainRules, areAll } = plainRules(caseOf("Lists"));
    const obeys = (init: Record<string, unknown>): boolean => obeysPlainRules(create(caseOf("Lists"), init));
    expect([{}, { any: [{ n: 1 }, { n: 2 }], few: [{ n: 1 }] }].map(obeys)).toEqual([true, true]);
    const asked = [
      { any: [{ n: 1 }, { n: 0 }] },
      { few: [{ n: 0 }] },
      { few: [{ n: 1 }, { n: 1 }] },
      { unknown: [{ n: 1 }] },
    ];
    expect(asked.map(obeys)).toEqual([false, false, false, false]);
    expect(areAll).toBe(false);
    expect(plainRules(CreateInvoiceRequestSchema).areAll).toBe(true);
  });

  it.each([
    ["Class", "AZ1abc", true],
    ["Bounded", "AZ", true],
    ["Repeated", "abc", false],
    ["Starred", "abc", false],
    ["Optional", "aaa", false],
    ["Counted", "abb", false],
  ])("unless only the end of a pattern may be repeated, which takes linear time: %s", (name, n, isPlain) => {
    const message = caseOf(`Patterns.${name}`);
    expect(plainRules(message).obeysPlainRules(create(message, { n }))).toBe(isPlain);
    expect(isValid(message, create(message, { n }))).toBe(true);
  });
});
