// A request is unchanged after it has travelled as path, query and body.
import { create, fromJson, toBinary, type JsonObject, type Message } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requestReader } from "../src/rest/requests/request-reader.ts";
import { requestWriter } from "../src/rest/requests/request-writer.ts";
import { Router } from "../src/rest/router.ts";
import { library } from "../../stacks/test/support/library.ts";

/** Writes a request, finds its route again among all of the contract, and reads it there. */
function travel(contract: Contract, operation: Operation, request: Message): Message {
  const router = new Router<Operation>();
  for (const each of contract.operations) router.add(each.bindings[0], each);
  const [binding] = operation.bindings;
  const { url, body } = requestWriter(contract, operation, binding)(request);
  const [path = "", query = ""] = url.split("?");
  const match = router.match(binding.method, path);
  expect(match?.target.id).toBe(operation.id);
  const json = body === undefined ? undefined : JSON.parse(body as string);
  return requestReader(contract, operation, binding)(match?.segments ?? [], query, json);
}

const text = fc.string({ unit: "grapheme" });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
const double = fc.double().map((value) => (Number.isFinite(value) ? value : String(value)));
const colour = fc.constantFrom("COLOUR_RED", "COLOUR_GREEN", 7);
const timestamp = fc
  .date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true })
  .map((date) => date.toISOString());

const sometimes = { requiredKeys: [] };
const nestedAt = (depth: number): fc.Arbitrary<JsonObject> =>
  fc.record(
    {
      number: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      someText: text,
      colours: fc.array(colour, { maxLength: 3 }),
      ...(depth === 0 ? {} : { deeper: nestedAt(depth - 1).filter(says) }),
    },
    sometimes,
  ) as fc.Arbitrary<JsonObject>;

/** Whether there is anything in it that a URL could say. */
function says(json: JsonObject): boolean {
  return Object.values(json).some(
    (value) => value !== "" && !(Array.isArray(value) && value.length === 0) && value !== undefined,
  );
}

const everything = fc.record(
  {
    text: text.filter((value) => value !== ""),
    big: int64,
    unsignedBig: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
    flag: fc.boolean(),
    real: double,
    smallReal: fc.float().map((value) => (Number.isFinite(value) ? value : String(value))),
    data: fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("base64")),
    colour,
    maybe: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    words: fc.array(text, { maxLength: 3 }),
    numbers: fc.array(int64, { maxLength: 3 }),
    nested: nestedAt(2).filter(says),
    wrappedText: text,
    wrappedBig: int64,
    wrappedFlag: fc.boolean(),
    at: timestamp,
    lasts: fc.integer({ min: -1e9, max: 1e9 }).map((seconds) => `${seconds}s`),
    mask: fc
      .array(fc.constantFrom("text", "nested.someText", "wrappedBig"), { maxLength: 3 })
      .map((paths) => paths.join(",")),
    thatOne: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    times: fc.array(timestamp, { maxLength: 2 }),
  },
  { requiredKeys: ["text", "nested"] },
);

function message(operation: Operation, json: unknown): Message {
  return fromJson(operation.input, json as JsonObject, { registry: library.registry });
}

/** A request before and after, in binary: that distinguishes NaN and negative zero from all else, and lists fields in one order. */
function travelled(operation: Operation, json: unknown): { readonly sent: string; readonly received: string } {
  const request = message(operation, json);
  const bytes = (each: Message) => Buffer.from(toBinary(operation.input, each)).toString("hex");
  return { sent: bytes(request), received: bytes(travel(library, operation, request)) };
}

describe("a request travels without loss", () => {
  test.for(["Find", "Put", "Bare"])("with every kind of field: %s", (name) => {
    const operation = library.operation(`library.v1.Library.${name}`);
    fc.assert(
      fc.property(everything, (json) => {
        // A number in the path is always there.
        fc.pre(name !== "Put" || json.nested["number"] !== undefined);
        const { sent, received } = travelled(operation, json);
        expect(received).toBe(sent);
      }),
      { numRuns: 300 },
    );
  });

  test("with a resource name over several segments, a nested path field and a body", () => {
    const operation = library.operation("library.v1.Library.Change");
    const segment = text.filter((value) => value !== "" && !value.includes("/"));
    fc.assert(
      fc.property(segment, segment, everything, (shelf, book, thing) => {
        const { sent, received } = travelled(operation, { name: `shelves/${shelf}/books/${book}`, thing });
        expect(received).toBe(sent);
      }),
      { numRuns: 200 },
    );
  });

  test("with any text as the rest of a path", () => {
    const operation = library.operation("library.v1.Library.Read");
    fc.assert(
      fc.property(text, (name) => {
        const { sent, received } = travelled(operation, { name });
        expect(received).toBe(sent);
      }),
    );
  });

  test("with a map as the body", () => {
    const operation = library.operation("library.v1.Library.Tag");
    fc.assert(
      fc.property(fc.dictionary(text, fc.integer({ min: 1, max: 100 })), (labels) => {
        const { sent, received } = travelled(operation, { labels });
        expect(received).toBe(sent);
      }),
    );
  });
});

describe("the client refuses values that a URL cannot carry", () => {
  const read = library.operation("library.v1.Library.Read");

  test.for([
    ["a list of messages", { things: [{ text: "a" }] }, /^things: /],
    ["a map", { labels: { a: 1 } }, /^labels: /],
    ["a free-form value", { free: { a: 1 } }, /^free: /],
    ["a list of messages further down", { thing: {}, things: [{}] }, /^things: /],
  ] as const)("%s", ([, json, message_]) => {
    expect(() => requestWriter(library, read, read.bindings[0])(message(read, json))).toThrow(
      expect.objectContaining({ code: "UNIMPLEMENTED", message: expect.stringMatching(message_) as string }),
    );
  });

  test("an empty field in the path", () => {
    const find = library.operation("library.v1.Library.Find");
    expect(() => requestWriter(library, find, find.bindings[0])(create(find.input))).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: "text: cannot be empty: it is part of the path" }),
    );
  });

  test("a resource name of another shape", () => {
    const change = library.operation("library.v1.Library.Change");
    const request = message(change, { name: "shelves/1", thing: { text: "a" } });
    expect(() => requestWriter(library, change, change.bindings[0])(request)).toThrow(/^name: must be like the path/);
  });
});

describe("a field of the path that is repeated in the body", () => {
  const put = library.operation("library.v1.Library.Put");
  const move = library.operation("library.v1.Library.Move");
  const readPut = requestReader(library, put, put.bindings[0]);
  const readMove = requestReader(library, move, move.bindings[0]);

  test.for([
    ["the same number", { number: 7 }],
    ["the same number as text", { number: "7" }],
    ["the same number as ProtoJSON may write it", { number: "7.0" }],
    ["null, which means left out", { number: null }],
    ["nothing", {}],
  ] as const)("is taken when it says the same: %s", ([, nested]) => {
    const body = { nested: { ...nested, some_text: "kept" } };
    expect(readPut(["v1", "things", "7"], "", body)).toMatchObject({ nested: { number: 7, someText: "kept" } });
  });

  test("is refused by name if the values differ", () => {
    expect(() => readPut(["v1", "things", "7"], "", { nested: { number: 1 } })).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        message: 'nested.number: is "7" in the path and something else in the body',
        details: expect.objectContaining({
          violations: [expect.objectContaining({ field: "nested.number" })],
        }) as object,
      }),
    );
  });

  test.for([true, "one", 2 ** 31, [], {}])("is refused when it is no value of the field at all: %j", (number) => {
    expect(() => readPut(["v1", "things", "7"], "", { nested: { number } })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
  });

  test("is found under either of its names", () => {
    for (const name of ["some_text", "someText"]) {
      expect(readMove(["v1", "moves", "new"], "", { [name]: "new", number: 1 })).toMatchObject({ someText: "new" });
      expect(() => readMove(["v1", "moves", "new"], "", { [name]: "old" })).toThrow(/^some_text: is "new" in the path/);
    }
  });
});

test("in a variable over several segments an encoded slash stays encoded, in one over a single segment it is a slash", () => {
  const file = library.operation("library.v1.Library.Read");
  const find = library.operation("library.v1.Library.Find");
  const path = ["v1", "files", "a%2Fb", "c%20d%2f"];
  expect(requestReader(library, file, file.bindings[0])(path, "", undefined)).toMatchObject({ name: "a%2Fb/c d%2f" });
  expect(requestReader(library, find, find.bindings[0])(["v1", "things", "a%2Fb"], "", undefined)).toMatchObject({
    text: "a/b",
  });
});

test("negative zero travels in a URL", () => {
  const { sent, received } = travelled(library.operation("library.v1.Library.Find"), { text: "a", real: -0 });
  expect(received).toBe(sent);
});

test("the contract's names are accepted", () => {
  const find = library.operation("library.v1.Library.Find");
  const read = requestReader(library, find, find.bindings[0]);
  expect(read(["v1", "things", "a"], "unsigned_big=5&nested.some_text=b+c%2B", undefined)).toMatchObject({
    unsignedBig: 5n,
    nested: { someText: "b c+" },
  });
});
