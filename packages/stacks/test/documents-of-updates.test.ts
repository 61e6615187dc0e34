// Partial updates × what OpenAPI and OpenRPC say × what the servers do: of a resource, only what the mask names is required.
import { create, type Message } from "@bufbuild/protobuf";
import type { Handler } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRpcText } from "../../styles/src/json-rpc/openrpc.ts";
import { openApiDocument } from "../../styles/src/rest/openapi/openapi.ts";
import { loadServe, type RunningServer, serveDefaults } from "../src/index.ts";
import { compileContract } from "./support/compile-contract.ts";

const required = "[(google.api.field_behavior) = REQUIRED]";
const rpc = (name: string): string =>
  `rpc ${name}(${name}Request) returns (Room) { option (google.api.http) = {post: "/v1/${name}" body: "*"}; }`;

const contract = compileContract(`
  syntax = "proto3";
  package hotel.v1;
  import "google/api/annotations.proto";
  import "google/api/field_behavior.proto";
  import "google/protobuf/field_mask.proto";
  message Price { int32 units = 1 ${required}; }
  message Room { string title = 1 ${required}; Price price = 2 ${required}; }
  message UpdateRoomRequest { Room room = 1 ${required}; google.protobuf.FieldMask update_mask = 2; }
  message BatchUpdateRoomsRequest { repeated UpdateRoomRequest requests = 1 ${required}; }
  message UpdateDeskRequest {
    string title = 1 ${required};
    int32 height = 2 ${required};
    google.protobuf.FieldMask update_mask = 3 ${required};
  }
  message CreateRoomRequest { Room room = 1 ${required}; }
  service Hotel {
    ${["UpdateRoom", "BatchUpdateRooms", "UpdateDesk", "CreateRoom"].map(rpc).join("\n")}
  }
`);

const title = { room: { title: "Attic" } };

const requests: readonly (readonly [operation: string, request: object, isAccepted: boolean])[] = [
  ["UpdateRoom", { ...title, updateMask: "title" }, true],
  ["UpdateRoom", title, true],
  ["UpdateRoom", { updateMask: "title" }, false],
  ["BatchUpdateRooms", { requests: [{ ...title, updateMask: "title" }] }, true],
  ["BatchUpdateRooms", { requests: [{ updateMask: "title" }] }, false],
  ["BatchUpdateRooms", {}, false],
  ["UpdateDesk", { height: 70, updateMask: "height" }, true],
  ["UpdateDesk", { height: 70 }, false],
  ["CreateRoom", title, false],
];

const servers: RunningServer[] = [];
let [restUrl, rpcUrl] = ["", ""];
beforeAll(async () => {
  const handlers = contract.operations.map(({ id, output }): [string, Handler] => [id, (): Message => create(output)]);
  const service = serviceOf(contract, new Map(handlers));
  for (const stack of ["rest-express", "json-rpc-node-http"]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    servers.push(await (await loadServe(stack))(service, serveDefaults));
  }
  [restUrl = "", rpcUrl = ""] = servers.map(({ url }) => url);
});
afterAll(() => Promise.all(servers.map(async (server) => server.close())));

const headers = { "content-type": "application/json" };

async function post(url: string, body: unknown): Promise<object> {
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return (await answer.json()) as object;
}

function isValid(document: object, pointer: string, value: unknown): boolean {
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema({ $id: "document", ...document });
  return ajv.validate({ $ref: `document#${pointer}` }, value);
}

function openApiAccepts(operation: string, request: object): boolean {
  const document = openApiDocument(contract);
  const path = `/paths/~1v1~1${operation}/post/requestBody/content/application~1json/schema`;
  return isValid(document, path, request);
}

interface Method {
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly required: boolean }[];
}

function openRpcAccepts(operation: string, request: object): boolean {
  const document = JSON.parse(openRpcText(contract)) as { readonly methods: readonly Method[] };
  const { methods } = document;
  const at = methods.findIndex(({ name }) => name.endsWith(`.${operation}`));
  const values = new Map(Object.entries(request));
  return (methods[at]?.params ?? []).every(({ name, required: isRequired }, index) =>
    values.has(name) ? isValid(document, `/methods/${at}/params/${index}/schema`, values.get(name)) : !isRequired,
  );
}

test.each(requests)("%s of %j is accepted: %s", async (operation, request, isAccepted) => {
  const call = { jsonrpc: "2.0", id: 1, method: `hotel.v1.Hotel.${operation}`, params: request };
  expect({
    openApi: openApiAccepts(operation, request),
    rest: !("code" in (await post(`${restUrl}/v1/${operation}`, request))),
    openRpc: openRpcAccepts(operation, request),
    jsonRpc: "result" in (await post(rpcUrl, call)),
  }).toEqual({ openApi: isAccepted, rest: isAccepted, openRpc: isAccepted, jsonRpc: isAccepted });
});
