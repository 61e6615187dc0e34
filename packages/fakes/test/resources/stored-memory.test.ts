// What calls store has limits for each session and for all of them, and so has what one list answers.
import { create, type Message } from "@bufbuild/protobuf";
import { CallError, maxListedBytes, ServerCall, StoredMemory } from "@roundtrip/contract";
import { expect, it } from "vitest";
import { maxSessions } from "../../src/fake/sessions.ts";
import { generatedService } from "../../src/generated/generated-service.ts";
import { createFake, type Fake } from "../../src/index.ts";
import { AnsweredRequests } from "../../src/resources/repeated-requests.ts";
import { type Call, callsTo } from "../support/calls-to.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { contract, list, session } from "./library.ts";

const mebibyte = 2 ** 20;
/** Shared by all resources, so that the tests need no memory themselves. */
const theme = "a".repeat(4 * mebibyte);

async function createShelf(fake: Fake, name: string): Promise<Message> {
  const operation = contract.operation("acme.library.v1.LibraryService.CreateShelf");
  const request = create(operation.input, { shelf: { theme } });
  return fake.session(name).service.call(operation, request, new ServerCall());
}

/** Creates shelves in one session after another until one is refused. Returns how many there are, and why. */
async function fill(fake: Fake, names: string): Promise<readonly [created: number, why: string]> {
  for (let created = 0; ; created += 1) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await createShelf(fake, `${names} ${Math.floor(created / 7)}`);
    } catch (thrown) {
      const { code, message } = CallError.from(thrown);
      return [created, `${code}: ${message}`];
    }
  }
}

const full = "RESOURCE_EXHAUSTED: the resources of all sessions exceed 268435456 bytes: delete some";

it("of all sessions have a limit of bytes, and those of sessions that are reset or removed are given back", async () => {
  const fake = createFake({ contract });
  expect(await fill(fake, "session")).toEqual([63, full]);
  fake.reset("session 0");
  expect(await fill(fake, "next")).toEqual([7, full]);
  for (let at = 0; at < maxSessions; at += 1) fake.session(`other ${at}`);
  expect(await fill(fake, "last")).toEqual([63, full]);
});

it("of one session have a limit of bytes, those below a parent that is made up included", async () => {
  const call = session();
  for (let at = 0; at < 7; at += 1) await call("CreateShelf", { shelf: { theme } });
  await expect(call("CreateShelf", { shelf: { theme } })).rejects.toThrow(
    /^the resources of the session exceed 33554432 bytes: delete some$/,
  );
  const boxes = session();
  const listing = async () => {
    for (let at = 0; at < 20_000; at += 1) await boxes("ListBoxes", { name: `halls/${"h".repeat(4_000)}${at}` });
  };
  await expect(listing()).rejects.toThrow(/^the resources of the session exceed/);
});

it("of initial resources is given to others, and they come back as they were", async () => {
  const [call, fresh] = [300_000, 2 ** 30].map((bytes) =>
    callsTo(contract, 1, generatedService(contract, 1, new StoredMemory("the resources", bytes))),
  ) as [Call, Call];
  const created = await call("CreateBook", { parent: "shelves/shelf-3", book: { title: "mine" } });
  const first = { parent: "shelves/shelf-1", pageSize: 20 };
  const page = await call("ListBooks", first);
  const listing = async () => {
    for (let at = 0; at < 1_000; at += 1) await call("ListBoxes", { name: `halls/${at}` });
  };
  await expect(listing()).rejects.toMatchObject({ code: "RESOURCE_EXHAUSTED" });
  const second = { parent: "shelves/shelf-2", pageSize: 50 };
  expect(await call("ListBooks", second)).toEqual(await fresh("ListBooks", second));
  const next = await call("ListBooks", { ...first, pageToken: page["nextPageToken"] ?? "" });
  const whole = await fresh("ListBooks", { ...first, pageSize: 50 });
  expect([...list(page["books"]), ...list(next["books"])]).toEqual(whole["books"]);
  expect(await call("GetBook", { name: created["name"] ?? "" })).toEqual(created);
});

/** Customers have invoices, and these lines, in a session with this many bytes. */
function chain(bytes: number): Call {
  const tree = compileContract(`syntax = "proto3"; package chain.v1; import "google/api/annotations.proto";
service Chain {
  rpc GetCustomer(Name) returns (Customer) { option (google.api.http) = {get: "/v1/{name=customers/*}"}; }
  rpc ListCustomers(Page) returns (Customers) { option (google.api.http) = {get: "/v1/customers"}; }
  rpc CreateCustomer(NewCustomer) returns (Customer) { option (google.api.http) = {post: "/v1/customers" body: "customer"}; }
  rpc DeleteCustomer(Name) returns (Customer) { option (google.api.http) = {delete: "/v1/{name=customers/*}"}; }
  rpc GetInvoice(Name) returns (Invoice) { option (google.api.http) = {get: "/v1/{name=customers/*/invoices/*}"}; }
  rpc ListInvoices(Page) returns (Invoices) { option (google.api.http) = {get: "/v1/{parent=customers/*}/invoices"}; }
  rpc CreateInvoice(NewInvoice) returns (Invoice) { option (google.api.http) = {post: "/v1/{parent=customers/*}/invoices" body: "invoice"}; }
  rpc GetLine(Name) returns (Line) { option (google.api.http) = {get: "/v1/{name=customers/*/invoices/*/lines/*}"}; }
  rpc ListLines(Page) returns (Lines) { option (google.api.http) = {get: "/v1/{parent=customers/*/invoices/*}/lines"}; }
  rpc CreateLine(NewLine) returns (Line) { option (google.api.http) = {post: "/v1/{parent=customers/*/invoices/*}/lines" body: "line"}; }
}
message Customer { string name = 1; } message Invoice { string name = 1; } message Line { string name = 1; string text = 2; }
message Name { string name = 1; } message Page { string parent = 1; int32 page_size = 2; }
message Customers { repeated Customer customers = 1; } message Invoices { repeated Invoice invoices = 1; } message Lines { repeated Line lines = 1; }
message NewCustomer { Customer customer = 1; string customer_id = 2; } message NewInvoice { string parent = 1; Invoice invoice = 2; string invoice_id = 3; }
message NewLine { string parent = 1; Line line = 2; string line_id = 3; }`);
  return callsTo(tree, 1, generatedService(tree, 1, new StoredMemory("the resources", bytes)));
}

const customer = "customers/customer-1";
const invoice = `${customer}/invoices/invoice-1`;

it("below what was freed is deleted with what is above", async () => {
  const call = chain(100_000);
  await call("CreateLine", { parent: invoice, lineId: "mine", line: { text: "mine" } });
  const listing = async () => {
    for (let at = 2; at < 100; at += 1) await call("ListInvoices", { parent: `customers/customer-${at}` });
  };
  await expect(listing()).rejects.toMatchObject({ code: "RESOURCE_EXHAUSTED" });
  // Frees the invoices of all customers.
  await call("ListLines", { parent: "customers/customer-3/invoices/invoice-1" });
  await call("DeleteCustomer", { name: customer });
  await call("CreateCustomer", { customerId: "customer-1", customer: {} });
  await call("CreateInvoice", { parent: customer, invoiceId: "invoice-1", invoice: {} });
  expect(await call("ListLines", { parent: invoice })).toEqual({});
});

async function listedLines(bytes: number): Promise<string> {
  return chain(bytes)("ListLines", { pageSize: 1_000 }).then(JSON.stringify, ({ code }: CallError) => code);
}

it("of a list without its parent is there as a whole, or the list is refused", async () => {
  const outcomes = await Promise.all(Array.from({ length: 30 }, (_, at) => listedLines(30_000 + at * 1_000)));
  expect([...new Set(outcomes)]).toEqual(["RESOURCE_EXHAUSTED", await listedLines(2 ** 30)]);
});

it("end a page before the answer is too large, and the next page continues", async () => {
  const call = session();
  const half = theme.slice(0, maxListedBytes / 2 - 1_000);
  for (const shelfId of ["a", "b", "c"]) await call("CreateShelf", { shelfId, shelf: { theme: half } });
  const filter = `name != none AND theme != ""`;
  let pageToken = "";
  const names: string[] = [];
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page's token is in the page before
    const page = await call("ListShelves", { pageSize: 1_000, pageToken, filter });
    names.push(
      list(page["shelves"])
        .map(({ name }) => (name as string).replace("shelves/", ""))
        .join()
        .slice(-9),
    );
    pageToken = (page["nextPageToken"] ?? "") as string;
  } while (pageToken !== "");
  expect(names.map((text) => text.slice(-3))).toEqual(["0,a", "b,c"]);
});

it("refuses a list without tokens, and a batch, that are too large", async () => {
  const call = callsTo(
    compileContract(`syntax = "proto3"; package plain.v1;
service Things { rpc GetThing(Name) returns (Thing); rpc CreateThing(Thing) returns (Thing); rpc ListThings(Query) returns (All);
  rpc BatchGetThings(Names) returns (All); }
message Thing { string id = 1; string text = 2; } message Name { string id = 1; } message Names { repeated string ids = 1; }
message Query { int32 limit = 1; } message All { repeated Thing things = 1; }`),
  );
  for (const id of ["a", "b"]) await call("CreateThing", { id, text: theme.slice(0, 3 * mebibyte) });
  const tooLarge = `the answer would exceed ${maxListedBytes} bytes: ask for fewer entries`;
  await expect(call("ListThings", { limit: 1_000 })).rejects.toThrow(tooLarge);
  await expect(call("BatchGetThings", { ids: ["a", "b"] })).rejects.toThrow(tooLarge);
  expect(list((await call("BatchGetThings", { ids: ["a"] }))["things"])).toHaveLength(1);
});

it("of an answer is given back when another answers the same request", () => {
  const memory = new StoredMemory("answers", mebibyte);
  const answered = new AnsweredRequests(memory);
  const { output } = contract.operation("acme.library.v1.LibraryService.GetShelf");
  for (const letter of ["a", "b"]) answered.add("request", create(output, { theme: letter.repeat(mebibyte / 4) }));
  expect(() => memory.take(mebibyte / 2)).not.toThrow();
  expect(answered.repeat("request")).toMatchObject({ theme: "b".repeat(mebibyte / 4) });
});
