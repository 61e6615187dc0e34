// JSON-RPC 2.0 as any client speaks it: responses, errors, notifications and batches, by the specification (https://www.jsonrpc.org/specification), and
// its OpenRPC document.
import { CallError, type Contract, type Interceptor, sliceMs } from "@roundtrip/contract";
import { realService } from "@roundtrip/service";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { loadServe, type RunningServer, serveDefaults, type ServedService } from "../src/index.ts";
import { contract, helloService, jsonRpcStack, pairOf } from "./support/pair.ts";
import { Ajv, type ValidateFunction } from "ajv";
import { conformanceContract } from "@roundtrip/conformance";
import { serviceOf } from "@roundtrip/contract/service";
import { loadStyle } from "@roundtrip/styles";
import { library } from "./support/library.ts";
import { openRpcValidator } from "./support/open-rpc-validator.ts";

interface RpcAnswer {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined for an answer without a body. */
  readonly json: unknown;
}

/** Posts a body, JSON unless it is text already, and reads the answer. */
async function rpcPost(
  { url }: Pick<RunningServer, "url">,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<RpcAnswer> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    headers: response.headers,
    text,
    json: text === "" ? undefined : (JSON.parse(text) as unknown),
  };
}

const sayHello = "roundtrip.v1.HelloService.SayHello";
const setName = "roundtrip.v1.CustomerService.SetCustomerName";
const getName = "roundtrip.v1.CustomerService.GetCustomerName";
const greeting = { message: "Hello, Ada!" };

function call(id: unknown, name = "Ada"): object {
  return { jsonrpc: "2.0", id, method: sayHello, params: { name } };
}

/** A notification. */
function notice(method: string, params: object): object {
  return { jsonrpc: "2.0", method, params };
}

let server: ServedService;
beforeAll(async () => {
  server = await (await loadServe(jsonRpcStack))(realService(contract), serveDefaults);
  return () => server.close();
});

describe("a call", () => {
  test.each([1, 0, -7, 1.5, "a", "", null])("has a response with its id %j", async (id) => {
    expect(await rpcPost(server, call(id))).toMatchObject({
      status: 200,
      type: "application/json",
      json: { jsonrpc: "2.0", id, result: greeting },
    });
  });

  test.each(["12345678901234567890", "-98765432109876543210", "1.00000000000000000001"])(
    "has a response with exactly its id %s",
    async (id) => {
      const text = JSON.stringify(call(0)).replace('"id":0', `"id":${id}`);
      expect((await rpcPost(server, text)).text).toContain(`"id":${id}`);
    },
  );

  test("may leave out params: that is an empty message", async () => {
    const { json } = await rpcPost(server, { jsonrpc: "2.0", id: 1, method: sayHello });
    expect(json).toMatchObject({ id: 1, error: { code: -32_602, data: { code: "INVALID_ARGUMENT" } } });
  });

  test("fails with the number of its code, and the details of google.rpc", async () => {
    const { status, json } = await rpcPost(server, { jsonrpc: "2.0", id: 1, method: getName, params: { id: 9999 } });
    const info = {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: "CUSTOMER_NOT_FOUND",
      domain: "roundtrip.dev",
      metadata: { id: "9999" },
    };
    const data = { code: "NOT_FOUND", details: [info] };
    const error = { code: 5, message: expect.any(String) as string, data };
    expect([status, json]).toEqual([200, { jsonrpc: "2.0", id: 1, error }]);
  });
});

describe("what is no call", () => {
  test.each<[string, unknown, number]>([
    ["a method that does not exist", { jsonrpc: "2.0", id: 1, method: "foobar" }, -32_601],
    ["a method of objects", { jsonrpc: "2.0", id: 1, method: "constructor" }, -32_601],
    ["a method that streams", { jsonrpc: "2.0", id: 1, method: "roundtrip.v1.PayloadService.Download" }, -32_601],
    ["params without names", { jsonrpc: "2.0", id: 1, method: sayHello, params: ["Ada"] }, -32_602],
    ["a parameter that does not exist", { jsonrpc: "2.0", id: 1, method: sayHello, params: { nome: "Ada" } }, -32_602],
  ])("%s has the id of the request", async (_what, request, code) => {
    expect(await rpcPost(server, request)).toMatchObject({ status: 200, json: { id: 1, error: { code } } });
  });

  test.each<[string, unknown, number]>([
    ["text that is not JSON", '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]', -32_700],
    ["a body without anything", "", -32_700],
    ["a number", 1, -32_600],
    ["null", "null", -32_600],
    ["an object without a version", { id: 1, method: sayHello, params: { name: "Ada" } }, -32_600],
    ["another version", { ...call(1), jsonrpc: "1.0" }, -32_600],
    ["a method that is a number", { jsonrpc: "2.0", id: 1, method: 1, params: "bar" }, -32_600],
    ["params that are text", { ...call(1), params: "bar" }, -32_600],
    ["an id that is an object", call({}), -32_600],
    ["an id that is true", call(true), -32_600],
    ["a response", { ...call(1), result: 1 }, -32_600],
    ["an empty batch", [], -32_600],
  ])("%s has no id", async (_what, request, code) => {
    expect(await rpcPost(server, request)).toMatchObject({
      status: 200,
      json: { jsonrpc: "2.0", id: null, error: { code, data: { code: "INVALID_ARGUMENT" } } },
    });
  });
});

describe("a notification", () => {
  test("is carried out, and has no response", async () => {
    const { status, text } = await rpcPost(server, notice(setName, { id: 2, name: "noticed" }));
    expect([status, text]).toEqual([204, ""]);
    const { json } = await rpcPost(server, { jsonrpc: "2.0", id: 1, method: getName, params: { id: 2 } });
    expect(json).toMatchObject({ result: { name: "noticed" } });
  });

  test.each([
    ["of a method that does not exist", notice("foobar", {})],
    ["that fails", notice(getName, { id: 999 })],
    ["in a batch of nothing else", [notice(getName, { id: 1 }), notice(getName, { id: 999 })]],
  ])("%s has no response either", async (_what, request) => {
    const { status, text } = await rpcPost(server, request);
    expect([status, text]).toEqual([204, ""]);
  });
});

describe("a batch", () => {
  test("has the responses of its calls, without those of notifications", async () => {
    const { json } = await rpcPost(server, [
      call("1"),
      notice(getName, { id: 1 }),
      1,
      { foo: "boo" },
      { jsonrpc: "2.0", method: "foo.get", params: {}, id: "5" },
      call("9", "Grace"),
    ]);
    expect(json).toMatchObject([
      { id: "1", result: greeting },
      { id: null, error: { code: -32_600 } },
      { id: null, error: { code: -32_600 } },
      { id: "5", error: { code: -32_601 } },
      { id: "9", result: { message: "Hello, Grace!" } },
    ]);
  });

  test("may have a hundred calls, and not one more", async () => {
    const calls = Array.from({ length: 101 }, (_, id) => call(id));
    expect((await rpcPost(server, calls.slice(1))).json).toHaveLength(100);
    expect((await rpcPost(server, calls)).json).toMatchObject({
      id: null,
      error: { code: 8, data: { code: "RESOURCE_EXHAUSTED" } },
    });
  });

  test("has answers of at most 24 MiB of memory beside the first four, and calls nothing after that", async () => {
    let calls = 0;
    const service = helloService(() => {
      calls += 1;
      return "x".repeat(5_000_000);
    });
    const { server: long } = await pairOf(jsonRpcStack, service);
    const { json } = await rpcPost(
      long,
      Array.from({ length: 12 }, (_, id) => call(id)),
    );
    const codes = (json as { readonly error?: { readonly code: number } }[]).map(({ error }) => error?.code);
    expect([codes.slice(0, 9), codes.slice(9), calls]).toEqual([Array(9).fill(undefined), Array(3).fill(8), 10]);
    // For each request anew.
    const { json: next } = await rpcPost(long, [call("next")]);
    expect(next).toMatchObject([{ id: "next", result: {} }]);
  });

  test("runs calls that change nothing at the same time, and others in their order", async () => {
    let running = 0;
    let most = 0;
    const service = helloService(async ({ name }) => {
      running += 1;
      most = Math.max(most, running);
      await sleep(20);
      running -= 1;
      return name;
    });
    const { server: slow } = await pairOf(jsonRpcStack, service);
    await rpcPost(slow, [call(1), call(2), call(3)]);
    expect(most).toBe(3);
    most = 0;
    const write = { jsonrpc: "2.0", id: 4, method: setName, params: { id: 1, name: "x" } };
    expect((await rpcPost(slow, [call(1), write, call(3)])).json).toHaveLength(3);
    expect(most).toBe(1);
  });

  test("of calls that take long together leaves time for other requests", async () => {
    const events: string[] = [];
    const service = helloService(({ name }) => {
      events.push(name);
      if (events.length === 1) setImmediate(() => events.push("other"));
      const endsAtMs = performance.now() + sliceMs / 2;
      while (performance.now() < endsAtMs);
      return name;
    });
    const { server: busy } = await pairOf(jsonRpcStack, service);
    await rpcPost(
      busy,
      Array.from({ length: 12 }, (_, id) => call(id)),
    );
    expect(events.slice(0, 4)).toContain("other");
  });

  test("has one deadline", async () => {
    const { server: slow } = await pairOf(
      jsonRpcStack,
      helloService(async () => {
        await sleep(2_000);
        return "late";
      }),
    );
    const { json } = await rpcPost(slow, [call(1), call(2)], { "x-request-timeout-ms": "20" });
    expect(json).toMatchObject([
      { id: 1, error: { code: 4, data: { code: "DEADLINE_EXCEEDED" } } },
      { id: 2, error: { code: 4, data: { code: "DEADLINE_EXCEEDED" } } },
    ]);
  });

  test("has the metadata of all its calls, each value once", async () => {
    const { server: telling } = await pairOf(
      jsonRpcStack,
      helloService(({ name }, { answerMetadata }) => {
        answerMetadata.set("x-name", name).set("x-same", "one");
        return name;
      }),
    );
    const { headers } = await rpcPost(telling, [call(1, "Ada"), call(2, "Grace")]);
    expect([headers.get("x-name"), headers.get("x-same")]).toEqual(["Ada, Grace", "one"]);
  });
});

describe("HTTP", () => {
  test("has nothing at another path", async () => {
    const response = await fetch(new URL("/elsewhere", server.url), { method: "POST", body: "{}" });
    expect([response.status, await response.json()]).toMatchObject([404, { error: { code: -32_601 } }]);
  });

  test("says which methods a path has", async () => {
    const response = await fetch(server.url, { method: "OPTIONS" });
    expect([response.status, response.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS, POST"]);
  });

  test("refuses a body above the limit, with all calls of a batch", async () => {
    const { server: small } = await pairOf(jsonRpcStack, realService(contract), { serve: { maxMessageBytes: 200 } });
    expect((await rpcPost(small, [call(1)])).status).toBe(200);
    expect(await rpcPost(small, [call(1), call(2), call(3)])).toMatchObject({
      status: 413,
      json: { id: null, error: { code: 8 } },
    });
  });
});

// The OpenRPC document of a server: at its path and by rpc.discover, valid by OpenRPC's own meta-schema, and true of what the server answers.

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
  const { server: own } = await pairOf(jsonRpcStack, realService(contract));
  const response = await fetch(new URL("/openrpc.json", own.url));
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
  const expected = await documentOf(contract);
  expect(await response.json()).toEqual(expected);
  expect((await rpcPost(own, discover)).json).toEqual({ jsonrpc: "2.0", id: 1, result: expected });
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
    const { server: own } = await pairOf(jsonRpcStack, protecting(serviceOf(contract, new Map())));
    const response = await fetch(new URL("/openrpc.json", own.url));
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect((await rpcPost(own, discover)).json).toMatchObject({
      id: 1,
      error: { code: 16, data: { code: "UNAUTHENTICATED" } },
    });
  });
});
