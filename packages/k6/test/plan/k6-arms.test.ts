// Arms of a run as k6 does them: the requests that this project's own clients send, in the order of the plan; and what is left out, with its reason.
import { type Task, sequentialPlan } from "@roundtrip/runner";
import { describe, expect, it } from "vitest";
import { k6ArmsOf, type K6Arms } from "../../src/plan/k6-arms.ts";
import type { K6GrpcRequest, K6HttpRequest, K6Step, PlannedRequest } from "../../src/plan/k6-plan.ts";
import { armsFor, computing, farAway, greeting, image, reading } from "../support/runner-arms.ts";

async function prepared(tasks: readonly Task[], stacks?: readonly string[]): Promise<K6Arms> {
  return k6ArmsOf(await armsFor(tasks, stacks), image.contract);
}

type StepWithRequests = Omit<K6Step, "requests"> & { readonly requests: readonly (PlannedRequest | undefined)[] };

/** Steps of the only variant, with what their numbers stand for. */
async function stepsOf(task: Task, stack: string): Promise<readonly StepWithRequests[]> {
  const { arms, requests } = await prepared([task], [stack]);
  return arms.flatMap(({ steps }) =>
    steps.map((step) => ({ ...step, requests: step.requests.map((number) => requests[number]) })),
  );
}

async function serversOf(task: Task): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { servers } = await prepared([task]);
  return servers.map(({ setup: _setup, stack: _stack, ...facts }) => facts);
}

describe("a request", () => {
  it("over REST is what our own client sends", async () => {
    expect(await stepsOf(greeting, "rest-express")).toEqual([
      {
        requests: [{ method: "GET", path: "/v1/hello?name=World", headers: expect.any(Object) as object, body: "" }],
      },
    ]);
  });

  it("over GraphQL has its values in variables, and is sent to the address as it is", async () => {
    const [request] = (await stepsOf(greeting, "graphql-apollo")).flatMap(({ requests }) => requests);
    const { method, path, headers, body } = request as K6HttpRequest;
    expect({ method, path }).toEqual({ method: "POST", path: "" });
    expect(headers).toMatchObject({ "content-type": "application/json" });
    expect(body).toEqual({
      query: expect.stringContaining("sayHello") as string,
      variables: { name: "World" },
    });
  });

  it("over gRPC is the message in ProtoJSON", async () => {
    const wanted: K6GrpcRequest = { method: "roundtrip.v1.HelloService/SayHello", message: { name: "World" } };
    expect(await stepsOf(greeting, "grpc-js")).toEqual([{ requests: [wanted] }]);
  });

  it.each(["grpc-js", "graphql-apollo", "rest-express"])(
    "over %s is each of those that are asked in turn",
    async (stack) => {
      const steps = await stepsOf(computing, stack);
      expect(steps).toHaveLength(1);
      expect(new Set(steps[0]?.requests.map((request) => JSON.stringify(request))).size).toBe(3);
      expect(steps[0]?.times).toEqual({ queue: "queueTime", service: "serviceTime" });
    },
  );
});

it("the steps of an arm follow each other, are called at once, or are one exchange", async () => {
  const { arms } = await prepared([reading]);
  const messages = arms.map(
    ({ facts: { stack, variant }, steps, sets }) => `${stack} ${variant} ${steps.length} ${JSON.stringify(sets)}`,
  );
  expect(messages.toSorted()).toEqual([
    "graphql-apollo chatty 3 [[0],[1],[2]]",
    "graphql-apollo chatty-parallel 3 [[0,1,2]]",
    "graphql-apollo facade 1 [[0]]",
    "graphql-apollo together 1 [[0]]",
    "grpc-js chatty 3 [[0],[1],[2]]",
    "grpc-js chatty-parallel 3 [[0,1,2]]",
    "grpc-js facade 1 [[0]]",
    "rest-express chatty 3 [[0],[1],[2]]",
    "rest-express chatty-parallel 3 [[0,1,2]]",
    "rest-express facade 1 [[0]]",
  ]);
});

describe("a server", () => {
  it("is there for each stack, at the address of roundtrip serve with the first port", async () => {
    expect(await serversOf(greeting)).toEqual([
      {
        id: "grpc-js",
        calls: { module: "grpc" },
        variable: "GRPC_TARGET",
        usual: "127.0.0.1:50051",
        path: "",
        settings: [],
      },
      {
        id: "graphql-apollo",
        calls: { module: "http", message: ["data", "*"], error: ["errors", "0"], codes: [["extensions", "code"]] },
        variable: "GRAPHQL_URL",
        usual: "http://127.0.0.1:50052/graphql",
        path: "/graphql",
        settings: [],
      },
      {
        id: "rest-express",
        calls: { module: "http", message: [], error: [], codes: [["code"], ["error", "status"]] },
        variable: "REST_URL",
        usual: "http://127.0.0.1:50053",
        path: "",
        settings: [],
      },
    ]);
  });

  it("is brought to where its arms begin, with each call once", async () => {
    const [step] = greeting.variants["single"]?.steps ?? [];
    const setup = step === undefined ? [] : [step, step];
    const { servers } = await prepared([
      { ...greeting, setup },
      { ...reading, setup },
    ]);
    expect(servers.map((server) => server.setup.length)).toEqual([1, 1, 1]);
  });

  it("that asks for a token has the name of its variable", async () => {
    const targets = [{ stack: "grpc-js", tokenVariable: "SHOP_TOKEN" }];
    const { servers } = await k6ArmsOf(await armsFor([greeting]), image.contract, { targets, portsEach: 3 });
    expect(servers.map(({ token, usual }) => [token, usual])).toEqual([
      ["SHOP_TOKEN", "127.0.0.1:50051"],
      [undefined, "http://127.0.0.1:50054/graphql"],
      [undefined, "http://127.0.0.1:50057"],
    ]);
  });
});

it.each<[string, Task, readonly string[], object]>([
  ["the floor", greeting, ["floor"], { what: "protocol" }],
  ["networks with a distance", { ...greeting, links: [farAway] }, ["rest-express"], { what: "networks" }],
  ["TLS", { ...greeting, tls: [true] }, ["grpc-js"], { what: "tls" }],
  [
    "settings of our own clients",
    { ...greeting, settings: { requestCompression: ["gzip"] } },
    ["grpc-js"],
    { what: "client-settings", name: "requestCompression" },
  ],
  [
    "connections that are idle for a time",
    {
      ...greeting,
      variants: { single: { ...(greeting.variants["single"] as Task["variants"][string]), idleMs: 100 } },
    },
    ["rest-express"],
    { what: "idle-connections" },
  ],
  [
    "another generator's calls",
    {
      ...greeting,
      variants: { single: { ...(greeting.variants["single"] as Task["variants"][string]), driver: "autocannon" } },
    },
    ["rest-express"],
    { what: "drivers", name: "autocannon" },
  ],
  [
    "streams",
    {
      ...greeting,
      variants: {
        single: sequentialPlan({
          operation: "roundtrip.v1.PayloadService.Download",
          request: { sizeBytes: 1 },
          needs: "serverStream",
        }),
      },
    },
    ["grpc-js"],
    { what: "streams" },
  ],
])("what k6 cannot do leaves %s out, and says so", async (_, task, stacks, why) => {
  expect(await prepared([task], stacks)).toEqual({
    arms: [],
    servers: [],
    requests: [],
    leftOut: [
      {
        kind: "left-out",
        reason: { code: "unsupported-by-generator", generator: "k6", ...why },
        arms: 1,
        work: [{ study: "small", task: "greet", title: expect.any(String) }],
      },
    ],
  });
});
