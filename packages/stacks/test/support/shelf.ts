// A contract with what dialects of REST spell differently, and its service on a server with settings.
import { create, fromJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { type CallContext, CallError, type Handler, type Operation, type StreamHandler } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { expect } from "vitest";
import { compileContract } from "./compile-contract.ts";
import { pairOf, restStack } from "./pair.ts";

const contract = compileContract(`
  syntax = "proto3";
  package shelf.v1;
  import "google/api/annotations.proto";
  import "google/protobuf/any.proto";
  import "google/protobuf/empty.proto";
  import "google/protobuf/field_mask.proto";
  import "google/protobuf/timestamp.proto";
  service Shelf {
    rpc GetBook(GetBookRequest) returns (Book) {
      option (google.api.http) = {get: "/v1/books/{book_id}"};
    }
    rpc CreateBook(CreateBookRequest) returns (Book) {
      option (google.api.http) = {post: "/v1/books" body: "book"};
    }
    rpc DeleteBook(GetBookRequest) returns (google.protobuf.Empty) {
      option (google.api.http) = {delete: "/v1/books/{book_id}"};
    }
    rpc WatchBooks(GetBookRequest) returns (stream Book) {
      option (google.api.http) = {get: "/v1/books/{book_id}:watch"};
    }
    rpc AddPages(stream Pages) returns (Book) {
      option (google.api.http) = {post: "/v1/pages" body: "data"};
    }
    rpc AddBooks(stream Book) returns (Book) {
      option (google.api.http) = {post: "/v1/books:add" body: "*"};
    }
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

export const [getBook, createBook, deleteBook, watchBooks, addPages, addBooks] = contract.operations as [
  Operation,
  Operation,
  Operation,
  Operation,
  Operation,
  Operation,
];

export const violations = [{ field: "book_id", description: "too odd", reason: "odd" }];
export const details = { reason: "SOLD", domain: "shelf.example", metadata: { left: "0" }, violations };

export function book(json: JsonValue): Message {
  return fromJson(getBook.output, json, { registry: contract.registry });
}

export const whole = book({ bookId: "b", nearBooks: [{ bookId: "c" }], byName: { d: {} }, label: "attic" });

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

const handlers: readonly (readonly [Operation, Handler | StreamHandler])[] = [
  [getBook, foundOnShelf],
  [createBook, (request: Message) => (request as Message & { readonly book: Message }).book],
  [
    deleteBook,
    (request: Message) => {
      found(request);
      return create(deleteBook.output);
    },
  ],
  [
    watchBooks,
    async function* (requests: AsyncIterable<Message>) {
      const [request] = (await Array.fromAsync(requests)) as [Message & { readonly bookId: string }];
      if (request.bookId === "sold") found(request);
      if (request.bookId === "none") return;
      yield book({ bookId: "1", label: '[{"' });
      yield book({ bookId: "2" });
      if (request.bookId === "late") throw new CallError("DATA_LOSS", "in the middle", details);
    },
  ],
  [
    addPages,
    async function* (requests: AsyncIterable<Message>) {
      let bytes = 0;
      for await (const request of requests) bytes += (request as Message & { readonly data: Uint8Array }).data.length;
      yield book({ pageCount: bytes });
    },
  ],
  [
    addBooks,
    async function* (requests: AsyncIterable<Message>) {
      yield book({ pageCount: (await Array.fromAsync(requests)).length });
    },
  ],
];
export const service = serviceOf(contract, new Map(handlers.map(([{ id }, handler]) => [id, handler])));

/** A server with these settings, and a client of it, closed with the test. */
export async function served(settings: Readonly<Record<string, string>>) {
  const { server, client } = await pairOf(restStack, service, { serve: { settings } });
  const answer = async (path: string, init?: RequestInit) => {
    const response = await fetch(new URL(path, server.url), init);
    const { status: httpStatus, headers } = response;
    return { status: httpStatus, type: headers.get("content-type"), headers, text: await response.text() };
  };
  return { client, answer };
}
