// Names inside of requests that nothing has: paths of masks, in every style, and custom verbs of REST. The error proposes the nearest, as its caller writes it.
import { create } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";
import { startFake, type StartedFake } from "../src/fake/start-fake.ts";

const contract = compileContract(`
syntax = "proto3";
package acme.stay.v1;
import "google/api/annotations.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/timestamp.proto";
service Stays {
  rpc GetStay(GetStayRequest) returns (Stay) { option (google.api.http) = {get: "/v1/{name=stays/*}"}; }
  rpc CreateStay(CreateStayRequest) returns (Stay) { option (google.api.http) = {post: "/v1/stays" body: "stay"}; }
  rpc UpdateStay(UpdateStayRequest) returns (Stay) { option (google.api.http) = {patch: "/v1/{stay.name=stays/*}" body: "stay"}; }
  rpc ConfirmStay(GetStayRequest) returns (Stay) { option (google.api.http) = {post: "/v1/{name=stays/*}:confirm" body: "*"}; }
  rpc PreviewStay(GetStayRequest) returns (Stay) { option (google.api.http) = {get: "/v1/{name=stays/*}:preview"}; }
}
message Stay { string name = 1; google.protobuf.Timestamp create_time = 2; Address address = 3; }
message Address { string city = 1; string postal_code = 2; }
message GetStayRequest { string name = 1; google.protobuf.FieldMask read_mask = 2; }
message CreateStayRequest { Stay stay = 1; }
message UpdateStayRequest { Stay stay = 1; google.protobuf.FieldMask update_mask = 2; }
`);
const stays = "acme.stay.v1.Stays";
const stacks = ["grpc-js", "rest-express", "graphql-apollo", "connect-node", "json-rpc-node-http", "soap-node-http"];

let fake: StartedFake;
beforeAll(async () => {
  fake = await startFake(contract, { stacks });
});
afterAll(() => fake.close());

async function refusedBy(stack: string, name: string, request: object): Promise<CallError> {
  const client = await fake.connect(stack);
  const operation = contract.operation(`${stays}.${name}`);
  try {
    await client.prepare(operation)(create(operation.input, request as never));
  } catch (thrown) {
    return CallError.from(thrown);
  }
  throw new Error("answered");
}

const misspelled: readonly (readonly [path: string, hint: string])[] = [
  ["create_tmie", '; did you mean "create_time"?'],
  ["address.ctiy", '; did you mean "address.city"?'],
  ["adress.postal_code", '; did you mean "address.postal_code"?'],
  ["name.first", ""],
  ["zzzzzz", ""],
];

describe.each(stacks)("over %s, the error of a mask", (stack) => {
  it.each(misspelled)("with %s says%s", async (path, hint) => {
    const description = `Stay has no field "${path}"${hint}`;
    const stay = { name: "stays/stay-1" };
    const expected = { message: `update_mask: ${description}`, details: { violations: [{ description }] } };
    expect(await refusedBy(stack, "UpdateStay", { stay, updateMask: { paths: [path] } })).toMatchObject(expected);
    // In GraphQL the selection is the mask.
    if (stack === "graphql-apollo") return;
    const read = await refusedBy(stack, "GetStay", { name: "stays/stay-1", readMask: { paths: [path] } });
    expect(read.message).toBe(`read_mask: ${description}`);
  });
});

const json = { "content-type": "application/json" };

/** The text of an answer, without the escapes of JSON. */
async function answerOf(stack: string, path: string, request: RequestInit): Promise<string> {
  const answer = await fetch(`${fake.urls[stack] ?? ""}${path}`, { headers: json, ...request });
  return (await answer.text()).replaceAll('\\"', '"');
}

function rpc(updateMask: string): RequestInit {
  const params = { stay: { name: "stays/stay-1" }, updateMask };
  return { method: "POST", body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: `${stays}.UpdateStay`, params }) };
}

const query = "mutation ($input: UpdateStayInput!) { updateStay(input: $input) { name } }";
function mutation(path: string): RequestInit {
  const variables = { input: { stay: { name: "stays/stay-1" }, updateMask: [path] } };
  return { method: "POST", body: JSON.stringify({ query, variables }) };
}

const patch = { method: "PATCH", body: "{}" };
it.each<readonly [string, string, RequestInit, string]>([
  ["rest-express", "/v1/stays/stay-1?updateMask=create_time", patch, "createTime"],
  ["rest-express", "/v1/stays/stay-1?update_mask=name,address.postal_code", patch, "name,address.postalCode"],
  ["rest-express", "/v1/stays/stay-1?updateMask=createTmie", patch, "createTime"],
  ["rest-express", "/v1/stays/stay-1?readMask=address.postalCod", {}, "address.postalCode"],
  ["json-rpc-node-http", "", rpc("create_time"), "createTime"],
  ["json-rpc-node-http", "", rpc("address.postlCode"), "address.postalCode"],
  ["graphql-apollo", "", mutation("createTmie"), "createTime"],
])("%s%s %j proposes a path as JSON has it", async (stack, path, request, proposed) => {
  expect(await answerOf(stack, path, request)).toContain(`did you mean "${proposed}"?`);
});

describe("a custom verb of REST", () => {
  const restStacks = ["rest-express", "rest-fastify", "rest-hono", "rest-node-http"];

  it.each(restStacks)("that nothing has is answered with the nearest by %s", async (stack) => {
    await using rest = await startFake(contract, { stacks: [stack] });
    const sent = async (method: string, path: string) => {
      const answer = await fetch(`${rest.urls[stack] ?? ""}/v1/${path}`, { method, headers: json });
      const { detail } = (await answer.json()) as { readonly detail: string };
      return [answer.status, answer.headers.get("allow"), detail];
    };
    const allow = "GET, HEAD, OPTIONS, PATCH";
    const refused = (path: string, hint: string) => [
      405,
      allow,
      `/v1/${path} does not answer POST, but ${allow}${hint}`,
    ];
    expect(await sent("POST", "stays/7:confrm")).toEqual(
      refused("stays/7:confrm", '; did you mean "POST /v1/stays/7:confirm"?'),
    );
    expect(await sent("POST", "stays/7:prview")).toEqual(
      refused("stays/7:prview", '; did you mean "GET /v1/stays/7:preview"?'),
    );
    expect(await sent("POST", "stays/7:zzz")).toEqual(refused("stays/7:zzz", ""));
    // The path of another method takes it as a value.
    const missing = "there is no stay stays/stay-1:";
    expect(await sent("GET", "stays/stay-1:prview")).toEqual([
      404,
      null,
      `${missing}prview; did you mean "GET /v1/stays/stay-1:preview"?`,
    ]);
    expect(await sent("GET", "stays/stay-1:zzz")).toEqual([404, null, `${missing}zzz`]);
  });
});
