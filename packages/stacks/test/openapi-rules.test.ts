// Rules × what the OpenAPI document says × what the server does: the document accepts what is accepted, and refuses what is refused.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { create, type Message } from "@bufbuild/protobuf";
import { type Contract, type Handler } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadContractFrom } from "../../cli/src/contract/contract-source.ts";
import { dialectOf } from "../../styles/src/rest/dialects.ts";
import { openApiDocument } from "../../styles/src/rest/openapi/openapi.ts";
import { loadServe, serveDefaults } from "../src/index.ts";
import { compileContract } from "./support/compile-contract.ts";

/** A rule of a field `v`, with values that a service accepts and refuses. `undefined` is a request without the field. */
interface Row {
  readonly field: string;
  readonly accepts: readonly unknown[];
  readonly refuses: readonly unknown[];
  /** Values that the service refuses by a rule that no keyword spells. */
  readonly unspelled?: readonly unknown[];
}

const required = "(google.api.field_behavior) = REQUIRED";
const rule = (type: string, text: string, more = ""): string => `${type} v = 1 [(buf.validate.field).${text}${more}]`;
const ifZero = ", (buf.validate.field).ignore = IGNORE_IF_ZERO_VALUE";
const uuid = "8f14e45f-ceea-467f-a3c5-1d8e3f9e2b11";

const rows: Readonly<Record<string, Row>> = {
  "REQUIRED text": { field: `string v = 1 [${required}]`, accepts: ["a"], refuses: ["", undefined] },
  "REQUIRED number": { field: `int32 v = 1 [${required}]`, accepts: [1, -1], refuses: [0, undefined] },
  "REQUIRED long": { field: `int64 v = 1 [${required}]`, accepts: ["1"], refuses: ["0", undefined] },
  "REQUIRED flag": { field: `bool v = 1 [${required}]`, accepts: [true], refuses: [false, undefined] },
  "REQUIRED enum": { field: `E v = 1 [${required}]`, accepts: ["E_A"], refuses: ["E_NONE", undefined] },
  "REQUIRED list": { field: `repeated string v = 1 [${required}]`, accepts: [[""]], refuses: [[], undefined] },
  "REQUIRED map": { field: `map<string, string> v = 1 [${required}]`, accepts: [{ a: "" }], refuses: [{}, undefined] },
  "REQUIRED message": { field: `Inner v = 1 [${required}]`, accepts: [{ name: "a" }], refuses: [{}, undefined] },
  "REQUIRED inside a list": { field: "repeated Inner v = 1", accepts: [[], [{ name: "a" }]], refuses: [[{}]] },
  "REQUIRED inside a map": { field: "map<string, Inner> v = 1", accepts: [{ a: { name: "a" } }], refuses: [{ a: {} }] },
  "required by a rule": { field: rule("string", "required = true"), accepts: ["a"], refuses: ["", undefined] },
  "optional REQUIRED": { field: `optional int32 v = 1 [${required}]`, accepts: [0, 5], refuses: [undefined] },
  int32: { field: rule("int32", "int32 = {gte: 1, lte: 5}"), accepts: [1, 5], refuses: [0, 6, undefined, 2 ** 31] },
  "int32 outside": { field: rule("int32", "int32 = {gt: 5, lt: 1}"), accepts: [0, 6, undefined], refuses: [1, 3, 5] },
  "int32 or zero": { field: rule("int32", "int32.gte = 5", ifZero), accepts: [0, 5, undefined], refuses: [4, -1] },
  uint32: { field: rule("uint32", "uint32.lte = 120"), accepts: [0, 120], refuses: [-1, 121] },
  "uint32 without rules": { field: "uint32 v = 1", accepts: [0, 4_294_967_295], refuses: [-1, 4_294_967_296] },
  sint32: { field: rule("sint32", "sint32.gt = -3"), accepts: [-2, undefined], refuses: [-3] },
  fixed32: { field: rule("fixed32", "fixed32.lt = 9"), accepts: [8], refuses: [9] },
  int64: { field: "int64 v = 1", accepts: ["-5", "0"], refuses: ["", "x"] },
  "int64 of a sign": { field: rule("int64", "int64.gte = 0"), accepts: ["0", "7"], refuses: ["-1"] },
  "uint64 above zero": { field: rule("uint64", "uint64.gt = 0"), accepts: ["1"], refuses: ["0", "-1", undefined] },
  "int64 up to": { field: rule("int64", "int64.lte = 5"), accepts: ["5"], refuses: ["x"], unspelled: ["6"] },
  double: { field: rule("double", "double = {gte: 0, lte: 10}"), accepts: [0, 9.5], refuses: [-0.1, 10.1] },
  float: { field: rule("float", "float.lte = 0.1"), accepts: [0, 0.1], refuses: [0.2] },
  "in of numbers": { field: rule("int32", "int32 = {in: [2, 3]}"), accepts: [2], refuses: [4, 0, undefined] },
  "in of longs": { field: rule("int64", "int64 = {in: [0, 3]}"), accepts: ["3", undefined], refuses: ["4"] },
  "const of a number": { field: rule("uint32", "uint32.const = 7"), accepts: [7], refuses: [8, undefined] },
  "not_in of numbers": { field: rule("int32", "int32 = {not_in: [4]}"), accepts: [3, undefined], refuses: [4] },
  "const flag": { field: rule("bool", "bool.const = true"), accepts: [true], refuses: [false, undefined] },
  "text of a length": {
    field: rule("string", "string = {min_len: 2, max_len: 3}"),
    accepts: ["ab", "😀😀😀"],
    refuses: ["a", "abcd", undefined],
  },
  "text of one length": { field: rule("string", "string.len = 2"), accepts: ["ab"], refuses: ["a", "abc", undefined] },
  "text of bytes": {
    field: rule("string", "string.max_bytes = 4"),
    accepts: ["abcd"],
    refuses: ["abcde"],
    unspelled: ["äöü"],
  },
  "text in": {
    field: rule("string", 'string = {in: ["csv", "json"]}'),
    accepts: ["csv"],
    refuses: ["xml", "", undefined],
  },
  "text in or empty": {
    field: rule("string", 'string = {in: ["csv"]}', ifZero),
    accepts: ["csv", "", undefined],
    refuses: ["x"],
  },
  "text not in": { field: rule("string", 'string = {not_in: ["me"]}'), accepts: ["you", ""], refuses: ["me"] },
  "const text": { field: rule("string", 'string.const = "a"'), accepts: ["a"], refuses: ["b", undefined] },
  pattern: { field: rule("string", 'string.pattern = "^[A-Z]{2}$"'), accepts: ["AB"], refuses: ["ab", "", undefined] },
  "pattern or empty": {
    field: rule("string", 'string.pattern = "^a|b$"', ifZero),
    accepts: ["a", "", undefined],
    refuses: ["c"],
  },
  "pattern that only RE2 reads": {
    field: rule("string", 'string.pattern = "(?i)^a$"'),
    accepts: ["A"],
    refuses: [],
    unspelled: ["b"],
  },
  "length or empty": {
    field: rule("string", "string.min_len = 3", ifZero),
    accepts: ["abc", "", undefined],
    refuses: ["ab"],
  },
  prefix: {
    field: rule("string", 'string = {prefix: "a.", suffix: "z"}'),
    accepts: ["a.z"],
    refuses: ["abz", "a.", undefined],
  },
  contains: {
    field: rule("string", 'string = {contains: "+", not_contains: "-"}'),
    accepts: ["a+"],
    refuses: ["a", "+-", undefined],
  },
  email: { field: rule("string", "string.email = true"), accepts: ["a@b.example"], refuses: ["a", "", undefined] },
  "email or empty": {
    field: rule("string", "string.email = true", ifZero),
    accepts: ["a@b.example", "", undefined],
    refuses: ["a"],
  },
  uuid: { field: rule("string", "string.uuid = true"), accepts: [uuid], refuses: ["a", undefined] },
  tuuid: {
    field: rule("string", "string.tuuid = true"),
    accepts: [uuid.replaceAll("-", "")],
    refuses: [uuid, undefined],
  },
  uri: { field: rule("string", "string.uri = true"), accepts: ["https://a.example/b"], refuses: ["a b", undefined] },
  uri_ref: { field: rule("string", "string.uri_ref = true"), accepts: ["/a", "", undefined], refuses: ["\\"] },
  hostname: { field: rule("string", "string.hostname = true"), accepts: ["a.example"], refuses: ["-", undefined] },
  ipv4: { field: rule("string", "string.ipv4 = true"), accepts: ["10.0.0.1"], refuses: ["10.0.0", undefined] },
  ipv6: { field: rule("string", "string.ipv6 = true"), accepts: ["2001:db8::1"], refuses: ["1", undefined] },
  "ip of any kind": {
    field: rule("string", "string.ip = true"),
    accepts: ["::1"],
    refuses: ["", undefined],
    unspelled: ["a"],
  },
  "bytes of a length": {
    field: rule("bytes", "bytes = {min_len: 3, max_len: 6}"),
    accepts: ["AAAA", "AAAAAAAA"],
    refuses: ["AAA=".slice(0, 3), "AAAAAAAAAAAA", undefined],
  },
  "enum without a value": {
    field: rule("E", "enum = {defined_only: true, not_in: [0]}"),
    accepts: ["E_A"],
    refuses: ["E_NONE", "E_C", undefined],
  },
  "enum in": { field: rule("E", "enum = {in: [2]}"), accepts: ["E_B"], refuses: ["E_A", undefined] },
  "list of a size": {
    field: rule("repeated string", "repeated = {min_items: 1, max_items: 2}"),
    accepts: [["a", "a"]],
    refuses: [[], ["a", "b", "c"], undefined],
  },
  "unique list": {
    field: rule("repeated string", "repeated.unique = true"),
    accepts: [[], ["a", "b"]],
    refuses: [["a", "a"]],
  },
  "list of limited items": {
    field: rule("repeated uint32", "repeated.items.uint32.lte = 3"),
    accepts: [[3]],
    refuses: [[4], [-1]],
  },
  "map of a size": {
    field: rule("map<string, string>", "map = {min_pairs: 1, max_pairs: 1}"),
    accepts: [{ a: "" }],
    refuses: [{}, { a: "", b: "" }, undefined],
  },
  "map of limited entries": {
    field: rule("map<string, int32>", 'map = {keys: {string: {pattern: "^[a-z]+$"}}, values: {int32: {gt: 0}}}'),
    accepts: [{ a: 1 }],
    refuses: [{ A: 1 }, { a: 0 }],
  },
  "map of numbers": { field: "map<uint32, string> v = 1", accepts: [{ 7: "" }], refuses: [{ a: "" }, { "-1": "" }] },
  oneof: { field: "oneof choice { string v = 1; bool w = 2; }", accepts: ["a", undefined], refuses: [] },
  "required oneof": {
    field: "oneof choice { option (buf.validate.oneof).required = true; string v = 1; bool w = 2; }",
    accepts: ["a"],
    refuses: [],
    unspelled: [undefined],
  },
  "an expression": {
    field: rule("string", 'cel = {id: "x", message: "x", expression: "this != \'no\'"}'),
    accepts: ["a"],
    refuses: [],
    unspelled: ["no"],
  },
  "time after": {
    field: rule("google.protobuf.Timestamp", "timestamp.gt = {seconds: 0}"),
    accepts: ["2024-01-01T00:00:00Z"],
    refuses: ["a"],
    unspelled: ["1960-01-01T00:00:00Z"],
  },
};

const names = Object.keys(rows);
const methodOf = (name: string): string => `Set${names.indexOf(name)}`;

const contract = compileContract(`
  syntax = "proto3";
  package rules.v1;
  import "buf/validate/validate.proto";
  import "google/api/annotations.proto";
  import "google/api/field_behavior.proto";
  import "google/protobuf/timestamp.proto";
  enum E { E_NONE = 0; E_A = 1; E_B = 2; }
  message Inner { string name = 1 [${required}]; }
  ${names.map((name) => `message M${methodOf(name)} { ${rows[name]?.field}${rows[name]?.field.endsWith("}") ? "" : ";"} }`).join("\n")}
  service Rules {
    ${names.map((name) => `rpc ${methodOf(name)}(M${methodOf(name)}) returns (Inner) { option (google.api.http) = {post: "/v1/${methodOf(name)}" body: "*"}; }`).join("\n")}
  }
`);

/** The check of a request's body by the document. */
function bodyCheck(document: object, path: string, method = "post"): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat("uint32", true).addFormat("uint64", true);
  ajv.addSchema({ $id: "document", ...document });
  const pointer = [
    "paths",
    path.replaceAll("/", "~1"),
    method,
    "requestBody",
    "content",
    "application~1json",
    "schema",
  ];
  return ajv.compile({ $ref: `document#/${pointer.join("/")}` });
}

async function servedBy(which: Contract): Promise<string> {
  const handlers = which.operations.map(({ id, output }): [string, Handler] => [id, (): Message => create(output)]);
  const serve = await loadServe("rest-express");
  const server = await serve(serviceOf(which, new Map(handlers)), serveDefaults);
  onTestFinished(() => server.close());
  return server.url;
}

const send = async (url: string, body: unknown, method = "POST"): Promise<boolean> => {
  const headers = { "content-type": "application/json" };
  const { status } = await fetch(url, { method, headers, body: JSON.stringify(body) });
  expect([200, 201, 400]).toContain(status);
  return status !== 400;
};

const document = openApiDocument(contract);

test.each(names)("%s", async (name) => {
  const { accepts, refuses, unspelled = [] } = rows[name] as Row;
  const url = await servedBy(contract);
  const check = bodyCheck(document, `/v1/${methodOf(name)}`);
  const verdicts = async (values: readonly unknown[]): Promise<unknown[]> =>
    Promise.all(
      values.map(async (v) => [
        v,
        "document",
        check({ v }),
        "server",
        await send(`${url}/v1/${methodOf(name)}`, { v }),
      ]),
    );
  expect(await verdicts(accepts)).toEqual(accepts.map((v) => [v, "document", true, "server", true]));
  expect(await verdicts(refuses)).toEqual(refuses.map((v) => [v, "document", false, "server", false]));
  expect(await verdicts(unspelled)).toEqual(unspelled.map((v) => [v, "document", true, "server", false]));
});

// A contract with nested rules: every body with one value changed is judged alike.

const money = { currencyCode: "EUR", units: "80" };
const stay = { checkInTime: "2030-01-01T12:00:00Z", checkOutTime: "2030-01-03T12:00:00Z" };
const address = { street: "", city: "Bern", postalCode: "3000", countryCode: "CH" };
const hotel = { displayName: "Inn", address, stars: 3, labels: { a: "b" }, amenities: ["bar"], email: "a@b.example" };
const card = { holder: "Ada", lastFour: "1234", expiryMonth: 12, expiryYear: 2031 };

const bodies: Readonly<Record<string, readonly [template: string, body: object]>> = {
  "/v1/hotels": ["/v1/hotels", hotel],
  "/v1/hotels/a/rooms": [
    "/v1/hotels/{hotelId}/rooms",
    { kind: "ROOM_KIND_SUITE", beds: 2, nightlyPrice: money, seaView: "wide" },
  ],
  "/v1/guests": [
    "/v1/guests",
    { displayName: "Ada", email: "ada@b.example", phoneNumber: "+411234567", password: "x" },
  ],
  "/v1/guests/a/reservations": [
    "/v1/guests/{guestId}/reservations",
    {
      room: "hotels/a/rooms/b",
      ...stay,
      card,
      note: "late",
      companions: [{ displayName: "Eve", age: 7 }],
      parkingSpaces: 0,
    },
  ],
  "/v1/guests/a/reservations:export": ["/v1/guests/{guestId}/reservations:export", { format: "csv" }],
  "/v1/hotels/a/reviews": ["/v1/hotels/{hotelId}/reviews", { author: "Ada", score: 7, text: "fine" }],
  "/v1/rooms:search": ["/v1/rooms:search", { ...stay, guests: 2, kinds: ["ROOM_KIND_SINGLE"], pageSize: 5 }],
};

const otherValues: Readonly<Record<string, readonly unknown[]>> = {
  string: ["", "x", "x".repeat(100)],
  number: [0, -1, 7, 99, 1e10],
  boolean: [false],
  array: [[], ["x", "x"], Array.from({ length: 25 }, (_, index) => String(index))],
  object: [{}],
};

/** The body with one value left out, or in the place of another. */
function* changed(body: object): Generator<object> {
  for (const [name, value] of Object.entries(body)) {
    const { [name]: _left, ...rest } = body as Readonly<Record<string, unknown>>;
    yield rest;
    const isObject = typeof value === "object" && !Array.isArray(value);
    for (const other of otherValues[Array.isArray(value) ? "array" : typeof value] ?? [])
      yield { ...rest, [name]: other };
    if (isObject) for (const inner of changed(value as object)) yield { ...rest, [name]: inner };
  }
}

describe("booking", async () => {
  const folder = new URL("../../../.ci/contracts/", import.meta.url).pathname;
  const { contract: booking } = await loadContractFrom([`${folder}booking`, folder]);

  test.each(Object.entries(bodies))("bodies of %s with one value changed", async (path, [template, body]) => {
    const url = await servedBy(booking);
    const check = bodyCheck(openApiDocument(booking), template);
    const all = [body, { ...body, unknownField: 1 }, ...changed(body)];
    const verdicts = await Promise.all(
      all.map(async (each) => ({ each, document: check(each), server: await send(url + path, each) })),
    );
    expect(verdicts.filter(({ document: accepts, server }) => accepts !== server)).toEqual([]);
    expect(new Set(verdicts.map(({ server }) => server))).toEqual(new Set([true, false]));
  });

  test("field names of the contract are in the document where a setting answers with them", async () => {
    const dialect = dialectOf({ dialect: "standard", fieldNames: "contract", unsetFields: "by-dialect" });
    const { paths, components } = JSON.parse(JSON.stringify(openApiDocument(booking, dialect)));
    expect(Object.keys(components.schemas.Hotel.properties)).toContain("display_name");
    expect(paths["/v1/hotels"].post.requestBody.content["application/json"].schema.required).toContain("display_name");
    expect(paths["/v1/hotels"].get.parameters.map(({ name }: { name: string }) => name)).toContain("page_size");
    expect(JSON.stringify(paths)).not.toMatch(/displayName|pageSize/);
    const url = await servedBy(booking);
    expect((await fetch(`${url}/v1/hotels?page_size=7`)).status).toBe(200);
    expect((await fetch(`${url}/v1/hotels?page_size=700`)).status).toBe(400);
    const snake = { display_name: "Inn", address: { city: "Bern", postal_code: "3000", country_code: "CH" } };
    expect(bodyCheck({ paths, components }, "/v1/hotels")(snake)).toBe(true);
    expect(await send(`${url}/v1/hotels`, snake)).toBe(true);
  });
});
