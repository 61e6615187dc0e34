// The OpenRPC document of a server: at its path and by rpc.discover, valid by OpenRPC's own meta-schema, and true of what the server answers.
import { Ajv, type ValidateFunction } from "ajv";
import { conformanceContract } from "@roundtrip/conformance";
import { CallError, type Contract, type Interceptor } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { realService } from "@roundtrip/service";
import { loadStyle } from "@roundtrip/styles";
import { describe, expect, test } from "vitest";
import { contract, jsonRpcStack, pairOf } from "./support/pair.ts";
import { library } from "./support/library.ts";
import { openRpcValidator } from "./support/open-rpc-validator.ts";
import { rpcPost } from "./support/rpc-post.ts";

interface Method {
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly required: boolean; readonly schema: object }[];
  readonly result: { readonly schema: object };
}

interface Document {
  readonly methods: readonly Method[];
  readonly components: object;
}

const discover = { jsonrpc: "2.0", id: 1, method: "rpc.discover" };

async function documentOf(of: Contract): Promise<Document> {
  const [document] = await (await loadStyle("json-rpc")).documents(of);
  return JSON.parse(document?.text ?? "") as Document;
}

/** Validates a value by a schema of the document. */
function conforms({ components }: Document, schema: object): ValidateFunction {
  return new Ajv({ strict: false, validateFormats: false }).compile({ ...schema, components });
}

test.each([
  ["the built-in contract", contract],
  ["the conformance contract", conformanceContract()],
  ["a contract of another kind", library],
])("the document of %s is valid OpenRPC, and has its unary operations", async (_what, of) => {
  const document = await documentOf(of);
  const isValid = openRpcValidator();
  expect([isValid(document), isValid.errors]).toEqual([true, null]);
  const unary = of.operations.filter(({ kind }) => kind === "unary").map(({ id }) => id);
  expect(document.methods.map(({ name }) => name)).toEqual(unary);
  for (const { params, result } of document.methods) {
    for (const { schema } of [...params, result]) expect(() => conforms(document, schema)).not.toThrow();
  }
});

test("a server sends it at its path, and by service discovery", async () => {
  const { server } = await pairOf(jsonRpcStack, realService(contract));
  const response = await fetch(new URL("/openrpc.json", server.url));
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
  const expected = await documentOf(contract);
  expect(await response.json()).toEqual(expected);
  expect((await rpcPost(server, discover)).json).toEqual({ jsonrpc: "2.0", id: 1, result: expected });
});

test("answers and parameters are as it says", async () => {
  const { server } = await pairOf(jsonRpcStack, realService(contract));
  const document = await documentOf(contract);
  const method = document.methods.find(({ name }) => name.endsWith(".GetCustomer"));
  if (method === undefined) throw new Error("there is no GetCustomer");
  expect(method.params).toMatchObject([
    { name: "id", required: true },
    { name: "readMask", required: false },
  ]);
  const { json } = await rpcPost(server, { jsonrpc: "2.0", id: 1, method: method.name, params: { id: 1 } });
  const isCustomer = conforms(document, method.result.schema);
  expect(isCustomer((json as { readonly result: unknown }).result)).toBe(true);
  expect(isCustomer({ id: "one" })).toBe(false);
});

describe("behind an interceptor", () => {
  const protecting: Interceptor = (service) => ({
    ...service,
    guard: (other) => protecting(service.guard(other)),
    call() {
      throw new CallError("UNAUTHENTICATED", "no token");
    },
    stream() {
      throw new CallError("UNAUTHENTICATED", "no token");
    },
  });

  test("it is protected like calls", async () => {
    const { server } = await pairOf(jsonRpcStack, protecting(serviceOf(contract, new Map())));
    const response = await fetch(new URL("/openrpc.json", server.url));
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect((await rpcPost(server, discover)).json).toMatchObject({
      id: 1,
      error: { code: 16, data: { code: "UNAUTHENTICATED" } },
    });
  });
});
