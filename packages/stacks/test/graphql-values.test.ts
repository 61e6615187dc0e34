// Every kind of value that protobuf has crosses GraphQL unchanged, or is refused if GraphQL cannot express it. A oneof is a union in answers and a one-of input in requests.
import { create, type Message } from "@bufbuild/protobuf";
import { NullValue } from "@bufbuild/protobuf/wkt";
import { CallError } from "@roundtrip/contract";
import { afterAll, expect, test } from "vitest";
import { caught, graphqlStack, pairOf, echoService, keptPair, serviceWith } from "./support/pair.ts";
import { compileContract } from "./support/compile-contract.ts";
import { graphqlPost } from "./support/graphql-post.ts";
import { library } from "./support/library.ts";
import { EchoResponseSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { drawings } from "./support/drawings.ts";
import { conformanceService } from "./support/streams.ts";

const maps = compileContract(`
  syntax = "proto2";
  package maps.v1;
  import "google/protobuf/struct.proto";
  import "google/protobuf/wrappers.proto";
  service Maps { rpc PutAll(All) returns (All); }
  message Leaf { optional int32 n = 1 [default = 7]; required string r = 2; }
  enum Size { SIZE_UNSPECIFIED = 0; SIZE_S = 1; SIZE_L = 2; }
  message All {
    map<int32, string> by_int = 1;
    map<bool, Leaf> by_bool = 2;
    map<uint64, bytes> by_long = 3;
    map<string, Size> sizes = 4;
    optional Size size = 5;
    repeated Size many = 6;
    repeated google.protobuf.Int64Value longs = 7;
    oneof pick { google.protobuf.StringValue text = 8; Leaf leaf = 9; bool flag = 10; }
    optional google.protobuf.ListValue list = 11;
    optional string constructor = 12;
    repeated uint32 counts = 13;
    optional fixed32 unsigned = 14 [default = 3];
    optional int64 as_text = 15 [jstype = JS_STRING];
  }
`);

const {
  server: libraryServer,
  client: libraryClient,
  close: closeLibrary,
} = await keptPair(graphqlStack, echoService(library), {});
const { client: mapsClient, close: closeMaps } = await keptPair(graphqlStack, echoService(maps), {});
afterAll(() => Promise.all([closeLibrary(), closeMaps()]));

const put = library.operation("library.v1.Library.Put");
const putAll = maps.operation("maps.v1.Maps.PutAll");

test("maps of every key, proto2 presence and names that JavaScript keeps come back equal", async () => {
  const invoke = mapsClient.prepare(putAll);
  const inits: readonly object[] = [
    {},
    {
      byInt: { "-1": "minus", 7: "" },
      byBool: { true: { r: "set", n: 0 }, false: { r: "" } },
      byLong: { "18446744073709551615": new Uint8Array([0, 255]) },
      sizes: { small: 1, none: 0 },
      size: 2,
      many: [2, 0, 1],
      longs: [{ value: 2n ** 60n }, { value: 0n }],
      pick: { case: "text", value: { value: "" } },
      constructor$: "c",
      counts: [0, 2 ** 32 - 1],
      unsigned: 0,
      asText: "9007199254740993",
    },
    { pick: { case: "leaf", value: { r: "x" } } },
    { pick: { case: "flag", value: false } },
  ];
  for (const init of inits) {
    const sent = create(putAll.input, { ...init });
    const got = await invoke(sent);
    expect(got).toStrictEqual(sent);
  }
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0])(
  "%d comes back as it is, as a double, as a float and as the literal that people write",
  async (value) => {
    const sent = create(put.input, { real: value, smallReal: value });
    expect(await libraryClient.prepare(put)(sent)).toStrictEqual(sent);
    const literal = Number.isFinite(value) ? "-0.0" : JSON.stringify(String(value));
    const { data } = await graphqlPost(libraryServer, {
      query: `mutation { put(input: { real: ${literal} }) { real } }`,
    });
    const { real: back } = (data as { readonly put: { readonly real: unknown } }).put;
    expect(back).toBe(Number.isFinite(value) ? -0 : String(value));
  },
);

test("an answer that GraphQL cannot carry is the server's fault, and reveals nothing of its inside", async () => {
  const faulty = serviceWith(library, { Put: () => create(put.output, { colour: 9, text: "x" }) });
  const { client: caller } = await pairOf(graphqlStack, faulty);
  const error = await caught(caller.prepare(put)(create(put.input)));
  expect([error.code, error.message]).toEqual(["INTERNAL", "internal error"]);
});

test.each([
  { field: "big", value: "9223372036854775808" },
  { field: "big", value: 2 ** 63 },
  { field: "big", value: "0x10" },
  { field: "unsignedBig", value: "-1" },
  { field: "data", value: "***" },
  { field: "at", value: "yesterday" },
  { field: "lasts", value: "5 minutes" },
  { field: "colour", value: "COLOUR_UNSPECIFIED" },
  { field: "maybe", value: 2 ** 31 },
  { field: "real", value: "0x10" },
  { field: "smallReal", value: 1e39 },
  { field: "text", value: "half a pair: \uD83D" },
])("$field: $value is refused as the caller's fault", async ({ field, value }) => {
  const query = "mutation m($input: EverythingInput!) { put(input: $input) { text } }";
  const { errors } = await graphqlPost(libraryServer, { query, variables: { input: { [field]: value } } });
  expect(errors[0]?.extensions["code"]).toBe("INVALID_ARGUMENT");
});

test("an empty message is there or not: false is the same as null", async () => {
  const service = conformanceService({ echo: ({ values }) => create(EchoResponseSchema, { values }) });
  const { server } = await pairOf(graphqlStack, service);
  const query =
    "mutation { echo(input: { values: { wellKnown: { empty: false }, choice: { kind: { nothing: false } } } }) { values { wellKnown { empty } choice { kind { __typename } } } } }";
  const values = { wellKnown: { empty: null }, choice: { kind: null } };
  expect((await graphqlPost(server, { query })).data).toEqual({ echo: { values } });
});

// A oneof is a union in answers and a one-of input in requests: what is chosen crosses as itself, in every place and every style of call.

const draw = drawings.operation("drawings.v1.Drawings.Draw");
const findDrawing = drawings.operation("drawings.v1.Drawings.FindDrawing");
const getDrawing = drawings.operation("drawings.v1.Drawings.GetDrawing");
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
  const service = serviceWith(drawings, {
    Draw: (request: Message) => (request as Request).drawing ?? create(draw.output),
    FindDrawing: (request: Message) => request,
    GetDrawing(request: Message) {
      masks.push((request as Request).readMask?.paths);
      return kept;
    },
    WatchDrawing: () => drawn([...kinds, chosenNull]),
  });
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
  expect(await client.prepare(getDrawing)(create(getDrawing.input))).toStrictEqual(drawingOf(chosenNull));
  const error = await caught(client.prepare(draw)(create(draw.input, { drawing: drawingOf(chosenNull) })));
  expect([error.code, error.message]).toEqual(["INVALID_ARGUMENT", "DrawRequest: kind: a one-of input cannot be null"]);
});

test("arguments of a query, alone and beside others, and messages of a stream hold what was chosen", async () => {
  const { client } = await pair();
  const searches = [
    { byWhat: { case: "id", value: 0 } },
    { byWhat: { case: "ownerName", value: "" }, old: false },
    { byWhat: { case: undefined } },
  ].map((init) => create(findDrawing.input, init));
  expect(await Promise.all(searches.map((search) => client.prepare(findDrawing)(search)))).toStrictEqual(searches);
  expect(await client.prepareTogether([findDrawing, findDrawing, findDrawing])(searches)).toStrictEqual(searches);
  const messages: Message[] = [];
  for await (const message of client.prepareStream(watch)(searches.slice(0, 1))) messages.push(message);
  expect(messages).toStrictEqual([...kinds, chosenNull].map((kind) => drawingOf(kind)));
});

test("a member that this client does not know is left out", async () => {
  const newer = compileContract(`
    syntax = "proto3";
    package drawings.v1;
    service Drawings { rpc FindDrawing(Search) returns (Search) { option idempotency_level = NO_SIDE_EFFECTS; } }
    message Search { oneof by_what { int32 id = 1; string owner_name = 2; string title = 4; } optional bool old = 3; }
  `);
  const newest = newer.operation(findDrawing.id);
  const reply = create(newest.output, { byWhat: { case: "title", value: "x" }, old: true });
  const { server } = await pairOf(graphqlStack, serviceWith(newer, { FindDrawing: () => reply }));
  const { client } = await pairOf(graphqlStack, drawingService().service, { connect: { url: server.url } });
  expect(await client.prepare(findDrawing)(create(findDrawing.input))).toStrictEqual(
    create(findDrawing.output, { old: true }),
  );
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
