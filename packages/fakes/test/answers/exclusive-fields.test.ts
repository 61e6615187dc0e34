// Made-up messages keep `(buf.validate.message).oneof`, whatever groups a message has, if any message can.
import { create, setExtension, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorSetSchema,
  MessageOptionsSchema,
  file_google_protobuf_descriptor,
  type DescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import {
  file_buf_validate_validate,
  message,
  MessageOneofRuleSchema,
  MessageRulesSchema,
} from "@roundtrip/contract/gen/buf/validate/validate_pb";
import { contractFromImage, type Contract } from "@roundtrip/contract";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { randomCases } from "../../../../.ci/seed-properties.ts";
import { AnswerMaker } from "../../src/answers/answer-maker.ts";
import { Draw } from "../../src/answers/draw.ts";
import { exampleRequests } from "../../src/examples/example-requests.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";

interface Group {
  readonly fields: readonly string[];
  readonly required: boolean;
}

const kinds = ["text", "flag", "texts", "self", "selves"] as const;
type Kind = (typeof kinds)[number];

/** A message with fields `f0`, `f1`, …; `self` is the message itself. */
function messageWith(
  fields: readonly Kind[],
  groups: readonly Group[],
): MessageInitShape<typeof DescriptorProtoSchema> {
  const options = create(MessageOptionsSchema);
  setExtension(
    options,
    message,
    create(MessageRulesSchema, {
      oneof: groups.map(({ fields: names, required }) =>
        create(MessageOneofRuleSchema, { fields: [...names], required }),
      ),
    }),
  );
  return {
    name: "Thing",
    options,
    field: fields.map((kind, at) => ({
      name: `f${at}`,
      number: at + 1,
      label: kind.endsWith("s") || kind === "selves" ? Label.REPEATED : Label.OPTIONAL,
      ...(kind.startsWith("sel")
        ? { type: Type.MESSAGE, typeName: ".test.Thing" }
        : { type: kind === "flag" ? Type.BOOL : Type.STRING }),
    })),
  };
}

function contractOf(fields: readonly Kind[], groups: readonly Group[]): Contract {
  const image = create(FileDescriptorSetSchema, {
    file: [
      file_google_protobuf_descriptor.proto,
      file_buf_validate_validate.proto,
      {
        name: "test.proto",
        package: "test",
        syntax: "proto3",
        dependency: ["buf/validate/validate.proto"],
        messageType: [messageWith(fields, groups)],
        service: [{ name: "Things", method: [{ name: "Put", inputType: ".test.Thing", outputType: ".test.Thing" }] }],
      },
    ],
  });
  return contractFromImage(toBinary(FileDescriptorSetSchema, image));
}

/** Whether some finite message keeps the groups: a choice of fields without the message itself, or any if a message that has no `self` exists. */
function isSatisfiable(fields: readonly Kind[], groups: readonly Group[]): boolean {
  const finite = fields.flatMap((kind, at) => (kind.startsWith("sel") ? [] : [`f${at}`]));
  for (let mask = 0; mask < 2 ** finite.length; mask++) {
    const set = new Set(finite.filter((_, at) => Math.floor(mask / 2 ** at) % 2 === 1));
    const keeps = groups.every((group) => {
      const count = group.fields.filter((name) => set.has(name)).length;
      return count <= 1 && (!group.required || count === 1);
    });
    if (keeps) return true;
  }
  return false;
}

const messages = fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 6 }).chain((fields) =>
  fc.record({
    fields: fc.constant(fields),
    groups: fc.array(
      fc.record({
        fields: fc.uniqueArray(fc.constantFrom(...fields.map((_, at) => `f${at}`)), { minLength: 1 }),
        required: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
);

it("keep any groups that a message can keep", () => {
  let satisfiable = 0;
  fc.assert(
    fc.property(messages, fc.nat(), ({ fields, groups }, seed) => {
      if (!isSatisfiable(fields, groups)) return;
      satisfiable += 1;
      const contract = contractOf(fields, groups);
      const maker = new AnswerMaker(contract, 1);
      const { input } = contract.operation("test.Things.Put");
      expect(maker.isValid(input, maker.message(input, new Draw([seed, 0, 0, 0])))).toBe(true);
      expect(maker.isValid(input, maker.request(input, new Draw([seed, 1, 0, 0])))).toBe(true);
    }),
    { numRuns: randomCases(300) },
  );
  expect(satisfiable).toBeGreaterThan(randomCases(300) / 6);
});

const awkward = compileContract(`syntax = "proto3";
package shop.v1;
import "buf/validate/validate.proto";
import "google/api/annotations.proto";
import "google/api/field_behavior.proto";
service Shop {
  rpc GetItem(GetItemRequest) returns (Item) { option (google.api.http) = {get: "/v1/items/{number}"}; }
  rpc Eval(Expression) returns (Expression);
  rpc Behave(Behavior) returns (Behavior);
  rpc Echo(Item) returns (Narrow);
}
message GetItemRequest {
  option (buf.validate.message).oneof = {fields: ["name", "number", "code"], required: true};
  string name = 1; string number = 2; string code = 3;
}
message Item { string name = 1; string code = 2; }
message Narrow { option (buf.validate.message).oneof = {fields: ["name", "code"]}; string name = 1; string code = 2; }
message Expression {
  option (buf.validate.message).oneof = {fields: ["sum", "product", "literal"], required: true};
  Pair sum = 1; Pair product = 2; Literal literal = 3;
}
message Pair {
  Expression left = 1 [(buf.validate.field).required = true];
  Expression right = 2 [(buf.validate.field).required = true];
}
message Literal { int64 value = 1; }
message Behavior {
  option (buf.validate.message).oneof = {fields: ["secret", "computed", "late"], required: true};
  string secret = 1 [(google.api.field_behavior) = INPUT_ONLY];
  string computed = 2 [(google.api.field_behavior) = OUTPUT_ONLY];
  string late = 3 [(buf.validate.field).required = true];
}
`);

it.each(awkward.operations)("keep the groups of $id, in answers and requests", (operation) => {
  const maker = new AnswerMaker(awkward, 1);
  const { input, output } = operation;
  for (let seed = 0; seed < 30; seed++) {
    const draw = (): Draw => new Draw([seed, 0, 0, 0]);
    const request = maker.request(input, draw());
    expect(maker.isAccepted(input, request)).toBe(true);
    expect(maker.isValid(output, maker.message(output, draw()))).toBe(true);
    expect(maker.isValid(output, maker.of(operation).answerTo(request))).toBe(true);
  }
  expect(maker.isAccepted(input, exampleRequests(awkward)(operation))).toBe(true);
});

it("leave the field of the URL in an example request", () => {
  const request = exampleRequests(awkward)(awkward.operation("shop.v1.Shop.GetItem"));
  expect(request).toMatchObject({ name: "", number: expect.stringMatching(/./) as string, code: "" });
});
