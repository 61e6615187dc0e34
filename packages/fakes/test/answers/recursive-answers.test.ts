// Answers that contain their own type are equal over every style, however deep they were made.
import { toJson, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { startFake } from "../../src/index.ts";
import { AnswerMaker } from "../../src/answers/answer-maker.ts";
import { Draw } from "../../src/answers/draw.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";

const wide = Array.from({ length: 12 }, (_, at) => `Wide w${at} = ${at + 2}; string s${at} = ${at + 20};`).join(" ");

/** Types that contain themselves, by what is between. Each has an operation of its name. */
const types: Readonly<Record<string, string>> = {
  Comment: "message Comment { string id = 1; string text = 2; repeated Comment replies = 3; }",
  Menu: "message Menu { repeated Item items = 1; } message Item { string label = 1; repeated Item items = 2; }",
  Folder: "message Folder { string path = 1; map<string, Folder> children = 2; int64 size = 3; }",
  Person: "message Person { string name = 1; Person boss = 2; Person assistant = 3; }",
  Rule: "message Rule { oneof kind { Rule not = 1; All all = 2; string is = 3; } } message All { repeated Rule rules = 1; }",
  Json: `message Json { oneof kind { Fields fields = 1; Items list = 2; string text = 3; double number = 4; } }
    message Fields { map<string, Json> fields = 1; } message Items { repeated Json values = 1; }`,
  A: "message A { B b = 1; string a = 2; } message B { repeated C cs = 1; } message C { map<string, A> as = 1; B back = 2; }",
  Wide: `message Wide { string id = 1; ${wide} }`,
  Outer:
    "message Outer { Comment first = 1; map<string, Folder> folders = 2; oneof pick { Person person = 3; Wide wide = 4; } }",
  Only: "message Only { oneof what { Only only = 1; } }",
  Round:
    "message Round { oneof what { Back back = 1; } } message Back { oneof what { Round round = 1; Back back = 2; } }",
  Needed:
    "message Needed { repeated Needed more = 1; NeededOr either = 2; } message NeededOr { oneof kind { Needed one = 1; string text = 2; } }",
};
const names = Object.keys(types);

const contract = compileContract(`syntax = "proto3";
package forum.v1;
service Forum {
  ${names.map((name) => `rpc Look${name}(Query) returns (${name}); rpc Post${name}(${name}) returns (${name});`).join(" ")}
  rpc GetComment(Query) returns (Comment); rpc ListFolders(Query) returns (Folders); rpc UpdatePerson(Person) returns (Person);
  ${names.map((name) => `rpc Watch${name}(Query) returns (stream ${name});`).join(" ")}
}
message Folders { repeated Folder folders = 1; }
message Query { string id = 1; }
${Object.values(types).join("\n")}
`);

const stacks = ["grpc-js", "rest-express", "graphql-apollo", "connect-node"] as const;
const { registry } = contract;

/** Answers, or the code of the error. */
async function outcome(call: () => Promise<readonly Message[]>): Promise<readonly JsonValue[] | string> {
  try {
    const messages = await call();
    return messages.map((message) =>
      toJson(registry.getMessage(message.$typeName) as DescMessage, message, { registry }),
    );
  } catch (thrown) {
    return String(thrown);
  }
}

describe.each([1, 2])("with the seed %i", (seed) => {
  it("answers are equal over every style", async () => {
    await using fake = await startFake(contract, { seed, stacks: [...stacks] });
    const maker = new AnswerMaker(contract, seed);
    const clients = await Promise.all(["memory", ...stacks].map((stack) => fake.connect(stack)));
    for (const operation of contract.operations) {
      for (let at = 0; at < 6; at++) {
        const request = maker.request(operation.input, new Draw([seed, at, 0, 0]));
        const outcomes = await Promise.all(
          clients.map((client) =>
            outcome(async () =>
              operation.kind === "unary"
                ? [await client.prepare(operation)(request)]
                : Array.fromAsync(client.prepareStream(operation)([request])),
            ),
          ),
        );
        expect(outcomes[0]).not.toBeTypeOf("string");
        expect(outcomes).toEqual(outcomes.map(() => outcomes[0]));
      }
    }
  });
});
