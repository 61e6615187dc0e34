// Types inside each other, and types that hold themselves: how deep a client selects, in a document that a server accepts.
import { create } from "@bufbuild/protobuf";
import { CallError, type Contract } from "@roundtrip/contract";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { asksForAllOf } from "../../styles/src/graphql/documents/asked-depth.ts";
import { viewOf } from "../../styles/src/graphql/view.ts";
import { caught, graphqlStack, pairOf, echoService } from "./support/pair.ts";
import { compileContract, variantsOf } from "./support/compile-contract.ts";
import { graphqlModel } from "../../styles/src/graphql/schema/model.ts";

const compiled = variantsOf("branch");

function contractOf(messages: string): () => Contract {
  return compiled(`
    syntax = "proto3";
    package branch.v1;
    service Branches {
      rpc Get(Tree) returns (Tree) { option idempotency_level = NO_SIDE_EFFECTS; }
    }
    ${messages}
  `);
}

async function branches(contract: Contract) {
  const get = contract.operation("branch.v1.Branches.Get");
  const { client } = await pairOf(graphqlStack, echoService(contract));
  return { get, client };
}

type Fields = Record<string, unknown>;

/** Trees inside each other, each the only one of its holder. */
function trees(levels: number, inside: (inner: Fields) => Fields): Fields {
  return levels === 1 ? { name: "leaf" } : { name: "branch", ...inside(trees(levels - 1, inside)) };
}

const forked = `
  message Tree { string name = 1; Tree left = 2; Tree right = 3; repeated Tree more = 4; map<string, Tree> named = 5; }`;
const mutual = `
  message Tree { string name = 1; oneof kind { Tree left = 2; Tree right = 3; Hedge hedge = 4; } Hedge wild = 5; }
  message Hedge { string name = 1; Tree tree = 2; Hedge next = 3; }`;

test.each([
  { what: "by four fields", contract: contractOf(forked), inside: (inner: Fields) => ({ named: { "": inner } }) },
  {
    what: "by another type",
    contract: contractOf(mutual),
    inside: (inner: Fields) => ({ wild: { next: { tree: inner } } }),
    levels: 3,
  },
  {
    what: "by a oneof",
    contract: contractOf(mutual),
    inside: (inner: Fields) => ({ kind: { case: "left" as const, value: inner } }),
  },
])("a type that holds itself $what among others comes back whole", async ({ contract, inside, levels = 6 }) => {
  const { get, client } = await branches(contract());
  const tree = create(get.input, trees(levels, inside));
  expect(await client.prepare(get)(tree)).toStrictEqual(tree);
});

const fields = (count: number): string =>
  Array.from({ length: count }, (_, at) => `Tree t${at} = ${at + 2};`).join(" ");

const everyLevel = "a client names every level, and ends there";
const tooWide = "a client names every level, and a document may not have more fields";

const wide = [
  { count: 1, lost: `Tree inside Tree deeper than 5 times: ${everyLevel}` },
  { count: 2, lost: `Tree inside Tree deeper than 5 times: ${everyLevel}` },
  { count: 8, lost: `Tree inside Tree deeper than 3 times: ${tooWide}` },
  { count: 30, lost: `Tree inside Tree deeper than once: ${tooWide}` },
  { count: 200, lost: `Tree inside Tree: ${tooWide}` },
].map((row) => ({ ...row, compiledContract: contractOf(`message Tree { string name = 1; ${fields(row.count)} }`) }));

test.each(wide)("of a type with $count fields of itself a client knows how deep it asks, and says so", async (row) => {
  const { lost } = row;
  const contract = row.compiledContract();
  const { get, client } = await branches(contract);
  const outcomes: string[] = [];
  const expected: string[] = [];
  for (let levels = 1; levels <= 7; levels++) {
    const tree = create(
      get.input,
      trees(levels, (inner) => ({ t0: inner })),
    );
    expected.push(asksForAllOf(contract, get, tree, tree) ? "whole" : "refused");
    const answer = await client
      .prepare(get)(tree)
      .catch((error: unknown) => error);
    const isRefused = answer instanceof CallError && answer.message.includes("deeper than was asked for");
    outcomes.push(isRefused ? "refused" : isDeepStrictEqual(answer, tree) ? "whole" : String(answer));
  }
  expect(outcomes).toEqual(expected);
  expect([outcomes[0], outcomes.at(-1)]).toEqual(["whole", "refused"]);
  expect(viewOf(get, contract).lost).toEqual([lost]);
  const times = / deeper than (?:(once)|(\d+) times)/.exec(lost);
  const inside = times === null ? 0 : Number(times[2] ?? 1);
  expect(outcomes.filter((one) => one === "whole")).toHaveLength(inside + 1);
});

test.each([
  {
    what: "types that hold each other",
    contract: contractOf(mutual),
    lost: [`Hedge, Tree inside each other deeper than 6 times: ${tooWide}`],
  },
  {
    what: "maps of maps, which take two levels each",
    contract: contractOf(
      "message Tree { map<string, Two> two = 1; } message Two { map<string, Tree> tree = 1; repeated Two two = 2; }",
    ),
    lost: ["Tree, Two inside each other deeper than 11 times: a client names every level, and ends there"],
  },
  {
    what: "a type that does not hold itself, but goes deep",
    contract: contractOf(
      `message Tree { M0 m = 1; } ${Array.from(
        { length: 35 },
        (_, at) => `message M${at} { string name = 1; ${at === 34 ? "" : `M${at + 1} m = 2;`} }`,
      ).join(" ")}`,
    ),
    lost: ["M25.m: a document is 30 fields deep at most"],
  },
  { what: "a type that ends by itself", contract: contractOf("message Tree { string name = 1; }"), lost: [] },
])("what is not asked for of $what is said, with the reason", ({ contract, lost }) => {
  expect(viewOf(contract().operation("branch.v1.Branches.Get"), contract()).lost).toEqual(lost);
});

// Each type holds the next one ten times: a thousand times ten fields, and ten thousand more.
const tenfold = Array.from({ length: 5 }, (_, at) => {
  const inside = at === 4 ? "string" : `Level${at + 1}`;
  return `message Level${at} { ${Array.from({ length: 10 }, (_one, of) => `${inside} f${of} = ${of + 1};`).join(" ")} }`;
});
const widest = contractOf(`message Tree { string name = 1; Level0 all = 2; } ${tenfold.join("\n")}`);

test("a type with more fields than any document may have is refused before it is asked for", async () => {
  const { get, client } = await branches(widest());
  const error = await caught(client.prepare(get)(create(get.input)));
  expect([error.code, error.message]).toEqual([
    "RESOURCE_EXHAUSTED",
    "Tree has more fields than one document may ask for",
  ]);
});

// Types inside types inside types: a client asks for as many as a server takes, and never for more.

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
