// Stubs over the fake: what they write replaces fields of its answers, and what they create is there afterwards.
import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { createFake } from "../../src/fake/fake.ts";
import { parseStubs } from "../../src/stubs/read-stubs.ts";
import { contract } from "../resources/library.ts";
import { type Call, callsTo } from "../support/calls-to.ts";

const plain = callsTo(contract);

function stubbed(text: string): Call {
  const { service } = createFake({ contract, seed: 1, stubs: parseStubs(text, "stubs.yaml", contract) });
  return callsTo(contract, 1, service);
}

const shelf = "shelves/shelf-1";
const book = `${shelf}/books/book-1`;

describe("a stub with fields over a made-up answer", () => {
  it.each<readonly [string, string, JsonObject]>([
    ["a text", "{ title: T }", { title: "T" }],
    ["a zero value", '{ title: "" }', { title: "" }],
    ["a field inside a message", "{ author: { given_name: G } }", { author: { givenName: "G" } }],
    ["a list", "{ tags: [x] }", { tags: ["x"] }],
    ["an empty list", "{ tags: [] }", { tags: [] }],
    ["a map", "{ labels: { a: b } }", { labels: { a: "b" } }],
    ["an enum", "{ state: ARCHIVED }", { state: "ARCHIVED" }],
    ["a member of a oneof", "{ priceNote: free }", { priceNote: "free" }],
    ["a time", '{ create_time: "2026-01-01T00:00:00Z" }', { createTime: "2026-01-01T00:00:00Z" }],
    ["nothing", "{}", {}],
  ])("replaces %s and leaves the rest to the fake", async (_what, response, written) => {
    const before = await plain("GetBook", { name: book });
    const call = stubbed(`operation: GetBook\nmade-up: true\nresponse: ${response}\n`);
    const { author: madeUp, ...rest } = before;
    const { author, ...others } = written;
    const expected: JsonObject = {
      ...rest,
      ...others,
      author: { ...(madeUp as JsonObject), ...(author as JsonObject) },
    };
    if ("priceNote" in written) delete expected["priceCents"];
    for (const [name, value] of Object.entries(expected))
      if (value === "" || (Array.isArray(value) && value.length === 0)) delete expected[name];
    expect(await call("GetBook", { name: book })).toEqual(expected);
    // What sessions store does not change by it.
    expect((await call("ListBooks", { parent: shelf }))["books"]).toContainEqual(before);
  });

  it("fills templates from the call", async () => {
    const call = stubbed(
      'operation: GetBook\nmade-up: true\ntemplate: true\nresponse: { title: "{{request.name}}" }\n',
    );
    const { title, ...rest } = await call("GetBook", { name: book });
    expect(title).toBe(book);
    expect(await plain("GetBook", { name: book })).toMatchObject(rest);
  });

  it.each<readonly [string, string, JsonObject, JsonObject]>([
    ["an answer", "GetBook", { name: book, readMask: "title" }, { title: "T" }],
    [
      "the messages of a list",
      "ListBooks",
      { parent: shelf, pageSize: 1, readMask: "name" },
      { books: [{ name: book }] },
    ],
    [
      "an answer around its message",
      "ListBooks",
      { parent: shelf, readMask: "books.tags" },
      { books: [{ tags: ["x"] }, {}] },
    ],
  ])("is reduced to the mask of a request: %s", async (_what, operation, request, expected) => {
    const call = stubbed(`- operation: GetBook
  made-up: true
  response: { title: T, tags: [x] }
- operation: ListBooks
  when: { pageSize: 1 }
  made-up: true
  response: { books: [{ name: ${book}, title: T }] }
- operation: ListBooks
  made-up: true
  response: { books: [{ name: ${book}, tags: [x] }, { title: T }] }
`);
    const { nextPageToken: _token, ...answer } = await call(operation, request);
    expect(answer).toEqual(expected);
  });

  it("fails as the fake does", async () => {
    const call = stubbed("operation: GetBook\nmade-up: true\nresponse: { title: T }\n");
    await expect(call("GetBook", { name: `${shelf}/books/none` })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("what a stub answers", () => {
  const created = "response: { name: shelves/shelf-1/books/new, title: T }";
  it.each<readonly [string, string, string, boolean]>([
    ["is found if it is created", "CreateBook", created, true],
    ["is found if its fields are created over the fake's", "CreateBook", `made-up: true\n${created}`, true],
    ["is not found if it is not to be kept", "CreateBook", `${created}\nkeep: false`, false],
    [
      "is not found over the fake's if it is not to be kept",
      "CreateBook",
      `made-up: true\n${created}\nkeep: false`,
      false,
    ],
    ["is found if it is to be kept", "ArchiveBook", `${created}\nkeep: true`, true],
    ["is not found otherwise", "ArchiveBook", created, false],
    ["is not found if the call fails", "CreateBook", "error: { code: ABORTED }", false],
    ["is not found without its parent", "CreateBook", "response: { name: shelves/none/books/new, title: T }", false],
    ["is not found without a name", "CreateBook", "response: { title: T }", false],
  ])("%s", async (_what, operation, answer, isFound) => {
    const call = stubbed(`operation: ${operation}\n${answer}\n`);
    const { length } = (await call("ListBooks", { parent: shelf }))["books"] as readonly unknown[];
    const request: JsonObject =
      operation === "CreateBook" ? { parent: shelf, book: { title: "sent" } } : { name: book };
    const answered = await call(operation, request).catch(() => undefined);
    const found = await call("GetBook", { name: `${shelf}/books/new` }).catch(() => undefined);
    expect(found).toEqual(isFound ? answered : undefined);
    const books = (await call("ListBooks", { parent: shelf }))["books"] as readonly JsonObject[];
    expect(books).toHaveLength(length + (isFound ? 1 : 0));
  });

  it.each(["", "keep: true", "made-up: true"])("is not found after a trial: %s", async (how) => {
    const call = stubbed(`operation: CreateBook\n${created}\n${how}\n`);
    await call("CreateBook", { parent: shelf, book: {}, validateOnly: true });
    await expect(call("GetBook", { name: `${shelf}/books/new` })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("replaces what is there", async () => {
    const call = stubbed(`operation: CreateBook\nresponse: { name: ${book}, title: T }\n`);
    await call("CreateBook", { parent: shelf, book: {} });
    expect(await call("GetBook", { name: book })).toEqual({ name: book, title: "T" });
  });

  it("is the answer to a repeated request too", async () => {
    const call = stubbed(`operation: CreateBook\nmade-up: true\n${created}\n`);
    const request = { parent: shelf, book: {}, requestId: "7f9c24e8-3b12-4fef-91e0-56a2d5a0e6a1" };
    const answered = await call("CreateBook", request);
    expect(await call("CreateBook", request)).toEqual(answered);
    expect(await call("GetBook", { name: `${shelf}/books/new` })).toEqual(answered);
  });

  it.each(["", "keep: false\n", "keep: true\n"])("changes nothing again with a repeated request: %s", async (keep) => {
    const stubs = `operation: CreateBook\nwhen: { bookId: "" }\nmade-up: true\nresponse: { title: T }\n${keep}`;
    const call = stubbed(stubs);
    const requestId = "7f9c24e8-3b12-4fef-91e0-56a2d5a0e6a1";
    const { name } = await call("CreateBook", { parent: shelf, book: {}, bookId: "mine", requestId });
    const renamed = { name: name as string, title: "renamed" };
    await call("UpdateBook", { book: renamed, updateMask: "title" });
    await call("CreateBook", { parent: shelf, book: {}, requestId });
    expect(await call("GetBook", { name: name as string })).toMatchObject(renamed);
  });

  it("replaces what the fake created only if it is kept itself", async () => {
    const call = stubbed("operation: CreateBook\nmade-up: true\nresponse: { name: shelves/none/books/new }\n");
    await call("CreateBook", { parent: shelf, book: {}, bookId: "mine" });
    expect(await call("GetBook", { name: `${shelf}/books/mine` })).toMatchObject({ name: `${shelf}/books/mine` });
  });

  it.each<readonly [string, JsonObject]>([
    ["GetBook", { name: book }],
    ["UpdateBook", { book: { name: book } }],
    ["ArchiveBook", { name: book }],
  ])("is kept beside the resource that %s is about", async (operation, request) => {
    const call = stubbed(`operation: ${operation}\nkeep: true\nmade-up: true\n${created}\n`);
    const answered = await call(operation, request);
    const books = (await call("ListBooks", { parent: shelf }))["books"] as readonly JsonObject[];
    expect(books).toContainEqual(answered);
    expect(books.map(({ name }) => name)).toContain(book);
  });

  it("is kept inside a response", async () => {
    const order = "7f9c24e8-3b12-4fef-91e0-56a2d5a0e6a1";
    const call = stubbed(
      `operation: UpdateOrder\nkeep: true\nresponse: { order: { orderId: ${order}, customerName: Ada } }\n`,
    );
    await call("UpdateOrder", { orderId: order });
    expect(await call("GetOrder", { orderId: order })).toEqual({ order: { orderId: order, customerName: "Ada" } });
  });
});
