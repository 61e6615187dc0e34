// JSON-RPC clients against servers that are not ours: other errors, other orders, and answers that are no responses.
import { create } from "@bufbuild/protobuf";
import {
  GetCustomerNameRequestSchema,
  GetCustomerNameResponseSchema,
} from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { describe, expect, test } from "vitest";
import { allStacks } from "../src/index.ts";
import { caught, clientOf, contract, hello, silent } from "./support/pair.ts";
import { answeringServer } from "./support/wire.ts";

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly name: string };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A server that answers each body with what `answer` returns, as JSON. */
async function answering(answer: (request: Request) => unknown, status = 200): Promise<string> {
  return listening((body) => ({ status, text: JSON.stringify(answer(JSON.parse(body) as Request)) }));
}

async function listening(answer: (body: string) => Answer): Promise<string> {
  return answeringServer((response, body) => {
    const { status, text } = answer(body);
    response.writeHead(status, { "content-type": "application/json" }).end(text);
  });
}

/** One stack of each client. */
const stacks = [
  ...new Map(
    allStacks()
      .filter(({ style }) => style === "json-rpc")
      .toReversed()
      .map(({ client, name }) => [client, name] as const),
  ),
];

describe.each(stacks)("%s", (_client, stack) => {
  const connected = (url: string) => clientOf(stack, silent, { url });

  test("sends a method by its full name and params by theirs, to /rpc", async () => {
    const requests: Request[] = [];
    const client = await connected(
      await answering((request) => {
        requests.push(request);
        return { jsonrpc: "2.0", id: request.id, result: { message: "hi" } };
      }),
    );
    expect(await hello(client, "Ada")).toBe("hi");
    await hello(client, "Grace");
    expect(requests).toMatchObject([
      { jsonrpc: "2.0", method: "roundtrip.v1.HelloService.SayHello", params: { name: "Ada" } },
      { params: { name: "Grace" } },
    ]);
    expect(requests[0]?.id).not.toBe(requests[1]?.id);
  });

  test.each([
    [-32_700, "INVALID_ARGUMENT"],
    [-32_601, "UNIMPLEMENTED"],
    [-32_603, "INTERNAL"],
    [-32_000, "UNKNOWN"],
    [5, "UNKNOWN"],
  ])("takes the error %i of another server for %s", async (code, expected) => {
    const client = await connected(
      await answering(({ id }) => ({ jsonrpc: "2.0", id, error: { code, message: "no", data: "whatever" } })),
    );
    expect(await caught(hello(client, "Ada"))).toMatchObject({ code: expected, message: "no" });
  });

  test.each<[string, (request: Request) => unknown]>([
    ["another id", () => ({ jsonrpc: "2.0", id: 1, result: {} })],
    ["neither a result nor an error", ({ id }) => ({ jsonrpc: "2.0", id })],
    ["a result of another type", ({ id }) => ({ jsonrpc: "2.0", id, result: { message: 7 } })],
  ])("fails with UNKNOWN for an answer with %s, and does not wait for another", async (_what, answer) => {
    const client = await connected(await answering(answer));
    expect((await caught(hello(client, "Ada"))).code).toBe("UNKNOWN");
  });

  test("reads the error of a request that the server could not read", async () => {
    const error = { code: -32_700, message: "Parse error" };
    const client = await connected(await answering(() => ({ jsonrpc: "2.0", id: null, error })));
    expect(await caught(hello(client, "Ada"))).toMatchObject({ code: "INVALID_ARGUMENT", message: "Parse error" });
  });

  test.each<[Answer, string]>([
    [{ status: 503, text: "<h1>busy</h1>" }, "UNAVAILABLE"],
    [{ status: 401, text: '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"who?"}}' }, "UNAUTHENTICATED"],
    [{ status: 200, text: "<h1>hello</h1>" }, "UNKNOWN"],
  ])("reads %j of a proxy as %s", async (answer, code) => {
    const client = await connected(await listening(() => answer));
    expect((await caught(hello(client, "Ada"))).code).toBe(code);
  });

  test("finds the responses of a batch by their ids, in any order", async () => {
    const url = await listening((body) => {
      const requests = JSON.parse(body) as readonly { readonly id: number; readonly params: { readonly id: number } }[];
      const responses = requests.map(({ id, params }) => ({ jsonrpc: "2.0", id, result: { name: `${params.id}` } }));
      return { status: 200, text: JSON.stringify(responses.toReversed()) };
    });
    const getName = contract.operation("roundtrip.v1.CustomerService.GetCustomerName");
    const client = await connected(url);
    const answers = await client.prepareTogether([getName, getName])(
      [1, 2].map((id) => create(GetCustomerNameRequestSchema, { id })),
    );
    expect(answers).toEqual(["1", "2"].map((name) => create(GetCustomerNameResponseSchema, { name })));
  });

  test("reads one error for a whole batch", async () => {
    const error = { code: 8, message: "too many", data: { code: "RESOURCE_EXHAUSTED" } };
    const client = await connected(await answering(() => ({ jsonrpc: "2.0", id: null, error })));
    const sayHello = contract.operation("roundtrip.v1.HelloService.SayHello");
    const call = client.prepareTogether([sayHello])([create(sayHello.input)]);
    expect(await caught(call)).toMatchObject({ code: "RESOURCE_EXHAUSTED", message: "too many" });
  });
});
