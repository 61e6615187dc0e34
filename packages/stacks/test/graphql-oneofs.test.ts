// A oneof is a union in answers and a one-of input in requests: what is chosen crosses as itself, in every place and every style of call.
import { create, type Message } from "@bufbuild/protobuf";
import { NullValue } from "@bufbuild/protobuf/wkt";
import { CallError } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { expect, test } from "vitest";
import { codecsOf } from "../../styles/src/graphql/values/codec.ts";
import { graphqlModel } from "../../styles/src/graphql/schema/model.ts";
import { caught, graphqlStack, pairOf } from "./support/pair.ts";
import { compileContract } from "./support/compile-contract.ts";
import { drawings } from "./support/drawings.ts";
import { graphqlPost } from "./support/graphql-post.ts";

const draw = drawings.operation("drawings.v1.Drawings.Draw");
const find = drawings.operation("drawings.v1.Drawings.FindDrawing");
const get = drawings.operation("drawings.v1.Drawings.GetDrawing");
const watch = drawings.operation("drawings.v1.Drawings.WatchDrawing");

type Request = Message & {
  readonly drawing: Message | undefined;
  readonly readMask: { readonly paths: string[] } | undefined;
};

const kinds: readonly object[] = [
  { case: "circle", value: { radius: 2 } },
  { case: "circle", value: {} },
  { case: "hole", value: { radius: 2 } },
  { case: "label", value: "" },
  { case: "colour", value: 0 },
  { case: "colour", value: 1 },
  { case: "anything", value: { kind: { case: "boolValue", value: false } } },
  { case: "blank", value: {} },
  { case: "wrapped", value: { value: "" } },
  { case: "framed", value: {} },
  { case: "framed", value: { kind: { case: "framed", value: { kind: { case: "label", value: "x" } } } } },
  { case: undefined },
];
const chosenNull = { case: "anything", value: { kind: { case: "nullValue", value: NullValue.NULL_VALUE } } };
const drawingOf = (kind: object): Message => create(draw.output, { kind });

/** A service that gives back what it is asked to draw, and writes down the read masks that it sees. */
function drawingService(kept: Message = create(draw.output)) {
  const masks: (readonly string[] | undefined)[] = [];
  const service = serviceOf(
    drawings,
    new Map([
      [draw.id, (request: Message) => (request as Request).drawing ?? create(draw.output)],
      [find.id, (request: Message) => request],
      [
        get.id,
        (request: Message) => {
          masks.push((request as Request).readMask?.paths);
          return kept;
        },
      ],
      [watch.id, () => drawn([...kinds, chosenNull])] as const,
    ] as never),
  );
  return { service, masks };
}

async function* drawn(which: readonly object[]): AsyncGenerator<Message> {
  for (const kind of which) yield await Promise.resolve(drawingOf(kind));
}

const pair = (kept?: Message) => pairOf(graphqlStack, drawingService(kept).service);

test("every member crosses as itself, there and back, also when it is empty", async () => {
  const { client } = await pair();
  const invoke = client.prepare(draw);
  for (const kind of kinds) {
    const drawing = drawingOf(kind);
    // oxlint-disable-next-line no-await-in-loop
    expect(await invoke(create(draw.input, { drawing }))).toStrictEqual(drawing);
  }
  const several = create(draw.output, {
    id: 1,
    kind: { case: "label", value: "x" },
    only: { case: "data", value: new Uint8Array([1]) },
    labels: [{ id: { case: "ID", value: 0 } }, {}],
    onlyByName: { a: { n: 1 } },
    awkward: [
      { pay: "x", payBy: { case: "card", value: "c" } },
      { toString$: { case: "text", value: "t" }, Typename: { case: "name", value: "n" } },
    ],
  });
  expect(await invoke(create(draw.input, { drawing: several }))).toStrictEqual(several);
});

test("a chosen null is answered, and refused in a request rather than lost", async () => {
  const { client } = await pair(drawingOf(chosenNull));
  expect(await client.prepare(get)(create(get.input))).toStrictEqual(drawingOf(chosenNull));
  const error = await caught(client.prepare(draw)(create(draw.input, { drawing: drawingOf(chosenNull) })));
  expect([error.code, error.message]).toEqual(["INVALID_ARGUMENT", "DrawRequest: kind: a one-of input cannot be null"]);
});

test("arguments of a query, alone and beside others, and messages of a stream hold what was chosen", async () => {
  const { client } = await pair();
  const searches = [
    { byWhat: { case: "id", value: 0 } },
    { byWhat: { case: "ownerName", value: "" }, old: false },
    { byWhat: { case: undefined } },
  ].map((init) => create(find.input, init));
  expect(await Promise.all(searches.map((search) => client.prepare(find)(search)))).toStrictEqual(searches);
  expect(await client.prepareTogether([find, find, find])(searches)).toStrictEqual(searches);
  const messages: Message[] = [];
  for await (const message of client.prepareStream(watch)(searches.slice(0, 1))) messages.push(message);
  expect(messages).toStrictEqual([...kinds, chosenNull].map((kind) => drawingOf(kind)));
});

test("an answer with two members is refused", () => {
  const { decode } = codecsOf(graphqlModel(drawings))(find.output);
  expect(() => decode({ byWhat: { id: 1, ownerName: "x" } })).toThrow("byWhat: only one of id, ownerName may be given");
  expect(() => decode({ byWhat: 1 })).toThrow("not a member of byWhat: 1");
  expect(decode({ byWhat: { id: 1, ownerName: null } })).toStrictEqual(
    create(find.output, { byWhat: { case: "id", value: 1 } }),
  );
});

test("a member that this client does not know is left out", async () => {
  const newer = compileContract(`
    syntax = "proto3";
    package drawings.v1;
    service Drawings { rpc FindDrawing(Search) returns (Search) { option idempotency_level = NO_SIDE_EFFECTS; } }
    message Search { oneof by_what { int32 id = 1; string owner_name = 2; string title = 4; } optional bool old = 3; }
  `);
  const newest = newer.operation(find.id);
  const reply = create(newest.output, { byWhat: { case: "title", value: "x" }, old: true });
  const { server } = await pairOf(graphqlStack, serviceOf(newer, new Map([[find.id, () => reply]])));
  const { client } = await pairOf(graphqlStack, drawingService().service, { connect: { url: server.url } });
  expect(await client.prepare(find)(create(find.input))).toStrictEqual(create(find.output, { old: true }));
});

test.each([
  { kind: { label: "x", circle: {} }, words: "Exactly one key must be specified" },
  { kind: {}, words: "Exactly one key must be specified" },
  { kind: { label: null }, words: "must be non-null" },
])("$kind is refused by the schema", async ({ kind, words }) => {
  const { server } = await pair();
  const query = "mutation m($input: DrawInput!) { draw(input: $input) { id } }";
  const { errors } = await graphqlPost(server, { query, variables: { input: { drawing: { kind } } } });
  expect([errors[0]?.extensions["code"], errors[0]?.message]).toEqual([
    "INVALID_ARGUMENT",
    expect.stringContaining(words),
  ]);
});

test("a literal with two members is refused, null and nothing are an empty oneof", async () => {
  const { server } = await pair();
  const post = (drawing: string) =>
    graphqlPost(server, { query: `mutation { draw(input: { drawing: ${drawing} }) { kind { __typename } } }` });
  expect((await post('{ kind: { label: "x", colour: RED } }')).errors[0]?.extensions["code"]).toBe("INVALID_ARGUMENT");
  expect((await post("{ kind: null }")).data).toEqual({ draw: { kind: null } });
  expect((await post("{}")).data).toEqual({ draw: { kind: null } });
  expect((await post('{ kind: { label: "x" } }')).data).toEqual({
    draw: { kind: { __typename: "DrawingKindLabelMember" } },
  });
});

const circle = "... on DrawingKindCircle { circle { radius } }";
const everyKind = ["circle", "hole", "label", "colour", "anything", "blank", "wrapped", "framed"];

test.each([
  { selection: `id kind { ${circle} }`, mask: ["id", "circle.radius"] },
  { selection: `kind { ... on DrawingKindCircle { round: circle { __typename } } }`, mask: ["circle"] },
  { selection: `kind { ...f ... on DrawingKindLabelMember { label } }`, mask: ["circle.radius", "label"] },
  {
    selection: `kind { ${circle} } kind { ... on DrawingKindHole { hole { radius lineWidth } } }`,
    mask: ["circle.radius", "hole"],
  },
  { selection: "kind { __typename }", mask: everyKind },
  { selection: `kind { __typename ${circle} }`, mask: ["circle.radius", ...everyKind.slice(1)] },
])("{ $selection } reads $mask", async ({ selection, mask }) => {
  const { service, masks } = drawingService();
  const { server } = await pairOf(graphqlStack, service);
  const fragment = selection.includes("...f") ? `fragment f on DrawingKind { ${circle} }` : "";
  expect((await graphqlPost(server, { query: `{ drawing(id: 1) { ${selection} } } ${fragment}` })).errors).toEqual([]);
  expect(masks).toEqual([mask]);
});

test("a client's read mask names members as in every style, and arrives as it was", async () => {
  const kept = create(draw.output, { id: 1, kind: { case: "circle", value: { radius: 3, lineWidth: 4 } } });
  const { service, masks } = drawingService(kept);
  const { client } = await pairOf(graphqlStack, service);
  const invoke = client.prepare(get);
  const masked = (paths: readonly string[]) => invoke(create(get.input, { readMask: { paths: [...paths] } }));
  const radius = create(draw.output, { kind: { case: "circle", value: { radius: 3 } } });
  expect(await masked(["circle.radius", "label"])).toStrictEqual(radius);
  expect(await masked(["label"])).toStrictEqual(create(draw.output));
  expect(masks).toEqual([["circle.radius", "label"], ["label"]]);
  for (const path of ["kind", "kind.circle", "circle.no_such"]) {
    // oxlint-disable-next-line no-await-in-loop
    const error = await caught(masked([path]));
    expect([error.code, error.details.violations.map(({ field }) => field)]).toEqual([
      "INVALID_ARGUMENT",
      ["read_mask"],
    ]);
  }
});

test("a violation names the oneof in the path of its member in GraphQL, and the client gets the contract's path", async () => {
  const { server, client } = await pair();
  const drawing = create(draw.output, { kind: { case: "circle", value: { radius: -1 } } });
  const query = "mutation m($input: DrawInput!) { draw(input: $input) { id } }";
  const variables = { input: { drawing: { kind: { circle: { radius: -1 } } } } };
  const { errors } = await graphqlPost(server, { query, variables });
  expect(errors[0]?.message).toMatch(/^drawing\.kind\.circle\.radius: /);
  expect(errors[0]?.extensions["violations"]).toEqual([
    expect.objectContaining({ field: "drawing.kind.circle.radius" }),
  ]);
  const error = await caught(client.prepare(draw)(create(draw.input, { drawing })));
  expect(error).toBeInstanceOf(CallError);
  expect(error.message).toMatch(/^drawing\.circle\.radius: /);
  expect(error.details.violations.map(({ field }) => field)).toEqual(["drawing.circle.radius"]);
});

function framed(levels: number): Message {
  let drawing: Record<string, unknown> = { id: levels };
  for (let level = 1; level < levels; level++) drawing = { id: levels, kind: { case: "framed", value: drawing } };
  return create(draw.output, drawing);
}

test("a oneof that holds its own message comes back whole, or the call fails", async () => {
  const { client } = await pair();
  const invoke = client.prepare(draw);
  expect(await invoke(create(draw.input, { drawing: framed(6) }))).toStrictEqual(framed(6));
  const error = await caught(invoke(create(draw.input, { drawing: framed(7) })));
  expect([error.code, error.message]).toEqual([
    "INTERNAL",
    "the answer does not fit the contract: Drawing inside Drawing goes deeper than was asked for",
  ]);
});
