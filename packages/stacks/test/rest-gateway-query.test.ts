// Query parameters and path variables in the dialect of grpc-gateway: what its runtime/query.go reads, and that nothing is dropped.
import { type JsonValue, toJson } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileContract } from "./support/compile-contract.ts";
import { keptPair, restStack, echoService } from "./support/pair.ts";

const contract = compileContract(`
  syntax = "proto3";
  package asked.v1;
  import "google/api/annotations.proto";
  import "google/protobuf/any.proto";
  import "google/protobuf/duration.proto";
  import "google/protobuf/field_mask.proto";
  import "google/protobuf/struct.proto";
  import "google/protobuf/timestamp.proto";
  import "google/protobuf/wrappers.proto";
  service Asked {
    rpc Find(Q) returns (Q) { option (google.api.http) = {get: "/find"}; }
    rpc At(Q) returns (Q) { option (google.api.http) = {get: "/at/{name}/{inner.h}/{flag}/{ratio}/{kind}/{ttl}"}; }
    rpc Of(Q) returns (Q) { option (google.api.http) = {get: "/of/name/{name}"
      ${["kind", "small", "large", "size", "mark", "big", "blob", "raw", "since", "ttl"]
        .map((field) => `additional_bindings {get: "/of/${field}/{${field}}"}`)
        .join(" ")}
    }; }
    rpc Put(Q) returns (Q) { option (google.api.http) = {put: "/put/{name}" body: "inner"}; }
    rpc All(Q) returns (Q) { option (google.api.http) = {post: "/all" body: "*"}; }
  }
  enum Kind { option allow_alias = true; KIND_UNSPECIFIED = 0; KIND_A = 1; KIND_FIRST = 1; KIND_B = -2; }
  message Inner { string width = 1; int32 h = 2; Inner again = 3; repeated string tags = 4; }
  message Q {
    string name = 1; bool flag = 2; double ratio = 3; float share = 4; int32 small = 5; int64 large = 6;
    uint32 size = 7; fixed64 mark = 8; bytes blob = 9; Kind kind = 10; repeated Kind kinds = 11; repeated int64 ids = 12;
    repeated bool flags = 13; Inner inner = 14; oneof pick { int32 foo = 15; Inner bar = 16; string baz_qux = 17; }
    google.protobuf.Timestamp since = 18; google.protobuf.Duration ttl = 19; google.protobuf.FieldMask read_mask = 20;
    google.protobuf.StringValue title = 21; google.protobuf.Int64Value big = 22; google.protobuf.BoolValue on = 23;
    google.protobuf.DoubleValue weight = 24; google.protobuf.BytesValue raw = 25; map<string, string> labels = 26;
    map<int32, bool> votes = 27; map<string, google.protobuf.Duration> times_of = 28; map<string, Inner> inners_of = 29;
    optional string maybe = 30; repeated Inner inners = 31; repeated google.protobuf.Timestamp times = 32;
    google.protobuf.Struct any_json = 33; google.protobuf.Value val = 34; google.protobuf.Any any = 35;
    google.protobuf.ListValue list = 36;
  }
`);
const [find] = contract.operations as [(typeof contract.operations)[number]];

let pair: Awaited<ReturnType<typeof keptPair>>;

beforeAll(async () => {
  pair = await keptPair(restStack, echoService(contract), {
    serve: { settings: { dialect: "grpc-gateway", unsetFields: "omitted" } },
  });
});
afterAll(() => pair.close());

async function answerTo(target: string, init?: RequestInit): Promise<readonly [number, JsonValue]> {
  const response = await fetch(pair.server.url + target, init);
  return [response.status, (await response.json()) as JsonValue];
}

const number = (text: string, value: JsonValue) => [`ratio=${text}`, { ratio: value }] as const;

describe("reads", () => {
  test.for<readonly [query: string, message: JsonValue]>([
    ["name=a+b%2Bc", { name: "a b+c" }],
    ["read_mask=a_b,c&readMask=", { readMask: "aB,c" }],
    ["readMask=aB", { readMask: "aB" }],
    ...["1", "t", "T", "true", "TRUE", "True"].map((text) => [`flag=${text}`, { flag: true }] as const),
    ...["0", "f", "F", "false", "FALSE", "False"].map((text) => [`maybe=x&flag=${text}`, { maybe: "x" }] as const),
    number("%2B1", 1),
    number(".5", 0.5),
    number("1E3", 1000),
    number("%2Binf", "Infinity"),
    number("-INFINITY", "-Infinity"),
    number("NaN", "NaN"),
    [
      "small=-7&large=%2B9007199254740993&size=007&mark=18446744073709551615",
      { small: -7, large: "9007199254740993", size: 7, mark: "18446744073709551615" },
    ],
    ["blob=%2B/8%3D", { blob: "+/8=" }],
    ["blob=aG%0Ak%3D", { blob: "aGk=" }],
    ["kind=KIND_FIRST", { kind: "KIND_A" }],
    ["kind=1", { kind: "KIND_A" }],
    [
      "kinds=1&kinds=KIND_B&ids=1&ids=2&flags=T&flags=0",
      { kinds: ["KIND_A", "KIND_B"], ids: ["1", "2"], flags: [true, false] },
    ],
    [
      "inner.width=w&inner.again.h=2&inner.tags=a&inner.tags=b",
      { inner: { width: "w", again: { h: 2 }, tags: ["a", "b"] } },
    ],
    ["bar.width=w&bar.h=2", { bar: { width: "w", h: 2 } }],
    ["bazQux=b", { bazQux: "b" }],
    ["since=2024-01-02T03:04:05%2B01:00", { since: "2024-01-02T02:04:05Z" }],
    ["since.seconds=5&since.nanos=6", { since: "1970-01-01T00:00:05.000000006Z" }],
    ["ttl=1h2m3.5s", { ttl: "3723.500s" }],
    ["ttl=315576000000s", { ttl: "315576000000s" }],
    ["ttl.seconds=5", { ttl: "5s" }],
    ["read_mask.paths=a&read_mask.paths=b", { readMask: "a,b" }],
    ["title.value=z", { title: "z" }],
    ["big=5&on=T&weight=inf&raw=AQI%3D", { big: "5", on: true, weight: "Infinity", raw: "AQI=" }],
    ["labels[a]=b&labels%5Bc.d%5D=", { labels: { a: "b", "c.d": "" } }],
    ["votes[-1]=T&votes[2]=false", { votes: { "-1": true, "2": false } }],
    ["times_of[a]=2s", { timesOf: { a: "2s" } }],
    ["maybe", { maybe: "" }],
    ["times=2024-01-02T03:04:05Z", { times: ["2024-01-02T03:04:05Z"] }],
    ['any_json={"a":[1,"b"]}', { anyJson: { a: [1, "b"] } }],
    ["val=3", { val: 3 }],
    ['val="a"', { val: "a" }],
    ["&&name=a&", { name: "a" }],
  ])("%s", async ([query, message]) => {
    // A later empty value of another spelling replaces an earlier one, as there.
    const expected = query.startsWith("read_mask=a_b") ? { readMask: "" } : message;
    expect(await answerTo(`/find?${query}`)).toEqual([200, expected]);
  });

  test.for<readonly [target: string, message: JsonValue]>([
    ["small/010", { small: 10 }],
    ["small/+10", { small: 10 }],
    ["kind/1", { kind: "KIND_A" }],
    ["blob/aGk=", { blob: "aGk=" }],
    ["raw/-_8=", { raw: "+/8=" }],
    ["ttl/3600s", { ttl: "3600s" }],
    ["since/2024-01-02T03:04:05+01:00", { since: "2024-01-02T02:04:05Z" }],
  ])("the path variable %s", async ([target, message]) => {
    expect(await answerTo(`/of/${target}`)).toEqual([200, message]);
  });

  test("variables for nested fields as in a query", async () => {
    expect(await answerTo("/at/n/-07/T/-inf/1/60s")).toEqual([
      200,
      { name: "n", inner: { h: -7 }, flag: true, ratio: "-Infinity", kind: "KIND_A", ttl: "60s" },
    ]);
  });

  test("what the client writes", async () => {
    const message = {
      name: "n",
      ratio: "NaN",
      since: "2024-01-02T03:04:05Z",
      ttl: "1.500s",
      kinds: ["KIND_B"],
      blob: "+/8=",
    };
    const { fromJson } = await import("@bufbuild/protobuf");
    const answer = await pair.client.prepare(find)(fromJson(find.input, message));
    expect(toJson(find.output, answer)).toEqual(message);
  });
});

/** Queries of Find, each refused by its first parameter. */
const refused = `
  no=1 name.x=1 inner.no=1 since.no=1 inner=x inners=x any=x list=[1] inners_of[a]=x flag=yes flag=tRUE
  flag= ratio=1_0 ratio=0x1 ratio=x ratio=%2Bnan ratio=1e999 ratio= share=1e39 small=2147483648 small=1.0
  small=0x10 large=9223372036854775808 size=-1 size=%2B1 blob=* blob=aGk blob=%2B_8%3D kind=7 kind=KIND_NO
  kinds=KIND_NO ids=x since=yesterday since=2024-02-30T00:00:00Z ttl=5 ttl=1x ttl=.s ttl=999999999999s
  big=x big.value=x on=yes weight=x labels=b labels[a]=b&labels[a]=c votes[x]=true votes[1]=x
  times_of[a]=x any_json={ any_json=[1] name[a]=b name=a&name=b inner.h=1&inner.h=2 foo=1&baz_qux=b
  bar.h=1&foo=1 =x [a]=b since.seconds=x inner.again.h=x
`
  .trim()
  .split(/\s+/);

describe("refuses, by the parameter's whole name", () => {
  test.for<readonly [target: string, name: string]>([
    ...refused.map((query) => {
      const names: Readonly<Record<string, string>> = { "foo=1&baz_qux=b": "baz_qux", "bar.h=1&foo=1": "foo" };
      return [
        `/find?${query}`,
        names[query] ?? query.slice(0, query.indexOf("=", 1) === -1 ? 0 : query.indexOf("=")),
      ] as const;
    }),
    ["/at/n/1/T/1/1/1s?inner.h=2", "inner.h"],
    ["/at/n/x/T/1/1/1s", "inner.h"],
    ["/at/n/0x1/T/1/1/1s", "inner.h"],
    ...["small/0x10", "small/1_0", "small/2147483648", "size/+1", "kind/7"]
      .concat(["big/_1", "blob/aGk", "raw/aGk", "ttl/1h", "ttl/01s", "ttl/s", "ttl/1", "since/yesterday"])
      .map((target) => [`/of/${target}`, target.slice(0, target.indexOf("/"))] as const),
    ["/at/n/1/yes/1/1/1s", "flag"],
    ["/at/n/1/T/1/9/1s", "kind"],
  ])("%s", async ([target, name]) => {
    const [status, error] = await answerTo(target);
    const { code, details } = error as unknown as {
      code: number;
      details: readonly { fieldViolations?: readonly { field: string }[] }[];
    };
    expect([
      status,
      code,
      details.flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field }) => field)),
    ]).toEqual([400, 3, [name]]);
  });

  test.for(["/put/n?inner.h=1", "/put/n?name=x", "/put/n?no=x"])("PUT %s", async (target) => {
    const [status] = await answerTo(target, { method: "PUT", body: '{"width":"w","unknown":1}' });
    expect(status).toBe(400);
    expect(await answerTo("/put/n?flag=T", { method: "PUT", body: '{"width":"w","unknown":1}' })).toEqual([
      200,
      { name: "n", flag: true, inner: { width: "w" } },
    ]);
  });

  test.for(["/find?name=a;b", "/find?flag=T;name=a", "/find?a;b", "/of/name/n?maybe=a;b"])(
    "a semicolon, as Go does: %s",
    async (target) => {
      const error: JsonValue = { code: 3, message: "invalid semicolon separator in query", details: [] };
      expect(await answerTo(target)).toEqual([400, error]);
      const headers = { prefer: "handling=lenient" };
      expect(await answerTo(target, { headers })).toEqual([400, error]);
      expect((await answerTo("/find?name=a%3Bb"))[1]).toEqual({ name: "a;b" });
    },
  );

  test("every parameter beside a body of all fields", async () => {
    expect((await answerTo("/all?name=x", { method: "POST", body: "{}" }))[0]).toBe(400);
  });

  test("not what the caller asks to ignore", async () => {
    const headers = { prefer: "handling=lenient" };
    expect(await answerTo("/find?no=1&labels[a]=b&flag=T", { headers })).toEqual([
      200,
      { labels: { a: "b" }, flag: true },
    ]);
  });
});
