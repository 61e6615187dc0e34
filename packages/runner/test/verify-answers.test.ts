import { describe, expect, it } from "vitest";
import type { JsonObject } from "@bufbuild/protobuf";
import { verifyAnswers } from "../src/rounds/verify-answers.ts";
import type { PlannedArm } from "../src/study/planned-arm.ts";
import { anArm } from "./support/an-arm.ts";

const grpc = anArm({ stack: "grpc-js", variant: "facade", attributes: 1 });
const rest = anArm({ stack: "rest-express", variant: "facade", attributes: 1 });
const other = anArm({ stack: "rest-express", variant: "facade", attributes: 2 });

describe("comparing answers before anything is timed", () => {
  it("accepts arms that answer alike, whatever the order of their keys", () => {
    const answers = new Map([
      [grpc.id, { id: 1, name: "Ada" }],
      [rest.id, { name: "Ada", id: 1 }],
      [other.id, { name: "somebody else" }],
    ]);
    expect(() => verifyAnswers([grpc, rest, other], answers)).not.toThrow();
  });

  it("gives no number for arms that differ, and names both and the first difference", () => {
    const answers = new Map([
      [grpc.id, { id: 1, name: "Ada" }],
      [rest.id, { id: 1, name: "Eve" }],
    ]);
    expect(() => verifyAnswers([grpc, rest], answers)).toThrow(
      `${grpc.id} and ${rest.id} do not answer alike: "name" is "Ada" and "Eve"; no number is given`,
    );
  });

  it("compares what paths lead to, through lists", () => {
    const [whole, masked] = [grpc, rest].map((arm) => ({
      ...arm,
      answerFields: ["customer.name", "invoices.lines.id"],
    }));
    if (whole === undefined || masked === undefined) throw new Error("no arms");
    const answers = (id: number) =>
      new Map([
        [whole.id, { customer: { id: 1, name: "Ada" }, invoices: [{ id: 7, lines: [{ id: 1, count: 3 }] }] }],
        [masked.id, { customer: { name: "Ada" }, invoices: [{ lines: [{ id }] }] }],
      ]);
    expect(() => verifyAnswers([whole, masked], answers(1))).not.toThrow();
    expect(() => verifyAnswers([whole, masked], answers(2))).toThrow('"invoices.lines.id" is [1] and [2]');
  });

  it("compares only the keys that the task is about", () => {
    const [one, two] = [
      { ...grpc, answerFields: ["id"] },
      { ...rest, answerFields: ["id"] },
    ];
    const answers = new Map([
      [one.id, { id: 1, name: "Ada" }],
      [two.id, { id: 1 }],
    ]);
    expect(() => verifyAnswers([one, two], answers)).not.toThrow();
    expect(() => verifyAnswers([one, two], new Map([[one.id, { id: 1 }]]))).toThrow("do not answer alike");
  });
});

const [ofGrpc, ofRest] = [grpc, rest].map((arm) => ({ ...arm, answerFields: ["products.name"] }));
const box = { id: 1, name: "box" };
const bag = { id: 2, name: "bag" };

it.each([
  ["null", {}],
  ['["bag","box"]', { products: [{ name: "bag" }, { name: "box" }] }],
  ['["box"]', { products: [{ name: "box" }] }],
])("an answer of which a task compares parts of a list refuses %s", (names, answer) => {
  const answers = new Map<string, JsonObject>([
    [grpc.id, { products: [box, bag] }],
    [rest.id, answer],
  ]);
  const verify = (): void => verifyAnswers([ofGrpc, ofRest] as PlannedArm[], answers);
  expect(verify).toThrow(`do not answer alike: "products.name" is ["box","bag"] and ${names}`);
  answers.set(rest.id, { products: [{ name: "box" }, bag] });
  expect(verify).not.toThrow();
});

describe("an answer that no second server gives", () => {
  const facade = { ...grpc, expected: { id: 1, name: "Ada" } };
  const chatty = { ...facade, id: "chatty", variant: "chatty" };
  const right = { id: 1, name: "Ada", mail: "ada@example.com" };

  it("is compared with what the task expects, key by key", () => {
    expect(() => verifyAnswers([facade], new Map([[facade.id, right]]))).not.toThrow();
    expect(() => verifyAnswers([facade], new Map([[facade.id, { ...right, name: "Eve" }]]))).toThrow(
      `${facade.id} does not answer as expected: "name" is "Eve", not "Ada"; no number is given`,
    );
    expect(() => verifyAnswers([facade], new Map([[facade.id, { id: 1 }]]))).toThrow('"name" is nothing, not "Ada"');
  });

  it("has no second witness in another variant of the same server", () => {
    const wrong = { id: 1, name: "Eve" };
    const answers = new Map([
      [facade.id, wrong],
      [chatty.id, wrong],
    ]);
    expect(() => verifyAnswers([facade, chatty], answers)).toThrow("does not answer as expected");
  });

  it("is what servers agree on when there are two, whatever the task expects", () => {
    const answers = new Map([
      [facade.id, { id: 1, name: "Eve" }],
      [rest.id, { id: 1, name: "Eve" }],
    ]);
    expect(() => verifyAnswers([facade, { ...rest, expected: facade.expected }], answers)).not.toThrow();
  });
});
