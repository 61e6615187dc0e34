// The OpenAPI document says what the server does, in words that tools and people understand.
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadStack } from "../src/index.ts";
import { compileContract } from "./support/compile-contract.ts";
import { contract } from "./support/pair.ts";
import { library } from "./support/library.ts";
import { conformanceContract } from "@roundtrip/conformance";

async function documentOf(which: typeof contract): Promise<string> {
  const stack = await loadStack("rest-express");
  const [document] = await stack.documents(which);
  expect(document?.fileName).toBe("openapi.yaml");
  return document?.text ?? "";
}

/** Words come from comments, and the library has few. */
const uncommented = { "tag-description": "off", "operation-summary": "off" } as const;

const conformance = conformanceContract();

const ours = parse(await documentOf(contract));
const theirs = parse(await documentOf(library));
const everyKind = parse(await documentOf(conformance));

describe.each([
  ["our contract", contract],
  ["a contract with everything", library],
  ["a contract with every kind of stream", conformance],
])("for %s", (_name, which) => {
  test("it is valid OpenAPI 3.1, and every reference leads somewhere", async () => {
    const validator = new Validator();
    const text = await documentOf(which);
    const document = parse(text);
    const result = await validator.validate(structuredClone(document));
    expect(result.errors).toBeUndefined();
    expect([result.valid, validator.version]).toEqual([true, "3.1"]);
    for (const [, path = ""] of text.matchAll(/\$ref: "#\/(.*)"/g)) expect(document).toHaveProperty(path.split("/"));
  });

  test("an OpenAPI linter finds no problem", async () => {
    const config = await createConfig({
      extends: ["recommended"],
      // A contract does not say under which licence its API may be used.
      rules: { "info-license": "off", ...(which === contract ? {} : uncommented) },
    });
    const problems = await lintFromString({ source: await documentOf(which), config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  test("each binding of an operation is in it once, with a unique id; operations that stream both ways are not", async () => {
    const paths = parse(await documentOf(which)).paths as Record<string, Record<string, { operationId?: string }>>;
    const ids = Object.values(paths).flatMap((item) => Object.values(item).flatMap((each) => each.operationId ?? []));
    expect(new Set(ids).size).toBe(ids.length);
    const served = which.operations.filter(({ kind }) => kind !== "bidi_streaming");
    expect(ids.length).toBe(served.flatMap(({ bindings }) => bindings).length);
  });
});

test("a stream is described line by line and event by event", () => {
  const { get, post } = everyKind.paths["/v1/items"];
  const { content } = get.responses["200"];
  expect(Object.keys(content)).toEqual(["application/x-ndjson", "text/event-stream"]);
  expect(content["application/x-ndjson"]).toMatchObject({
    schema: {
      type: "string",
      description: expect.stringContaining("`error`") as string,
      contentSchema: { type: "array", items: { $ref: "#/components/schemas/DownloadResponse" } },
    },
  });
  expect(Object.keys(post.requestBody.content)).toEqual(["application/x-ndjson"]);
  expect(Object.keys(post.responses["200"].content)).toEqual(["application/json"]);
});

test("paths that differ in names of variables alone are one path, with the names of the first", () => {
  expect(Object.keys(theirs.paths).filter((path) => path.startsWith("/v1/things"))).toEqual(["/v1/things/{text}"]);
  expect(theirs.paths["/v1/things/{text}"].put.parameters).toMatchObject([
    { name: "text", schema: { type: "integer" } },
  ]);
});

test("a stream of bytes is a body of bytes first, and lines or events beside it", () => {
  const { get, post } = ours.paths["/v1/payload"];
  const forms = ["application/octet-stream", "application/x-ndjson", "text/event-stream"];
  expect(Object.keys(get.responses["200"].content)).toEqual(forms);
  expect(Object.keys(post.requestBody.content)).toEqual(forms.slice(0, 2));
  expect(post.requestBody.content["application/octet-stream"].schema).toMatchObject({ format: "binary" });
});

test("every type of the contract is described as ProtoJSON writes it", () => {
  const { properties } = theirs.components.schemas.Everything;
  expect(properties).toMatchObject({
    big: { type: "string", format: "int64" },
    data: { type: "string", contentEncoding: "base64" },
    colour: { $ref: "#/components/schemas/Colour" },
    words: { type: "array", items: { type: "string" } },
    nested: { $ref: "#/components/schemas/Nested" },
    wrappedText: { type: ["string", "null"] },
    at: { type: "string", format: "date-time" },
  });
  expect(theirs.components.schemas.Nested.properties.deeper).toEqual({ $ref: "#/components/schemas/Nested" });
});

test("behaviours of fields are required, readOnly and writeOnly, and what is deprecated is so", async () => {
  const orders = compileContract(`
    syntax = "proto3";
    package acme.v1;
    import "google/api/annotations.proto";
    import "google/api/field_behavior.proto";
    service Orders {
      rpc Find(FindRequest) returns (Order) { option (google.api.http) = {get: "/v1/orders"}; option deprecated = true; }
    }
    message FindRequest { string text = 1 [(google.api.field_behavior) = REQUIRED]; int32 limit = 2 [deprecated = true]; }
    message Order {
      string number = 1 [(google.api.field_behavior) = OUTPUT_ONLY];
      string card = 2 [(google.api.field_behavior) = INPUT_ONLY];
    }
  `);
  const { paths, components } = parse(await documentOf(orders));
  expect(paths["/v1/orders"].get).toMatchObject({
    deprecated: true,
    parameters: [
      { name: "text", required: true },
      { name: "limit", schema: { deprecated: true } },
    ],
  });
  expect(paths["/v1/orders"].get.parameters[1].required).toBeUndefined();
  expect(components.schemas.Order.properties).toMatchObject({ number: { readOnly: true }, card: { writeOnly: true } });
});

test("a resource name of several segments becomes parameters named after its collections", () => {
  const { patch } = theirs.paths["/v1/shelves/{shelfId}/books/{bookId}/{text}:change"];
  expect(patch.parameters.map(({ name }: { name: string }) => name)).toEqual(["shelfId", "bookId", "text"]);
});

test("names that YAML 1.1 reads as booleans are quoted", async () => {
  const votes = compileContract(`
    syntax = "proto3";
    package votes.v1;
    service Votes { rpc Vote(VoteRequest) returns (VoteRequest); }
    message VoteRequest { bool yes = 1; bool no = 2; bool on = 3; }
  `);
  const text = await documentOf(votes);
  expect(text).toMatch(/^ +"yes":$/m);
  expect(text).not.toMatch(/^ +(?:yes|no|on):/m);
});
