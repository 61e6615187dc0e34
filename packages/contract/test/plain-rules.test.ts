// The fast path of the rules: it accepts no request that the validator would refuse, and it accepts the common ones.
import { create, setExtension, toBinary, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldOptionsSchema,
  file_google_protobuf_descriptor,
  FileDescriptorSetSchema,
  MessageOptionsSchema,
} from "@bufbuild/protobuf/wkt";
import { WireType } from "@bufbuild/protobuf/wire";
import { createValidator } from "@bufbuild/protovalidate";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { field, FieldRulesSchema, file_buf_validate_validate } from "../src/gen/buf/validate/validate_pb.ts";
import {
  CreateCustomerRequestSchema,
  GetCustomerRequestSchema,
  ListCustomersRequestSchema,
  SetCustomerPhoneNumberRequestSchema,
} from "../src/gen/roundtrip/v1/customer_pb.ts";
import { DownloadRequestSchema, UploadRequestSchema } from "../src/gen/roundtrip/v1/payload_pb.ts";
import { PowerRequestSchema } from "../src/gen/roundtrip/v1/matrix_pb.ts";
import { SayHelloRequestSchema } from "../src/gen/roundtrip/v1/hello_pb.ts";
import { contractFromImage } from "../src/index.ts";
import { plainRules } from "../src/validation/plain-rules.ts";

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

const matrix = fc.record({
  size: fc.integer({ min: -1, max: 101 }),
  elements: fc.oneof(
    fc.array(fc.double(), { maxLength: 4 }),
    fc.constantFrom(10_000, 10_001).map((length) => Array.from({ length }, () => 0.5)),
  ),
});

describe("what passes the plain rules", () => {
  it("is valid, whatever the request", () => {
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
        if (!plainRules(schema).obeysPlainRules(request)) return;
        passed += 1;
        expect(isValid(schema, request)).toBe(true);
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
    [
      PowerRequestSchema,
      { matrix: { size: 100, elements: Array.from({ length: 10_000 }, () => 1) }, exponent: 10_000 },
    ],
  ] as const)("is every good request of %s", (schema, init) => {
    const request = create(schema as DescMessage, init as MessageInitShape<DescMessage>);
    expect(plainRules(schema).obeysPlainRules(request)).toBe(true);
  });
});

/** A contract of one message `M` with an int32 `n` (or a field of another type), under these rules. */
function messageWith(options: {
  readonly type?: Type;
  readonly field?: MessageInitShape<typeof FieldRulesSchema>;
  readonly unknownFieldRule?: number;
  readonly messageRule?: boolean;
}): DescMessage {
  const rules = create(FieldRulesSchema, options.field ?? {});
  if (options.unknownFieldRule !== undefined) {
    rules.$unknown = [{ no: options.unknownFieldRule, wireType: WireType.Varint, data: Uint8Array.of(1) }];
  }
  const fieldOptions = create(FieldOptionsSchema);
  setExtension(fieldOptions, field, rules);
  const messageOptions = create(MessageOptionsSchema);
  if (options.messageRule === true) {
    messageOptions.$unknown = [{ no: 1159, wireType: WireType.LengthDelimited, data: Uint8Array.of(2, 8, 1) }];
  }
  const file = {
    name: "m.proto",
    package: "m",
    syntax: "proto3",
    dependency: ["buf/validate/validate.proto"],
    messageType: [
      {
        name: "M",
        options: messageOptions,
        field: [
          {
            name: "n",
            number: 1,
            type: options.type ?? Type.INT32,
            label: Label.OPTIONAL,
            jsonName: "n",
            options: fieldOptions,
          },
        ],
      },
    ],
    service: [{ name: "S", method: [{ name: "Do", inputType: ".m.M", outputType: ".m.M" }] }],
  };
  const image = create(FileDescriptorSetSchema, {
    file: [file_google_protobuf_descriptor.proto, file_buf_validate_validate.proto, file],
  });
  return contractFromImage(toBinary(FileDescriptorSetSchema, image)).operation("m.S.Do").input;
}

function passes(message: DescMessage, n: number): boolean {
  return plainRules(message).obeysPlainRules(create(message, { n }));
}

describe("the validator is asked", () => {
  it("where bounds exclude each other, because then what is outside is meant", () => {
    const value = { greaterThan: { case: "gt", value: 5 }, lessThan: { case: "lt", value: 2 } } as const;
    const message = messageWith({ field: { type: { case: "int32", value } } });
    expect([0, 3, 9].map((n) => passes(message, n))).toEqual([false, false, false]);
  });

  it("where a field has a rule that is not known here", () => {
    const value = { greaterThan: { case: "gt", value: 0 } } as const;
    expect(passes(messageWith({ field: { type: { case: "int32", value } } }), 1)).toBe(true);
    expect(passes(messageWith({ field: { type: { case: "int32", value } }, unknownFieldRule: 27 }), 1)).toBe(false);
  });

  it("where a number is required", () => {
    expect(passes(messageWith({ field: { required: true } }), 1)).toBe(false);
  });

  it.each([
    ["^[A-Z]{2}[0-9][a-z]*$", "AZ1abc", true],
    ["^[A-Z]{2,3}$", "AZ", true],
    ["^[a-z]+[a-z]+$", "abc", false],
    ["^[a-z]*[a-z]$", "abc", false],
    ["^[a]?[a]?[a]$", "aaa", false],
    ["^[a]{0,9}[b]{2}$", "abb", false],
  ])("unless only the end of a pattern may be repeated, which takes linear time: %s", (pattern, n, isPlain) => {
    const message = messageWith({ type: Type.STRING, field: { type: { case: "string", value: { pattern } } } });
    expect(plainRules(message).obeysPlainRules(create(message, { n }))).toBe(isPlain);
    expect(isValid(message, create(message, { n }))).toBe(true);
  });

  it("where there is a rule about the message as a whole", () => {
    expect(passes(messageWith({}), 1)).toBe(true);
    expect(passes(messageWith({ messageRule: true }), 1)).toBe(false);
  });
});
