// What is made up has a limited size, whatever rules demand: the call fails with an error that says so, and at once.
import { create, type Message } from "@bufbuild/protobuf";
import { CallError, type Contract, type Operation } from "@roundtrip/contract";
import { expect, test } from "vitest";
import { createFake, memoryClient } from "../../src/index.ts";
import { maxTextCharacters } from "../../src/answers/limits.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";

const nested = (levels: number): string =>
  Array.from({ length: levels }, (_, level) =>
    level + 1 < levels
      ? `message D${level} { repeated D${level + 1} inside = 1 [(buf.validate.field).repeated.min_items = 1000]; }`
      : `message D${level} { string text = 1; }`,
  ).join("\n");

const contract = compileContract(`syntax = "proto3";
package limits.v1;
import "buf/validate/validate.proto";
service Limits {
  rpc Text(Query) returns (.limits.v1.Text); rpc Bytes(Query) returns (.limits.v1.Bytes); rpc Items(Query) returns (.limits.v1.Items);
  rpc Entries(Query) returns (.limits.v1.Entries); rpc Texts(Query) returns (.limits.v1.Texts); rpc Deep(Query) returns (.limits.v1.D0);
  rpc Pattern(Query) returns (.limits.v1.Pattern); rpc Contrary(Query) returns (.limits.v1.Contrary); rpc Few(Query) returns (.limits.v1.Few);
  rpc Free(Query) returns (.limits.v1.Free); rpc Catastrophe(Query) returns (.limits.v1.Catastrophe); rpc Longest(Query) returns (.limits.v1.Longest);
}
message Query { string about = 1; }
message Text { string text = 1 [(buf.validate.field).string.min_len = 100000000]; }
message Bytes { bytes bytes = 1 [(buf.validate.field).bytes.min_len = 100000000]; }
message Items { repeated int32 items = 1 [(buf.validate.field).repeated.min_items = 100000000]; }
message Entries { map<string, int32> entries = 1 [(buf.validate.field).map.min_pairs = 100000000]; }
message Texts { repeated string texts = 1 [(buf.validate.field).repeated = { min_items: 10000, items: { string: { min_len: 60000 } } }]; }
message Pattern { string text = 1 [(buf.validate.field).string.pattern = "^((a{1000}){1000}){1000}$"]; }
message Contrary { string text = 1 [(buf.validate.field).string = { min_len: 10, max_len: 5 }]; }
message Few { repeated bool flags = 1 [(buf.validate.field).repeated = { min_items: 3, unique: true }]; }
message Free { optional string text = 1 [(buf.validate.field).string.min_len = 100000000]; int32 id = 2; }
message Catastrophe { string description = 1 [(buf.validate.field).string.pattern = "^(\\\\w+\\\\s?)*$"]; }
message Longest { string text = 1 [(buf.validate.field).string.min_len = ${maxTextCharacters}]; }
${nested(4)}
`);

async function outcomeOf(of: Contract, name: string): Promise<Message | string> {
  const client = memoryClient(() => createFake({ contract: of }).service);
  const operation = of.operations.find(({ method }) => method.name === name) as Operation;
  try {
    return await client.prepare(operation)(create(operation.input, { about: "x" }));
  } catch (thrown) {
    const { code, message } = CallError.from(thrown);
    return `${code}: ${message}`;
  }
}

const advice = "answer it with a stub or a handler";

test.each([
  [
    "Text",
    `RESOURCE_EXHAUSTED: limits.v1.Text.text needs at least 100000000 characters, and a fake makes up at most 65536: ${advice}`,
  ],
  [
    "Bytes",
    `RESOURCE_EXHAUSTED: limits.v1.Bytes.bytes needs at least 100000000 bytes, and a fake makes up at most 65536: ${advice}`,
  ],
  [
    "Items",
    `RESOURCE_EXHAUSTED: limits.v1.Items.items needs at least 100000000 items, and a fake makes up at most 10000: ${advice}`,
  ],
  [
    "Entries",
    `RESOURCE_EXHAUSTED: limits.v1.Entries.entries needs at least 100000000 entries, and a fake makes up at most 10000: ${advice}`,
  ],
  ["Texts", `RESOURCE_EXHAUSTED: its rules demand more than 2097152 characters: ${advice}`],
  ["Deep", `RESOURCE_EXHAUSTED: its rules demand more than 20000 messages: ${advice}`],
  [
    "Contrary",
    "FAILED_PRECONDITION: limits.v1.Contrary.text needs at least 10 and at most 5 characters: change its rules",
  ],
  ["Few", "FAILED_PRECONDITION: limits.v1.Few.flags needs 3 different items, and has too few values"],
])("a made-up %s is an error with the field, the demand and what to do", async (name, outcome) => {
  expect(await outcomeOf(contract, name)).toBe(outcome);
});

/** By type and rule, what is counted. */
const lengthRules = [
  ["string", "string.min_len", "characters"],
  ["string", "string.len", "characters"],
  ["string", "string.min_bytes", "characters"],
  ["string", "string.len_bytes", "characters"],
  ["bytes", "bytes.min_len", "bytes"],
  ["bytes", "bytes.len", "bytes"],
  ["repeated string", "repeated.min_items", "items"],
  ["map<string, string>", "map.min_pairs", "entries"],
] as const;

const patterned = (type: string): string => `(buf.validate.field).${type} = { len: 65000, pattern: "^(ab|cd)+$" }`;

/** The fields of messages that are answers of a call each. */
const ruled: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    lengthRules.flatMap(([type, rule], index) => {
      const field = `${type} value = 1 [(buf.validate.field).${rule} = 100000`;
      return [
        [`Set${index}`, `${field}];`],
        [`Unset${index}`, `${field}, (buf.validate.field).ignore = IGNORE_IF_ZERO_VALUE]; int32 id = 2;`],
      ];
    }),
  ),
  ...Object.fromEntries(
    ["string", "bytes"].flatMap((type) => [
      [`No_${type}`, `${type} value = 1 [${patterned(type)}];`],
      [`Optional_${type}`, `optional ${type} value = 1 [${patterned(type)}]; int32 id = 2;`],
    ]),
  ),
};

const ruledContract = compileContract(`syntax = "proto3"; package ruled.v1; import "buf/validate/validate.proto";
service Limits { ${Object.keys(ruled)
  .map((name) => `rpc Call${name}(Query) returns (${name});`)
  .join(" ")} }
message Query { string about = 1; }
${Object.entries(ruled)
  .map(([name, fields]) => `message ${name} { ${fields} }`)
  .join("\n")}`);

const ruledOutcome = (name: string): Promise<Message | string> => outcomeOf(ruledContract, `Call${name}`);

test.each(lengthRules.map(([type, rule, unit], index) => ({ type, rule, unit, index })))(
  "a $type with a $rule beyond the limit is an error, or unset if that breaks no rule",
  async ({ unit, index }) => {
    expect(await ruledOutcome(`Set${index}`)).toMatch(
      new RegExp(
        `^RESOURCE_EXHAUSTED: ruled.v1.Set${index}.value needs at least 100000 ${unit}, and a fake makes up at most `,
      ),
    );
    expect(await ruledOutcome(`Unset${index}`)).toMatchObject({ id: expect.any(Number) as number });
  },
);

test.each(["string", "bytes"])("a %s whose length and pattern no text has is an error", async (type) => {
  const error = `RESOURCE_EXHAUSTED: no text that obeys the rules of ruled.v1.No_${type}.value was found: ${advice}`;
  expect(await ruledOutcome(`No_${type}`)).toBe(error);
  expect(Object.keys((await ruledOutcome(`Optional_${type}`)) as Message)).not.toContain("value");
});

test("quantifiers inside each other are bounded", async () => {
  expect(await outcomeOf(contract, "Pattern")).toMatch(
    /^RESOURCE_EXHAUSTED: a pattern demands more than 65536 characters: /,
  );
});

test("an optional field beyond the limits is left unset, and a text at the limit is made up", async () => {
  expect(await outcomeOf(contract, "Free")).toMatchObject({ id: expect.any(Number) as number });
  expect(Object.hasOwn((await outcomeOf(contract, "Free")) as Message, "text")).toBe(false);
  expect((await outcomeOf(contract, "Longest")) as object).toHaveProperty("text.length", maxTextCharacters);
});

test("a pattern that takes JavaScript exponential time is matched at once", async () => {
  expect((await outcomeOf(contract, "Catastrophe")) as object).toHaveProperty(
    "description",
    expect.stringMatching(/^[\w\s]+$/),
  );
});
