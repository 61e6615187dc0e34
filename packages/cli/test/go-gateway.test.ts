// A real grpc-gateway in front of a server here: what its REST clients get, this project's client gets too.
import { create, type Message } from "@bufbuild/protobuf";
import { builtInContract, CallError, type Client } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { forwarding, startFake } from "@roundtrip/fakes";
import { realService } from "@roundtrip/service";
import { connectTo, loadServe, serveDefaults, type ServedService } from "@roundtrip/stacks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { builtTarget, startGoTarget } from "./support/go-target.ts";
import type { Target } from "./support/target.ts";

const contract = builtInContract();

type Init = Readonly<Record<string, unknown>>;

/** Reads and refused calls: the answers do not depend on their order. */
const calls: readonly (readonly [method: string, request: Init])[] = [
  ["HelloService.SayHello", { name: "日本 𝔘 é / ?" }],
  ["CustomerService.GetCustomer", { id: 1 }],
  ["CustomerService.GetCustomer", { id: 1_000, readMask: { paths: ["mail"] } }],
  ["CustomerService.GetCustomer", { id: 1_001 }],
  ["CustomerService.GetCustomer", { id: -1 }],
  ["CustomerService.ListCustomers", { pageSize: 7, pageToken: "YWZ0ZXI6OTk2" }],
  ["CustomerService.ListCustomers", { pageSize: 1_001 }],
  ["CustomerService.CreateCustomer", { customer: { id: 0, phoneNumber: "call me" } }],
  ["CustomerService.CreateCustomer", { customer: { id: 1 } }],
  ["CustomerService.DeleteCustomer", { id: 4_711 }],
  ["PayloadService.Echo", { text: "a text", data: new Uint8Array([0, 255]) }],
  ["PayloadService.Download", { sizeBytes: 10, chunkBytes: 4 }],
  ["PayloadService.Download", { sizeBytes: 0 }],
  ["PayloadService.Download", { sizeBytes: -1 }],
  ["MatrixService.Power", { matrix: { size: 2, elements: [1] }, exponent: 2 }],
];

async function outcome(client: Client, [method, init]: (typeof calls)[number]): Promise<unknown> {
  const operation = contract.operation(`roundtrip.v1.${method}`);
  const request: Message = create(operation.input, init);
  try {
    if (operation.kind !== "unary") return await Array.fromAsync(client.prepareStream(operation)([request]));
    return await client.prepare(operation)(request);
  } catch (thrown) {
    const { code, message, details } = thrown as CallError;
    return { code, message, details };
  }
}

async function outcomes(client: Client): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (const call of calls) all.push(await outcome(client, call));
  return all;
}

describe("a real grpc-gateway", await needing("go"), () => {
  const service = realService(contract);
  let server: ServedService;
  let gateway: Target;
  let direct: Client;
  let through: Client;

  beforeAll(async () => {
    server = await (await loadServe("grpc-js"))(service, serveDefaults);
    const program = await builtTarget("./gateway");
    gateway = await startGoTarget(program, "--grpc", new URL(server.url).host);
    direct = await connectTo("grpc-js", contract, { url: server.url });
    through = await connectTo("rest-express", contract, { url: gateway.urls["rest"] ?? "" });
  }, 600_000);

  afterAll(async () => {
    await direct.close();
    await through.close();
    await gateway[Symbol.asyncDispose]();
    await server.close();
    await service.close();
  });

  it("gives the answers, streams and errors of the server behind it", async () => {
    expect(await outcomes(through)).toEqual(await outcomes(direct));
  });

  it("leaves to a fake in front what it has no path for, and not what its server does not find", async () => {
    const operation = contract.operation("roundtrip.v1.CustomerService.GetCustomer");
    const missing = new CallError("NOT_FOUND", "Not Found");
    const handlers = new Map([[operation.id, () => Promise.reject(missing)]]);
    const behind = await (await loadServe("grpc-js"))(serviceOf(contract, handlers), serveDefaults);
    await using front = await startGoTarget(await builtTarget("./gateway"), "--grpc", new URL(behind.url).host);
    const url = front.urls["rest"] ?? "";
    await using forwarded = forwarding([{ url, connect: (served) => connectTo("rest-express", served, { url }) }]);
    await using fake = await startFake(contract, { stacks: [], forward: forwarded.interceptor });
    const client = await fake.connect("memory");
    expect(await outcome(client, ["ProductService.GetProduct", { id: 7 }])).toMatchObject({ id: 7 });
    expect(await outcome(client, ["ProductService.StreamProducts", {}])).toContainEqual(
      expect.objectContaining({ products: expect.any(Array) as unknown }),
    );
    expect(await outcome(client, ["CustomerService.GetCustomer", { id: 7 }])).toMatchObject({
      code: "NOT_FOUND",
      message: "Not Found",
    });
    await behind.close();
  });

  it("answers as the dialect of a fake does, with the same JSON, statuses and media types", async () => {
    const settings = { dialect: "grpc-gateway" };
    const own = await (await loadServe("rest-express"))(service, { ...serveDefaults, settings });
    try {
      const paths = [
        "/v1/customers/1",
        "/v1/customers/1001",
        "/v1/customers/0",
        "/v1/customers?pageSize=2",
        "/v1/payload?sizeBytes=9&chunkBytes=4",
      ];
      for (const path of [...paths, "/v1/payload?sizeBytes=-1"]) {
        const [one, other] = await Promise.all(
          [gateway.urls["rest"], own.url].map(async (url) => {
            const response = await fetch(`${url}${path}`);
            const lines = (await response.text()).trimEnd().split("\n");
            const type = response.headers.get("content-type");
            return { path, status: response.status, type, lines: lines.map((line) => JSON.parse(line) as unknown) };
          }),
        );
        expect(other).toEqual(one);
      }
    } finally {
      await own.close();
    }
  });
});
