// Rules that cost more than a server can spend on one call: the error names the rule, and the next call is answered.
import { create } from "@bufbuild/protobuf";
import { CallError, type Client, type Operation } from "@roundtrip/contract";
import { requestRules } from "@roundtrip/contract/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFake, type StartedFake } from "../src/fake/start-fake.ts";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";

const allBelow = (depth: number, list: string): string =>
  depth === 0 ? "true" : `${list}.all(v${depth}, ${allBelow(depth - 1, list)})`;

/** CEL expressions over a list of texts, by the ids of their rules. */
const expressions = {
  nested: allBelow(7, "this"),
  literal: allBelow(7, "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"),
  pairs: "this.all(a, this.exists_one(b, a == b))",
  member: "this.all(a, !(a + '!' in this))",
  distinct: "this.unique()",
  doubled: `this${".map(text, text + text)".repeat(24)}.all(text, text != '')`,
  replaced: "this.all(a, a.replace('', a) != '')",
  matched: "this.all(a, a.matches('^(x|xx)*[0-9]*$'))",
  mapped: "this.map(a, a).all(a, a != '')",
} as const;

type RuleName = keyof typeof expressions;

const contract = compileContract(`
  syntax = "proto3";
  package costly;
  import "buf/validate/validate.proto";
  import "google/api/annotations.proto";
  ${Object.entries(expressions)
    .map(
      ([name, expression]) => `
        message Of_${name} {
          repeated string items = 1 [(buf.validate.field).cel = {id: "${name}", message: "broken", expression: "${expression}"}];
        }
        service Asks_${name} {
          rpc Ask(Of_${name}) returns (Answer) { option (google.api.http) = {post: "/${name}" body: "*"}; }
        }`,
    )
    .join("")}
  message Each { repeated int32 items = 1 [(buf.validate.field).repeated.items.cel = {id: "each", message: "broken", expression: "this >= 0"}]; }
  service Asks_each { rpc Ask(Each) returns (Answer) { option (google.api.http) = {post: "/each" body: "*"}; } }
  message Answer { string text = 1; }
`);

const asks = (name: string): Operation => contract.operation(`costly.Asks_${name}.Ask`);

function itemsOf(count: number, length = 1): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${index}`.padStart(length, "x"));
}

function errorOf(run: () => void): CallError | undefined {
  try {
    run();
  } catch (thrown) {
    return CallError.from(thrown);
  }
  return undefined;
}

/** The result of validating a request. */
function judge(name: string, items: readonly (string | number)[]): CallError | undefined {
  const { input } = asks(name);
  return errorOf(() => requestRules(contract)(input, create(input, { items })));
}

describe("the cost of rules", () => {
  it.each([
    ["nested", itemsOf(10)],
    ["literal", itemsOf(1)],
    ["pairs", itemsOf(5_000)],
    ["member", itemsOf(5_000)],
    ["distinct", itemsOf(100_000)],
    ["doubled", itemsOf(50, 100)],
    ["replaced", itemsOf(1, 1_000_000)],
    ["matched", itemsOf(40, 100_000)],
    ["mapped", itemsOf(20_000)],
    ["each", Array.from({ length: 1_500_000 }, () => 1)],
  ] as const)("is limited: %s", (name, items) => {
    const error = judge(name, items);
    expect(error?.code).toBe("RESOURCE_EXHAUSTED");
    expect(error?.message).toContain(`.items`);
    expect(error?.message).toContain(`: rule ${name} exceeds the cost limit of 250,000`);
    expect(error?.details).toMatchObject({ reason: "RULE_COST_LIMIT", metadata: { rule: name } });
  });

  it.each([
    ["nested", itemsOf(4)],
    ["pairs", itemsOf(200)],
    ["member", itemsOf(500)],
    ["distinct", itemsOf(1_000)],
    ["matched", itemsOf(1_000, 100)],
    ["mapped", itemsOf(1_000)],
    ["each", Array.from({ length: 100_000 }, () => 1)],
  ] as const)("allows usual requests: %s", (name, items) => {
    expect(judge(name, items)).toBeUndefined();
  });

  it("restarts for each message", () => {
    for (let call = 0; call < 5; call += 1) expect(judge("pairs", itemsOf(300))).toBeUndefined();
  });
});

/** `OK`, or the code and the message of the error. */
const ask = (client: Client, name: RuleName, count: number): Promise<string> => {
  const operation = asks(name);
  const request = create(operation.input, { items: itemsOf(count) });
  return client
    .prepare(operation)(request)
    .then(
      () => "OK",
      (thrown: unknown) => `${CallError.from(thrown).code} ${CallError.from(thrown).message}`,
    );
};

describe("a fake", () => {
  let fake: StartedFake;
  beforeAll(async () => {
    fake = await startFake(contract);
  });
  afterAll(() => fake.close());

  it.each(["grpc-js", "rest-express", "graphql-apollo", "memory"])(
    "refuses what costs too much over %s, and answers others between",
    async (stack) => {
      const [attacker, other] = await Promise.all([fake.connect(stack), fake.connect(stack)]);
      const attacks = Array.from({ length: 3 }, () => ask(attacker, "nested", 10));
      expect(await ask(other, "nested", 2)).toBe("OK");
      for (const answer of await Promise.all(attacks)) {
        expect(answer).toMatch(/^RESOURCE_EXHAUSTED costly\.Of_nested\.items: rule nested exceeds the cost limit/);
      }
    },
  );
});
