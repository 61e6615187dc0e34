// Resources of a fake behave as those of a server: a write over one call is visible in all others.
import { fromJson, toJson, type JsonObject, type JsonValue, type Message } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { builtInContract, type Contract, ServerCall } from "@roundtrip/contract";
import { findResources } from "@roundtrip/contract/resources";
import { describe, expect, it } from "vitest";
import { generatedService } from "../../src/generated/generated-service.ts";
import { exampleRequests } from "../../src/parts.ts";
import type { Call } from "../support/calls-to.ts";
import { contract, failing, list, session } from "./library.ts";

/** All pages of a list, joined. */
async function allOf(call: Call, method: string, field: string, request: JsonObject): Promise<readonly JsonObject[]> {
  const all: JsonObject[] = [];
  let pageToken: JsonValue = "";
  do {
    // Each page's token is in the page before.
    // oxlint-disable-next-line no-await-in-loop
    const page: JsonObject = await call(method, { ...request, pageToken });
    all.push(...list(page[field]));
    pageToken = page["nextPageToken"] ?? "";
  } while (pageToken !== "");
  return all;
}

describe("a session", () => {
  it("starts with the same resources for the same seed, and with others for another seed", async () => {
    const first = await session()("ListShelves");
    expect(await session()("ListShelves")).toEqual(first);
    expect(await session(2)("ListShelves")).not.toEqual(first);
    expect(list(first["shelves"])).toHaveLength(50);
    expect(first["totalSize"]).toBe(120);
  });

  it("does not see changes of other sessions", async () => {
    const [first, second] = [session(), session()];
    await first("CreateShelf", { shelfId: "mine", shelf: { theme: "sea" } });
    await expect(second("GetShelf", { name: "shelves/mine" })).rejects.toThrow(failing("NOT_FOUND"));
    await first("DeleteShelf", { name: "shelves/shelf-1", force: true });
    expect(await second("GetShelf", { name: "shelves/shelf-1" })).toMatchObject({ name: "shelves/shelf-1" });
  });
});

function resourcesOf(of: Contract): readonly string[] {
  return findResources(of).map(({ message }) => message.name);
}

it("is found only where standard methods use it", () => {
  expect(resourcesOf(builtInContract())).toEqual(["Customer", "Product", "Invoice"]);
  expect(resourcesOf(contract)).toEqual(["Shelf", "Book", "Order", "Line", "Box", "Seat"]);
});

it.each([1, 2])(
  "exists initially on several pages, all of which obey the contract's rules, with the seed %i",
  async (seed) => {
    const validator = createValidator({ registry: contract.registry });
    for (const { method, output } of contract.operations.filter(({ method: { name } }) =>
      /^List(?:Books|Orders)$/.test(name),
    )) {
      // oxlint-disable-next-line no-await-in-loop
      const page = await session(seed)(
        method.name,
        method.name === "ListBooks" ? { parent: "shelves/shelf-9", pageSize: 1_000 } : { limit: 1_000 },
      );
      expect(list(page["books"] ?? page["orders"]).length).toBeGreaterThan(20);
      expect(validator.validate(output, fromJson(output, page)).kind).toBe("valid");
    }
  },
);

describe("a named resource", () => {
  const parent = "shelves/shelf-2";

  it("is created, got, listed, updated and deleted", async () => {
    const call = session();
    const created = await call("CreateBook", {
      parent,
      bookId: "tides",
      book: { title: "Tides", tags: ["sea"], author: { familyName: "Marsh" } },
    });
    const name = `${parent}/books/tides`;
    expect(created).toMatchObject({ name, title: "Tides", tags: ["sea"], author: { familyName: "Marsh" } });
    expect(await call("GetBook", { name })).toEqual(created);
    expect(await allOf(call, "ListBooks", "books", { parent, pageSize: 7 })).toContainEqual(created);
    const updated = await call("UpdateBook", {
      book: { name, title: "High tides", etag: created["etag"] as string },
      updateMask: "title",
    });
    expect(updated).toMatchObject({ name, title: "High tides", tags: ["sea"] });
    expect(await call("GetBook", { name })).toEqual(updated);
    expect(await call("DeleteBook", { name })).toEqual({});
    await expect(call("GetBook", { name })).rejects.toThrow(failing("NOT_FOUND"));
    await expect(call("DeleteBook", { name })).rejects.toThrow(failing("NOT_FOUND"));
    expect(await call("DeleteBook", { name, allowMissing: true })).toEqual({});
  });

  it("gets its output-only fields from the service: name, increasing times, and a changing etag", async () => {
    const call = session();
    const created = await call("CreateBook", { parent, book: { uid: "mine", createTime: "1999-01-01T00:00:00Z" } });
    expect(Object.keys(created).toSorted()).toEqual(["createTime", "etag", "name", "state", "uid", "updateTime"]);
    expect(created["uid"]).not.toBe("mine");
    expect(created["name"]).toMatch(/^shelves\/shelf-2\/books\/book-\d+$/);
    const updated = await call("UpdateBook", { book: { name: created["name"] as string, title: "New" } });
    expect(updated).toMatchObject({ uid: created["uid"], createTime: created["createTime"] });
    expect((updated["updateTime"] as string) > (created["updateTime"] as string)).toBe(true);
    expect(updated["etag"]).not.toBe(created["etag"]);
  });

  it("cannot be overwritten with an outdated etag", async () => {
    const call = session();
    const name = `${parent}/books/book-1`;
    const { etag } = (await call("GetBook", { name })) as { readonly etag: string };
    await call("UpdateBook", { book: { name, title: "First" } });
    await expect(call("UpdateBook", { book: { name, title: "Second", etag } })).rejects.toThrow(failing("ABORTED"));
    await expect(call("DeleteBook", { name, etag })).rejects.toThrow(failing("ABORTED"));
    expect(await call("GetBook", { name })).toMatchObject({ title: "First" });
  });

  it("fails with codes and details for clients", async () => {
    const call = session();
    const info = { domain: "library.acme.dev", metadata: { name: "shelves/none" } };
    await expect(call("GetShelf", { name: "shelves/none" })).rejects.toThrow(
      failing("NOT_FOUND", { ...info, reason: "SHELF_NOT_FOUND" }),
    );
    await expect(call("ListBooks", { parent: "shelves/none" })).rejects.toThrow(
      failing("NOT_FOUND", { ...info, reason: "SHELF_NOT_FOUND" }),
    );
    await expect(call("CreateBook", { parent: "shelves/none" })).rejects.toThrow(failing("NOT_FOUND"));
    await expect(call("CreateBook", { parent, bookId: "book-1" })).rejects.toThrow(
      failing("ALREADY_EXISTS", { reason: "BOOK_EXISTS" }),
    );
    await expect(call("UpdateBook", { book: { name: `${parent}/books/none` } })).rejects.toThrow(failing("NOT_FOUND"));
    await expect(call("GetBook", { name: `${parent}/books/book-1`, readMask: "title,nothing" })).rejects.toThrow(
      failing("INVALID_ARGUMENT"),
    );
    await expect(call("ListBooks", { parent, pageSize: -1 })).rejects.toThrow(failing("INVALID_ARGUMENT"));
  });

  it("is created by an update with allow_missing, and not by validate_only", async () => {
    const call = session();
    const name = `${parent}/books/late`;
    expect(await call("CreateBook", { parent, bookId: "late", validateOnly: true })).toMatchObject({ name });
    await expect(call("GetBook", { name })).rejects.toThrow(failing("NOT_FOUND"));
    await call("UpdateBook", { book: { name, title: "Late" }, allowMissing: true });
    expect(await call("GetBook", { name })).toMatchObject({ name, title: "Late" });
  });

  it("can be read and written in nested parts", async () => {
    const call = session();
    const name = `${parent}/books/parts`;
    await call("CreateBook", {
      parent,
      bookId: "parts",
      book: { title: "Parts", author: { givenName: "Ada", familyName: "Marsh" }, labels: { a: "b" } },
    });
    expect(await call("GetBook", { name, readMask: "author.familyName,labels" })).toEqual({
      author: { familyName: "Marsh" },
      labels: { a: "b" },
    });
    const updated = await call("UpdateBook", {
      book: { name, author: { givenName: "Eve" } },
      updateMask: "author.givenName,labels",
    });
    expect(updated).toMatchObject({ author: { givenName: "Eve", familyName: "Marsh" }, title: "Parts" });
    expect(updated).not.toHaveProperty("labels");
    const [listed] = list((await call("ListBooks", { parent, pageSize: 1, readMask: "title" }))["books"]);
    expect(Object.keys(listed ?? {})).toEqual(["title"]);
  });

  it("does not appear in a new parent", async () => {
    const call = session();
    await call("CreateShelf", { shelfId: "new" });
    expect(list((await call("ListBooks", { parent: "shelves/new" }))["books"])).toEqual([]);
    const { name } = await call("CreateBook", { parent: "shelves/new", book: { title: "First" } });
    expect(list((await call("ListBooks", { parent: "shelves/new" }))["books"])).toMatchObject([
      { name, title: "First" },
    ]);
  });

  it("is deleted with its parent, and does not return with a new one", async () => {
    const call = session();
    const shelf = "shelves/shelf-3";
    expect(list((await call("ListBooks", { parent: shelf }))["books"])).toHaveLength(30);
    await expect(call("DeleteShelf", { name: shelf })).rejects.toThrow(failing("FAILED_PRECONDITION"));
    await call("DeleteShelf", { name: shelf, force: true });
    await expect(call("GetBook", { name: `${shelf}/books/book-1` })).rejects.toThrow(failing("NOT_FOUND"));
    await call("CreateShelf", { shelfId: "shelf-3" });
    expect(list((await call("ListBooks", { parent: shelf }))["books"])).toEqual([]);
  });

  it("appears in lists over several parents, in streams, and in batches", async () => {
    const call = session();
    const across = await allOf(call, "ListBooks", "books", { parent: "shelves/-", pageSize: 13 });
    expect(new Set(across.map(({ name }) => (name as string).split("/").slice(0, 2).join("/"))).size).toBe(3);
    const names = [`${parent}/books/book-3`, `${parent}/books/book-1`];
    const { books } = await call("BatchGetBooks", { parent, names });
    expect(list(books).map(({ name }) => name)).toEqual(names);
    await expect(call("BatchGetBooks", { parent, names: [...names, `${parent}/books/none`] })).rejects.toThrow(
      failing("NOT_FOUND"),
    );
    const operation = contract.operation("acme.library.v1.LibraryService.StreamBooks");
    async function* requests(): AsyncGenerator<Message> {
      yield fromJson(operation.input, { parent, pageSize: 4 });
    }
    const streamed = await Array.fromAsync(
      generatedService(contract, 1).stream(operation, requests(), new ServerCall()),
    );
    expect(streamed.map((book) => toJson(operation.output, book))).toEqual(
      list((await call("ListBooks", { parent, pageSize: 4 }))["books"]),
    );
  });

  it("changes its state by a custom method", async () => {
    const call = session();
    const name = `${parent}/books/book-4`;
    expect(await call("ArchiveBook", { name })).toMatchObject({ name, state: "ARCHIVED" });
    expect(await call("GetBook", { name })).toMatchObject({ state: "ARCHIVED" });
    await expect(call("ArchiveBook", { name: `${parent}/books/none` })).rejects.toThrow(failing("NOT_FOUND"));
  });
});

describe("a list", () => {
  it("is filtered by equality and ordered by fields, and rejects other filters", async () => {
    const call = session();
    await call("CreateShelf", { shelfId: "a", shelf: { theme: "the sea" } });
    await call("CreateShelf", { shelfId: "b", shelf: { theme: "the sea" } });
    const filter = 'theme = "the sea"';
    const found = await allOf(call, "ListShelves", "shelves", { filter, pageSize: 1, orderBy: "name desc" });
    expect(found.map(({ name }) => name)).toEqual(["shelves/b", "shelves/a"]);
    expect((await call("ListShelves", { filter }))["totalSize"]).toBe(2);
    await expect(call("ListShelves", { filter: "theme > 3" })).rejects.toThrow(failing("UNIMPLEMENTED"));
    await expect(call("ListShelves", { filter: "colour = 3" })).rejects.toThrow(failing("INVALID_ARGUMENT"));
    await expect(call("ListShelves", { orderBy: "colour" })).rejects.toThrow(failing("INVALID_ARGUMENT"));
  });

  it.each([
    ["behind a term that no entry fits", 'theme = "no such theme" AND colour = 3'],
    ["inside a text", "theme.colour = 3"],
    ["that would be unequal", "colour != 3"],
  ])("refuses a filter with an unknown field %s, whether or not it has entries", async (_, filter) => {
    const call = session();
    const unknown = call("ListShelves", { filter });
    await expect(unknown).rejects.toThrow(/^filter: Shelf has no field "[\w.]+" to compare/);
    const shelves = await allOf(call, "ListShelves", "shelves", {});
    for (const { name = null } of shelves) await call("DeleteShelf", { name, force: true });
    expect((await call("ListShelves", {}))["shelves"] ?? []).toEqual([]);
    await expect(call("ListShelves", { filter })).rejects.toThrow(failing("INVALID_ARGUMENT"));
  });

  it("continues after deletions, and only for the same request", async () => {
    const call = session();
    const first = await call("ListShelves", { pageSize: 3 });
    const pageToken = first["nextPageToken"] as string;
    await call("DeleteShelf", { name: "shelves/shelf-3", force: true });
    const next = await call("ListShelves", { pageSize: 2, pageToken });
    expect(list(next["shelves"]).map(({ name }) => name)).toEqual(["shelves/shelf-4", "shelves/shelf-5"]);
    await expect(call("ListShelves", { pageToken, filter: "theme=x" })).rejects.toThrow(failing("INVALID_ARGUMENT"));
    await expect(call("ListShelves", { pageToken: "made up" })).rejects.toThrow(failing("INVALID_ARGUMENT"));
  });

  it.each([
    ["filter", 'theme != "a" AND '.repeat(400) + 'theme != "b"'],
    ["order_by", Array.from({ length: 2_000 }, () => "theme").join()],
    ["page_token", "a".repeat(5_000)],
  ])("refuses a %s of more characters than the limit", async (name, text) => {
    const field = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    await expect(session()("ListShelves", { [field]: text })).rejects.toThrow(
      failing("INVALID_ARGUMENT", { violations: [expect.objectContaining({ field: name, reason: "string.max_len" })] }),
    );
  });

  it("reads a field once for an entry, however many terms and keys name it", async () => {
    const call = session();
    await call("CreateShelf", { shelfId: "a", shelf: { theme: "the sea" } });
    const filter = Array.from({ length: 150 }, (_, at) => `theme != ${at}`).join(" AND ");
    const orderBy = Array.from({ length: 500 }, () => "theme").join();
    const sorted = list((await call("ListShelves", { filter, orderBy }))["shelves"]).map(
      ({ theme }) => theme as string,
    );
    expect(sorted).toEqual(sorted.toSorted((theme, next) => (theme < next ? -1 : 1)));
    expect((await call("ListShelves", { filter: 'theme = "the sea" AND theme = "a"' }))["shelves"] ?? []).toEqual([]);
  });

  it("refuses a key of more characters than the limit", async () => {
    const call = session();
    const name = `shelves/${"a".repeat(5_000)}`;
    await expect(call("GetShelf", { name })).rejects.toThrow(failing("INVALID_ARGUMENT"));
    await expect(call("CreateShelf", { shelfId: "a".repeat(5_000) })).rejects.toThrow(failing("INVALID_ARGUMENT"));
  });
});

it("has an example request that deletes a resource with what is below it", async () => {
  const operation = contract.operations.find(({ method }) => method.name === "DeleteShelf");
  if (operation === undefined) throw new Error("no DeleteShelf");
  const request = toJson(operation.input, exampleRequests(contract)(operation)) as JsonObject;
  await expect(session()("DeleteShelf", request)).resolves.toEqual({});
});
