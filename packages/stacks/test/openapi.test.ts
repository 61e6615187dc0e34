// The OpenAPI document says what the server does, in words that tools and people understand.
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadStack } from "../src/index.ts";
import { contract } from "./support/hello.ts";
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

  test("it is the same each time, and names its source", async () => {
    expect(await documentOf(which)).toBe(await documentOf(which));
    expect(await documentOf(which)).toMatch(
      /^# Made by Roundtrip from the contract's \.proto files: change those, not this one\.\n/,
    );
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

test("one path has all that can be done with a resource, however the contract calls its variable", () => {
  expect(Object.keys(ours.paths["/v1/customers/{id}"])).toEqual(["parameters", "get", "patch", "delete"]);
  expect(ours.paths["/v1/customers/{id}"].patch.parameters[0]).toMatchObject({
    name: "id",
    in: "path",
    required: true,
  });
});

test("paths that differ in names of variables alone are one path, with the names of the first", () => {
  expect(Object.keys(theirs.paths).filter((path) => path.startsWith("/v1/things"))).toEqual(["/v1/things/{text}"]);
  expect(theirs.paths["/v1/things/{text}"].put.parameters).toMatchObject([
    { name: "text", schema: { type: "integer" } },
  ]);
});

test("comments become summaries and descriptions, rules become keywords", () => {
  const { get } = ours.paths["/v1/customers/{id}"];
  expect(get).toMatchObject({
    operationId: "getCustomer",
    tags: ["Customer"],
    summary: "Reads a customer in one call: all of it, or the attributes asked for",
  });
  expect(get.parameters[0].schema).toMatchObject({ type: "integer", format: "int32", exclusiveMinimum: 0 });
  expect(ours.components.schemas.Customer.properties.vatIdentificationNumber).toMatchObject({
    pattern: "^[A-Z0-9]{0,16}$",
  });
  expect(ours.paths["/v1/hello"].get.parameters[0]).toMatchObject({
    required: true,
    schema: { minLength: 1, maxLength: 200 },
  });
  expect(ours.paths["/v1/customers"].get.parameters[1].description).toBe(
    "Where to go on: nextPageToken of the page before.",
  );
});

test("a mask is a list of the fields that there are", () => {
  const [, mask] = ours.paths["/v1/customers/{id}"].get.parameters;
  expect(mask).toMatchObject({
    name: "readMask",
    explode: false,
    schema: { items: { enum: ["id", "name", "address", "vatIdentificationNumber", "mail", "phoneNumber"] } },
  });
});

test("bodies and answers are components, named after what is in them", () => {
  const { post, get } = ours.paths["/v1/customers"];
  expect(post.requestBody).toMatchObject({
    required: true,
    content: { "application/json": { schema: { $ref: "#/components/schemas/Customer" } } },
  });
  expect(get.responses["200"]).toEqual({
    description: "One page of customers.",
    content: { "application/json": { schema: { $ref: "#/components/schemas/CustomerPage" } } },
  });
  const attributes = ["Address", "Id", "Mail", "Name", "PhoneNumber", "VatIdentificationNumber"];
  expect(Object.keys(ours.components.schemas)).toEqual([
    "CacheStatus",
    "Customer",
    ...[...attributes, "Page"].toSorted().map((name) => `Customer${name}`),
    "EchoRequest",
    "EchoResponse",
    "Matrix",
    "PowerRequest",
    "PowerResponse",
    "SayHelloResponse",
    ...attributes.map((name) => `SetCustomer${name}Request`),
    "UploadResponse",
    "Problem",
  ]);
});

test("a message in a request is as strict as the request, where its component is that of answers too", () => {
  const { PowerRequest, PowerResponse, Matrix } = ours.components.schemas;
  const $ref = "#/components/schemas/Matrix";
  expect(PowerRequest.properties.matrix).toMatchObject({
    $ref,
    required: ["size", "elements"],
    unevaluatedProperties: false,
  });
  expect(PowerResponse.properties.power).toMatchObject({ $ref });
  expect(PowerResponse.properties.power).not.toHaveProperty("required");
  expect(Matrix).not.toHaveProperty("required");
});

test("a body in which nothing has to be given may be left out", () => {
  expect(ours.paths["/v1/payload:echo"].post.requestBody).not.toHaveProperty("required");
  expect(ours.paths["/v1/customers/{id}/name"].put.requestBody).toHaveProperty("required", true);
});

test("a stream of bytes is a body of bytes first, and lines or events beside it", () => {
  const { get, post } = ours.paths["/v1/payload"];
  const forms = ["application/octet-stream", "application/x-ndjson", "text/event-stream"];
  expect(Object.keys(get.responses["200"].content)).toEqual(forms);
  expect(Object.keys(post.requestBody.content)).toEqual(forms.slice(0, 2));
  expect(post.requestBody.content["application/octet-stream"].schema).toMatchObject({ format: "binary" });
});

test("a write answers the same component as a read, with its own description", () => {
  const { get, put } = ours.paths["/v1/customers/{id}/phone-number"];
  const content = { "application/json": { schema: { $ref: "#/components/schemas/CustomerPhoneNumber" } } };
  expect(get.responses["200"]).toEqual({ description: "The phone number.", content });
  expect(put.responses["200"]).toEqual({ description: "The phone number as written.", content });
});

test("a creation answers 201 and documents its Location", () => {
  const { responses } = ours.paths["/v1/customers"].post;
  expect(Object.keys(responses)).toEqual(["201", "400", "409", "default"]);
  expect(responses["201"]).toMatchObject({
    description: "The customer that was created.",
    headers: { Location: { description: "The path of what was created: /v1/customers/{id}.", required: true } },
  });
});

test("a resource in a request must have what its rules ask for, unless the path has it", () => {
  const { post } = ours.paths["/v1/customers"];
  const { patch } = ours.paths["/v1/customers/{id}"];
  const $ref = "#/components/schemas/Customer";
  expect(post.requestBody.content["application/json"].schema).toMatchObject({ $ref, required: ["id"] });
  expect(patch.requestBody.content["application/json"].schema).not.toHaveProperty("required");
  expect(patch.requestBody.description).toContain("`id` is that of the path; the body may leave it out.");
});

test("a request with what the contract does not know is refused, while answers may gain fields", () => {
  const { Customer, SetCustomerNameRequest, CustomerName } = ours.components.schemas;
  const { post } = ours.paths["/v1/customers"];
  expect(SetCustomerNameRequest.additionalProperties).toBe(false);
  expect(post.requestBody.content["application/json"].schema.unevaluatedProperties).toBe(false);
  for (const answer of [Customer, CustomerName]) expect(answer).not.toHaveProperty("additionalProperties");
});

test("a body may be left out where the path says enough", () => {
  expect(ours.paths["/v1/customers"].post.requestBody.required).toBe(true);
  expect(ours.paths["/v1/customers/{id}"].patch.requestBody).not.toHaveProperty("required");
});

test("only what must be sent is required", () => {
  const { SetCustomerIdRequest, SetCustomerNameRequest, CustomerName } = ours.components.schemas;
  expect(SetCustomerIdRequest.required).toEqual(["newId"]);
  expect(SetCustomerNameRequest.required).toEqual(["name"]);
  expect(CustomerName.required).toBeUndefined();
});

test("what a comment gives as an example is an example, of the field's type, and no longer in the description", () => {
  const { id, name } = ours.components.schemas.Customer.properties;
  expect(id).toMatchObject({ examples: [1], description: "Identifies the customer." });
  expect(name).toMatchObject({ examples: ["Ada Lovelace"], description: "Who the customer is." });
  const { parameters } = ours.paths["/v1/customers/{id}"].get;
  expect(parameters[0].schema.examples).toEqual([1]);
});

/** Everything in a value that has examples. */
function withExamples(value: unknown): readonly Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "examples" in value && Array.isArray(value.examples) ? [value as Record<string, unknown>] : [];
  return [...own, ...Object.values(value).flatMap(withExamples)];
}

test("every example keeps the rules of its schema", () => {
  const schemas = withExamples(ours);
  expect(schemas.map(({ examples }) => (examples as unknown[])[0])).toContain("GB123456789");
  for (const { examples, pattern = "", maxLength = 1000, exclusiveMinimum = -1 } of schemas) {
    const [example] = examples as unknown[];
    expect(String(example)).toMatch(new RegExp(pattern as string));
    expect(String(example).length).toBeLessThanOrEqual(maxLength as number);
    expect(typeof example === "number" ? example : 1).toBeGreaterThan(exclusiveMinimum as number);
  }
});

test("failures that a comment lists are answers of their status, and no longer in the description", () => {
  const { post } = ours.paths["/v1/customers/{id}:changeId"];
  expect(post.description).toBe(
    "The customer is found under the new one alone afterwards, so a repeated call finds nobody.",
  );
  expect(Object.keys(post.responses)).toEqual(["200", "400", "404", "409", "default"]);
  expect(post.responses["409"]).toEqual({
    $ref: "#/components/responses/problem",
    description: "ALREADY_EXISTS: another customer has the new id.",
  });
});

test("an operation without an answer is 204, and failures are problem details", () => {
  const { responses } = ours.paths["/v1/customers/{id}"].delete;
  expect(Object.keys(responses)).toEqual(["204", "400", "404", "default"]);
  expect(responses.default).toEqual({ $ref: "#/components/responses/problem" });
  expect(Object.keys(ours.components.responses.problem.content)).toEqual(["application/problem+json"]);
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

test("a resource name of several segments becomes parameters named after its collections", () => {
  const { patch } = theirs.paths["/v1/shelves/{shelf}/books/{book}/{text}:change"];
  expect(patch.parameters.map(({ name }: { name: string }) => name)).toEqual(["shelf", "book", "text"]);
});
