// Rules × what the OpenAPI document says × what the server does: the document accepts what is accepted, and refuses what is refused.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { create, type Message } from "@bufbuild/protobuf";
import { type Contract, type Handler } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { describe, expect, test } from "vitest";
import { loadContractFrom } from "../../cli/src/contract/contract-source.ts";
import { dialectOf } from "../../styles/src/rest/dialects.ts";
import { openApiDocument } from "../../styles/src/rest/openapi/openapi.ts";
import { compileContract } from "./support/compile-contract.ts";
import { served } from "./support/pair.ts";

/** A rule of a field `v`, with values that a service accepts, refuses, and refuses by a rule that no keyword spells. `undefined` is a request without the field. */
type Row = readonly [
  field: string,
  accepts: readonly unknown[],
  refuses: readonly unknown[],
  unspelled?: readonly unknown[],
];

const required = "(google.api.field_behavior) = REQUIRED";
const rule = (type: string, text: string, more = ""): string => `${type} v = 1 [(buf.validate.field).${text}${more}]`;
const ifZero = ", (buf.validate.field).ignore = IGNORE_IF_ZERO_VALUE";
const uuid = "8f14e45f-ceea-467f-a3c5-1d8e3f9e2b11";

const rows: Readonly<Record<string, Row>> = {
  "REQUIRED text": [`string v = 1 [${required}]`, ["a"], ["", undefined]],
  "REQUIRED number": [`int32 v = 1 [${required}]`, [1, -1], [0, undefined]],
  "REQUIRED long": [`int64 v = 1 [${required}]`, ["1"], ["0", undefined]],
  "REQUIRED flag": [`bool v = 1 [${required}]`, [true], [false, undefined]],
  "REQUIRED enum": [`E v = 1 [${required}]`, ["E_A"], ["E_NONE", undefined]],
  "REQUIRED list": [`repeated string v = 1 [${required}]`, [[""]], [[], undefined]],
  "REQUIRED map": [`map<string, string> v = 1 [${required}]`, [{ a: "" }], [{}, undefined]],
  "REQUIRED message": [`Inner v = 1 [${required}]`, [{ name: "a" }], [{}, undefined]],
  "REQUIRED inside a list": ["repeated Inner v = 1", [[], [{ name: "a" }]], [[{}]]],
  "one of two inside": [
    "Either v = 1",
    [{ mail: "a" }, { phone: "1" }, { mail: "a", phone: "" }],
    [{}],
    [{ mail: "a", phone: "1" }],
  ],
  "at most one of two with presence": ["Neither v = 1", [{}, { mail: "a" }], [{ mail: "a", phone: "" }]],
  "REQUIRED inside a map": ["map<string, Inner> v = 1", [{ a: { name: "a" } }], [{ a: {} }]],
  "required by a rule": [rule("string", "required = true"), ["a"], ["", undefined]],
  "optional REQUIRED": [`optional int32 v = 1 [${required}]`, [0, 5], [undefined]],
  int32: [rule("int32", "int32 = {gte: 1, lte: 5}"), [1, 5], [0, 6, undefined, 2 ** 31]],
  "int32 outside": [rule("int32", "int32 = {gt: 5, lt: 1}"), [0, 6, undefined], [1, 3, 5]],
  "int32 or zero": [rule("int32", "int32.gte = 5", ifZero), [0, 5, undefined], [4, -1]],
  uint32: [rule("uint32", "uint32.lte = 120"), [0, 120], [-1, 121]],
  "uint32 without rules": ["uint32 v = 1", [0, 4_294_967_295], [-1, 4_294_967_296]],
  sint32: [rule("sint32", "sint32.gt = -3"), [-2, undefined], [-3]],
  fixed32: [rule("fixed32", "fixed32.lt = 9"), [8], [9]],
  int64: ["int64 v = 1", ["-5", "0"], ["", "x"]],
  "int64 of a sign": [rule("int64", "int64.gte = 0"), ["0", "7"], ["-1"]],
  "uint64 above zero": [rule("uint64", "uint64.gt = 0"), ["1"], ["0", "-1", undefined]],
  "int64 up to": [rule("int64", "int64.lte = 5"), ["5", "-7"], ["x", "6"]],
  "int64 within": [rule("int64", "int64 = {gte: 10, lte: 99}"), ["10", "99"], ["9", "100", "0", undefined]],
  "uint64 within": [
    rule("uint64", "uint64 = {gte: 1000, lt: 9000000000000}"),
    ["1000", "8999999999999"],
    ["999", "9000000000000"],
  ],
  "uint64 below": [rule("uint64", "uint64.lt = 12"), ["11", "0"], ["12", "-1"]],
  "int64 below zero": [rule("int64", "int64.lt = 0"), ["-1"], ["0", "1"]],
  "int64 outside": [rule("int64", "int64 = {gt: 10, lt: 5}"), ["4", "11", "-3"], ["5", "10"]],
  double: [rule("double", "double = {gte: 0, lte: 10}"), [0, 9.5], [-0.1, 10.1]],
  float: [rule("float", "float.lte = 0.1"), [0, 0.1], [0.2]],
  "in of numbers": [rule("int32", "int32 = {in: [2, 3]}"), [2], [4, 0, undefined]],
  "in of longs": [rule("int64", "int64 = {in: [0, 3]}"), ["3", undefined], ["4"]],
  "const of a number": [rule("uint32", "uint32.const = 7"), [7], [8, undefined]],
  "not_in of numbers": [rule("int32", "int32 = {not_in: [4]}"), [3, undefined], [4]],
  "const flag": [rule("bool", "bool.const = true"), [true], [false, undefined]],
  "text of a length": [rule("string", "string = {min_len: 2, max_len: 3}"), ["ab", "😀😀😀"], ["a", "abcd", undefined]],
  "text of one length": [rule("string", "string.len = 2"), ["ab"], ["a", "abc", undefined]],
  "text of bytes": [rule("string", "string.max_bytes = 4"), ["abcd"], ["abcde"], ["äöü"]],
  "text in": [rule("string", 'string = {in: ["csv", "json"]}'), ["csv"], ["xml", "", undefined]],
  "text in or empty": [rule("string", 'string = {in: ["csv"]}', ifZero), ["csv", "", undefined], ["x"]],
  "text not in": [rule("string", 'string = {not_in: ["me"]}'), ["you", ""], ["me"]],
  "const text": [rule("string", 'string.const = "a"'), ["a"], ["b", undefined]],
  pattern: [rule("string", 'string.pattern = "^[A-Z]{2}$"'), ["AB"], ["ab", "", undefined]],
  "pattern or empty": [rule("string", 'string.pattern = "^a|b$"', ifZero), ["a", "", undefined], ["c"]],
  "pattern that only RE2 reads": [rule("string", 'string.pattern = "(?i)^a$"'), ["A"], [], ["b"]],
  "length or empty": [rule("string", "string.min_len = 3", ifZero), ["abc", "", undefined], ["ab"]],
  prefix: [rule("string", 'string = {prefix: "a.", suffix: "z"}'), ["a.z"], ["abz", "a.", undefined]],
  contains: [rule("string", 'string = {contains: "+", not_contains: "-"}'), ["a+"], ["a", "+-", undefined]],
  email: [rule("string", "string.email = true"), ["a@b.example"], ["a", "", undefined]],
  "email or empty": [rule("string", "string.email = true", ifZero), ["a@b.example", "", undefined], ["a"]],
  uuid: [rule("string", "string.uuid = true"), [uuid], ["a", undefined]],
  tuuid: [rule("string", "string.tuuid = true"), [uuid.replaceAll("-", "")], [uuid, undefined]],
  uri: [rule("string", "string.uri = true"), ["https://a.example/b"], ["a b", undefined]],
  uri_ref: [rule("string", "string.uri_ref = true"), ["/a", "", undefined], ["\\"]],
  hostname: [rule("string", "string.hostname = true"), ["a.example"], ["-", undefined]],
  ipv4: [rule("string", "string.ipv4 = true"), ["10.0.0.1"], ["10.0.0", undefined]],
  ipv6: [rule("string", "string.ipv6 = true"), ["2001:db8::1"], ["1", undefined]],
  "ip of any kind": [rule("string", "string.ip = true"), ["::1"], ["", undefined], ["a"]],
  "bytes of a length": [
    rule("bytes", "bytes = {min_len: 3, max_len: 6}"),
    ["AAAA", "AAAAAAAA"],
    ["AAA=".slice(0, 3), "AAAAAAAAAAAA", undefined],
  ],
  "enum without a value": [
    rule("E", "enum = {defined_only: true, not_in: [0]}"),
    ["E_A"],
    ["E_NONE", "E_C", undefined],
  ],
  "enum in": [rule("E", "enum = {in: [2]}"), ["E_B"], ["E_A", undefined]],
  "list of a size": [
    rule("repeated string", "repeated = {min_items: 1, max_items: 2}"),
    [["a", "a"]],
    [[], ["a", "b", "c"], undefined],
  ],
  "unique list": [rule("repeated string", "repeated.unique = true"), [[], ["a", "b"]], [["a", "a"]]],
  "list of limited items": [rule("repeated uint32", "repeated.items.uint32.lte = 3"), [[3]], [[4], [-1]]],
  "map of a size": [
    rule("map<string, string>", "map = {min_pairs: 1, max_pairs: 1}"),
    [{ a: "" }],
    [{}, { a: "", b: "" }, undefined],
  ],
  "map of limited entries": [
    rule("map<string, int32>", 'map = {keys: {string: {pattern: "^[a-z]+$"}}, values: {int32: {gt: 0}}}'),
    [{ a: 1 }],
    [{ A: 1 }, { a: 0 }],
  ],
  "map of numbers": ["map<uint32, string> v = 1", [{ 7: "" }], [{ a: "" }, { "-1": "" }]],
  oneof: ["oneof choice { string v = 1; bool w = 2; }", ["a", undefined], []],
  "required oneof": [
    "oneof choice { option (buf.validate.oneof).required = true; string v = 1; bool w = 2; }",
    ["a"],
    [],
    [undefined],
  ],
  "an expression": [rule("string", 'cel = {id: "x", message: "x", expression: "this != \'no\'"}'), ["a"], [], ["no"]],
  "time after": [
    rule("google.protobuf.Timestamp", "timestamp.gt = {seconds: 0}"),
    ["2024-01-01T00:00:00Z"],
    ["a"],
    ["1960-01-01T00:00:00Z"],
  ],
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
  message Either {
    option (buf.validate.message).oneof = {fields: ["mail", "phone"], required: true};
    string mail = 1;
    string phone = 2;
  }
  message Neither {
    option (buf.validate.message).oneof = {fields: ["mail", "phone"]};
    optional string mail = 1;
    optional string phone = 2;
  }
  message Inner { string name = 1 [${required}]; }
  ${names.map((name) => `message M${methodOf(name)} { ${rows[name]?.[0]}${rows[name]?.[0].endsWith("}") ? "" : ";"} }`).join("\n")}
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
  return (await served("rest-express", serviceOf(which, new Map(handlers)))).url;
}

const send = async (url: string, body: unknown, method = "POST"): Promise<boolean> => {
  const headers = { "content-type": "application/json" };
  const { status } = await fetch(url, { method, headers, body: JSON.stringify(body) });
  expect([200, 201, 400]).toContain(status);
  return status !== 400;
};

const document = openApiDocument(contract);

test.each(names)("%s", async (name) => {
  const [, accepts, refuses, unspelled = []] = rows[name] as Row;
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
