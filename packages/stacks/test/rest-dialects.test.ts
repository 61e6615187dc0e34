// REST as grpc-gateway and Google's APIs spell it: what their clients find here, and that this project's client understands each.
import { create, fromJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import { type CallContext, CallError, type Client, type Operation } from "@roundtrip/contract";
import { expect, test } from "vitest";
import { caught, pairOf, restStack, serviceWith } from "./support/pair.ts";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { compileContract } from "./support/compile-contract.ts";

const contract = compileContract(`
  syntax = "proto3";
  package shelf.v1;
  import "google/api/annotations.proto";
  import "google/protobuf/any.proto";
  import "google/protobuf/empty.proto";
  import "google/protobuf/field_mask.proto";
  import "google/protobuf/timestamp.proto";
  service Shelf {
    rpc GetBook(GetBookRequest) returns (Book) { option (google.api.http) = {get: "/v1/books/{book_id}"}; }
    rpc CreateBook(CreateBookRequest) returns (Book) { option (google.api.http) = {post: "/v1/books" body: "book"}; }
    rpc DeleteBook(GetBookRequest) returns (google.protobuf.Empty) {
      option (google.api.http) = {delete: "/v1/books/{book_id}"};
    }
    rpc WatchBooks(GetBookRequest) returns (stream Book) {
      option (google.api.http) = {get: "/v1/books/{book_id}:watch"};
    }
    rpc AddPages(stream Pages) returns (Book) { option (google.api.http) = {post: "/v1/pages" body: "data"}; }
    rpc AddBooks(stream Book) returns (Book) { option (google.api.http) = {post: "/v1/books:add" body: "*"}; }
  }
  message GetBookRequest { string book_id = 1; google.protobuf.FieldMask read_mask = 2; }
  message Pages { bytes data = 1; }
  message CreateBookRequest { Book book = 1; }
  message Book {
    string book_id = 1;
    int64 page_count = 2;
    repeated Book near_books = 3;
    map<string, Book> by_name = 4;
    google.protobuf.Timestamp print_time = 5;
    optional string sub_title = 6;
    oneof place { Book above = 7; string label = 8; }
    Book sequel = 9;
    google.protobuf.Any extra = 10;
  }
`);

const [getBook, createBook, deleteBook, watchBooks, addPages, addBooks] = contract.operations as [
  Operation,
  Operation,
  Operation,
  Operation,
  Operation,
  Operation,
];

const violations = [{ field: "book_id", description: "too odd", reason: "odd" }];
const details = { reason: "SOLD", domain: "shelf.example", metadata: { left: "0" }, violations };

function book(json: JsonValue): Message {
  return fromJson(getBook.output, json, { registry: contract.registry });
}

const whole = book({ bookId: "b", nearBooks: [{ bookId: "c" }], byName: { d: {} }, label: "attic" });

function found(request: Message): Message {
  const { bookId, readMask } = request as Message & { readonly bookId: string; readonly readMask?: FieldMask };
  if (bookId === "mask") expect(readMask?.paths).toEqual(["book_id", "near_books.page_count"]);
  if (bookId === "sold") throw new CallError("FAILED_PRECONDITION", "it is sold", details);
  return bookId === "b" ? whole : book({ bookId });
}

function foundOnShelf(request: Message, { metadata, answerMetadata }: CallContext): Message {
  const shelf = metadata.get("shelf");
  if (shelf !== undefined) answerMetadata.set("x-shelf", shelf);
  return found(request);
}

const service = serviceWith(contract, {
  GetBook: foundOnShelf,
  CreateBook: (request: Message) => (request as Message & { readonly book: Message }).book,
  DeleteBook(request: Message) {
    found(request);
    return create(deleteBook.output);
  },
  async *WatchBooks(requests: AsyncIterable<Message>) {
    const [request] = (await Array.fromAsync(requests)) as [Message & { readonly bookId: string }];
    if (request.bookId === "sold") found(request);
    if (request.bookId === "none") return;
    yield book({ bookId: "1", label: '[{"' });
    yield book({ bookId: "2" });
    if (request.bookId === "late") throw new CallError("DATA_LOSS", "in the middle", details);
  },
  async *AddPages(requests: AsyncIterable<Message>) {
    let bytes = 0;
    for await (const request of requests) bytes += (request as Message & { readonly data: Uint8Array }).data.length;
    yield book({ pageCount: bytes });
  },
  async *AddBooks(requests: AsyncIterable<Message>) {
    yield book({ pageCount: (await Array.fromAsync(requests)).length });
  },
});

/** A server with these settings, and a client of it, closed with the test. */
async function served(settings: Readonly<Record<string, string>>) {
  const { server, client } = await pairOf(restStack, service, { serve: { settings } });
  const answer = async (path: string, init?: RequestInit) => {
    const response = await fetch(new URL(path, server.url), init);
    const { status: httpStatus, headers } = response;
    return { status: httpStatus, type: headers.get("content-type"), headers, text: await response.text() };
  };
  return { client, answer };
}

async function watched(client: Client, bookId: string): Promise<unknown> {
  const texts: string[] = [];
  const answers = client.prepareStream(watchBooks)([create(watchBooks.input, { bookId })]);
  try {
    for await (const one of answers) texts.push((one as Message & { readonly bookId: string }).bookId);
    return texts;
  } catch (thrown) {
    const { code, message, details: given } = thrown as CallError;
    return [...texts, { code, message, details: given }];
  }
}

const dialects = ["standard", "grpc-gateway", "google"];

test.each(dialects)("a client understands the answers, errors and streams of %s", async (dialect) => {
  const { client } = await served({ dialect });
  expect(await client.prepare(getBook)(create(getBook.input, { bookId: "b" }))).toEqual(whole);
  expect(await client.prepare(createBook)(create(createBook.input, { book: whole }))).toEqual(whole);
  expect(await client.prepare(deleteBook)(create(deleteBook.input, { bookId: "b" }))).toEqual(
    create(deleteBook.output),
  );
  const sold = { code: "FAILED_PRECONDITION", message: "it is sold", details };
  expect(await caught(client.prepare(deleteBook)(create(deleteBook.input, { bookId: "sold" })))).toMatchObject(sold);
  expect(await watched(client, "b")).toEqual(["1", "2"]);
  expect(await watched(client, "none")).toEqual([]);
  expect(await watched(client, "sold")).toEqual([sold]);
  expect(await watched(client, "late")).toEqual(["1", "2", { code: "DATA_LOSS", message: "in the middle", details }]);
  const added = await Array.fromAsync(client.prepareStream(addBooks)([whole, whole, whole]));
  expect(added).toEqual([book({ pageCount: 3 })]);
  const pages = [1, 2].map((size) => create(addPages.input, { data: new Uint8Array(size) }));
  expect(await Array.fromAsync(client.prepareStream(addPages)(pages))).toEqual([book({ pageCount: 3 })]);
});

test("grpc-gateway's answers have every field, as protojson for Go writes them", async () => {
  const { answer } = await served({ dialect: "grpc-gateway" });
  const { status, type, text } = await answer("/v1/books/c");
  expect([status, type]).toEqual([200, "application/json"]);
  // No members of oneofs, and no unset optional field.
  const unset = { pageCount: "0", nearBooks: [], byName: {}, printTime: null, sequel: null, extra: null };
  expect(JSON.parse(text)).toEqual({ bookId: "c", ...unset });
  const { text: nested } = await answer("/v1/books/b");
  const inner = { bookId: "", ...unset };
  expect(JSON.parse(nested)).toEqual({
    bookId: "b",
    ...unset,
    nearBooks: [{ ...inner, bookId: "c" }],
    byName: { d: inner },
    label: "attic",
  });
});

test("field names are those of the contract on request", async () => {
  const { answer } = await served({ fieldNames: "contract" });
  const { text } = await answer("/v1/books/b");
  expect(JSON.parse(text)).toEqual({
    book_id: "b",
    near_books: [{ book_id: "c" }],
    by_name: { d: {} },
    label: "attic",
  });
});

const localized = { fieldViolations: violations.map((one) => ({ ...one, localizedMessage: null })) };

const badRequest = {
  "@type": "type.googleapis.com/google.rpc.BadRequest",
  fieldViolations: violations,
};
const info = {
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason: "SOLD",
  domain: "shelf.example",
  metadata: { left: "0" },
};
const wholeDetails = [info, { ...badRequest, ...localized }];
const status = { code: 9, message: "it is sold", details: wholeDetails };
const googleStatus = { code: 400, message: "it is sold", status: "FAILED_PRECONDITION", details: [info, badRequest] };

test.each([
  ["grpc-gateway", status, { error: status }],
  ["google", { error: googleStatus }, [{ error: googleStatus }]],
])("errors of %s have its body, in streams too", async (dialect, error, streamError) => {
  const { answer } = await served({ dialect });
  const { status: httpStatus, type, text } = await answer("/v1/books/sold");
  expect([httpStatus, type, JSON.parse(text)]).toEqual([400, "application/json", error]);
  const begun = await answer("/v1/books/sold:watch");
  expect([begun.status, JSON.parse(begun.text)]).toEqual([400, streamError]);
  const nowhere = await answer("/v2/books");
  expect(nowhere.status).toBe(404);
  expect(nowhere.text).toContain(dialect === "google" ? '"NOT_FOUND"' : '"code":5');
});

test("streams of grpc-gateway are lines with a result or an error", async () => {
  const { answer } = await served({ dialect: "grpc-gateway", unsetFields: "omitted" });
  const { status: httpStatus, type, text } = await answer("/v1/books/late:watch");
  expect([httpStatus, type]).toEqual([200, "application/json"]);
  const lines = text.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { result: { bookId: "1", label: '[{"' } },
    { result: { bookId: "2" } },
    { error: { code: 15, message: "in the middle", details: wholeDetails } },
  ]);
});

test("streams of Google's APIs are one array, or events with alt=sse", async () => {
  const { answer } = await served({ dialect: "google" });
  const { type, text } = await answer("/v1/books/b:watch?alt=json");
  expect([type, JSON.parse(text)]).toEqual(["application/json", [{ bookId: "1", label: '[{"' }, { bookId: "2" }]]);
  expect((await answer("/v1/books/none:watch")).text).toBe("[]");
  const late = JSON.parse((await answer("/v1/books/late:watch")).text) as unknown[];
  expect(late[2]).toMatchObject({ error: { code: 500, status: "DATA_LOSS" } });
  const events = await answer("/v1/books/b:watch?alt=sse");
  expect(events.type).toBe("text/event-stream");
  expect(events.text).toBe('data: {"bookId":"1","label":"[{\\""}\r\n\r\ndata: {"bookId":"2"}\r\n\r\n');
});

test("grpc-gateway reads bodies of any media type, and ignores unknown fields in them", async () => {
  const { answer } = await served({ dialect: "grpc-gateway", unsetFields: "omitted" });
  const body = '{"book_id":"n","nonsense":1}';
  for (const headers of [{}, { "content-type": "application/x-www-form-urlencoded" }]) {
    const created = await answer("/v1/books", { method: "POST", body: Buffer.from(body), headers });
    expect([created.status, created.text]).toEqual([200, '{"bookId":"n"}']);
  }
  const added = await answer("/v1/books:add", { method: "POST", body: '{}{"bookId":"x"}\n\n{}' });
  expect(JSON.parse(added.text)).toEqual({ pageCount: "3" });
  expect((await answer("/v1/books/c", { headers: { accept: "image/png" } })).status).toBe(200);
  expect(await answer("/v1/books/c", { method: "DELETE" })).toMatchObject({ status: 200, text: "{}" });
  expect((await answer("/v1/books/c", { method: "PUT" })).status).toBe(501);
});

test("Google's dialect ignores the parameters of its clients, and refuses others", async () => {
  const { answer } = await served({ dialect: "google" });
  const { status: known, text } = await answer("/v1/books/c?$alt=json;enum-encoding=int&key=k&prettyPrint=false");
  expect([known, text]).toEqual([200, '{"bookId":"c"}']);
  expect((await answer("/v1/books/c?nonsense=1")).status).toBe(400);
  const created = await answer("/v1/books", { method: "POST", body: Buffer.from('{"bookId":"n"}') });
  expect([created.status, created.text]).toEqual([200, '{"bookId":"n"}']);
});

test("masks in a URL may have the names of the contract, except by default", async () => {
  for (const [dialect, ofContractNames] of [
    ["standard", 400],
    ["grpc-gateway", 200],
    ["google", 200],
  ] as const) {
    const { answer } = await served({ dialect });
    expect((await answer("/v1/books/mask?read_mask=book_id,near_books.page_count")).status).toBe(ofContractNames);
    expect((await answer("/v1/books/mask?readMask=bookId,nearBooks.pageCount")).status).toBe(200);
  }
});

test("metadata and deadlines of grpc-gateway have its headers, which the client reads", async () => {
  const { client, answer } = await served({ dialect: "grpc-gateway" });
  const asked = await answer("/v1/books/here", { headers: { "Grpc-Metadata-Shelf": "top", "Grpc-Timeout": "5S" } });
  expect(asked.headers.get("grpc-metadata-x-shelf")).toBe("top");
  expect((await answer("/v1/books/c", { headers: { "Grpc-Timeout": "0S" } })).status).toBe(504);
  const reported: unknown[] = [];
  const onMetadata = (metadata: ReadonlyMap<string, string>): void => void reported.push(metadata.get("x-shelf"));
  const metadata = new Map([["shelf", "low"]]);
  await client.prepare(getBook)(create(getBook.input, { bookId: "here" }), { metadata, onMetadata });
  expect(reported).toEqual(["low"]);
});
