// Made-up messages keep `(buf.validate.message).oneof`.
import { expect, it } from "vitest";
import { AnswerMaker } from "../../src/answers/answer-maker.ts";
import { Draw } from "../../src/answers/draw.ts";
import { exampleRequests } from "../../src/examples/example-requests.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";

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
