// Types inside types inside types: a client asks for as many as a server takes, and never for more.
import { create, type Message } from "@bufbuild/protobuf";
import { serviceOf } from "@roundtrip/contract/service";
import { expect, test } from "vitest";
import { graphqlModel } from "../../styles/src/graphql/schema/model.ts";
import { compileContract } from "./support/compile-contract.ts";
import { graphqlStack, pairOf } from "./support/pair.ts";

test.each([
  { what: "oneofs", isOneof: () => true },
  { what: "maps", isOneof: () => false },
  { what: "oneofs and maps", isOneof: (index: number) => index % 2 === 0 },
])(
  "types deep inside each other through $what are asked for in a document that the server takes",
  async ({ isOneof }) => {
    const types = Array.from({ length: 40 }, (_, index) => {
      const inside = index === 39 ? "string" : `M${index + 1}`;
      return isOneof(index)
        ? `message M${index} { string name = 1; oneof next { ${inside} inside = 2; } }`
        : `message M${index} { string name = 1; map<string, ${inside}> inside = 2; }`;
    });
    const deep = compileContract(`
    syntax = "proto3";
    package deep.v1;
    service Deep { rpc Dig(M0) returns (M0); }
    ${types.join("\n")}
  `);
    const dig = deep.operation("deep.v1.Deep.Dig");
    const service = serviceOf(deep, new Map([[dig.id, (request: Message) => request]]));
    const { client } = await pairOf(graphqlStack, service);
    const sent = create(dig.input, { name: "x" });
    expect(await client.prepare(dig)(sent)).toStrictEqual(sent);
  },
);

test("types that hold each other in a chain deeper than the stack have names", () => {
  const types = Array.from({ length: 12_000 }, (_, index) => `message M${index} { M${index + 1} next = 1; }`);
  const chain = compileContract(`
    syntax = "proto3";
    package chain.v1;
    service Chain { rpc Follow(M0) returns (M0); }
    ${types.join("\n")}
    message M12000 { string name = 1; }
  `);
  const { output } = chain.operation("chain.v1.Chain.Follow");
  expect(graphqlModel(chain).valueTypeOf({ kind: "message", message: output }, "output")).toBe("M0");
});
