// What callers can rely on when a service asks who they are, and gives their calls a name: unary calls and streams alike.
import { create } from "@bufbuild/protobuf";
import { CallError, type CallOptions, type Client, type Interceptor, type Operation } from "@roundtrip/contract";
import { servedDefaults } from "@roundtrip/conformance";
import {
  DownloadRequestSchema,
  DownloadResponseSchema,
  EchoRequestSchema,
  EchoResponseSchema,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { expect, it } from "vitest";
import { bearerAuthentication, requestId, staticTokens, type TokenVerdict } from "../src/index.ts";
import { inProcessSubject } from "../../conformance/test/support/in-process-subject.ts";
import { conformanceService, operationNamed } from "../../stacks/test/support/streams.ts";

const [echo, download] = ["Echo", "Download"].map(operationNamed) as [Operation, Operation];

async function clientOf(...interceptors: readonly Interceptor[]): Promise<{ client: Client; runs: () => number }> {
  let runs = 0;
  const counting = conformanceService({
    echo() {
      runs += 1;
      return create(EchoResponseSchema);
    },
    async *download() {
      runs += 1;
      yield create(DownloadResponseSchema);
    },
  });
  const service = interceptors.reduceRight((inner, intercept) => intercept(inner), counting);
  const served = await inProcessSubject(service).serve?.(service, servedDefaults);
  if (served === undefined) throw new Error("nothing is served");
  return { client: await served.connect(), runs: () => runs };
}

const kinds = [
  ["a call", (client: Client, options: CallOptions) => client.prepare(echo)(create(EchoRequestSchema), options)],
  [
    "a stream",
    (client: Client, options: CallOptions) =>
      Array.fromAsync(client.prepareStream(download)([create(DownloadRequestSchema)], options)),
  ],
] as const;

function authorization(value: string): CallOptions {
  return { metadata: new Map([["authorization", value]]) };
}

function laterAllowed(token: string): Promise<TokenVerdict> {
  return Promise.resolve(token === "right" ? "allowed" : "unknown");
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "OK",
    (thrown: unknown) => (thrown instanceof CallError ? `${thrown.code}: ${thrown.message}` : String(thrown)),
  );
}

it.each(kinds)("%s with one of the tokens is answered, whatever case its scheme is written in", async (_kind, call) => {
  const { client } = await clientOf(bearerAuthentication(staticTokens(["one", "abc.def-_~+/=="])));
  for (const value of ["Bearer one", "bearer abc.def-_~+/==", "BEARER  one"]) {
    expect(await codeOf(call(client, authorization(value)))).toBe("OK");
  }
});

it.each(kinds)(
  "%s without a token, or with none of them, is UNAUTHENTICATED and reaches no handler",
  async (_kind, call) => {
    const { client, runs } = await clientOf(bearerAuthentication(staticTokens(["secret"])));
    for (const value of [
      "Bearer secret2",
      "Bearer secre",
      "Bearer",
      "secret",
      "Basic secret",
      "Bearer secret, Bearer x",
    ]) {
      const error = await codeOf(call(client, authorization(value)));
      expect(error).toBe("UNAUTHENTICATED: the call needs a valid bearer token");
    }
    expect(await codeOf(call(client, {}))).toContain("UNAUTHENTICATED");
    expect(runs()).toBe(0);
  },
);

it.each(kinds)("%s waits for a slow verifier", async (_kind, call) => {
  const { client } = await clientOf(bearerAuthentication(laterAllowed));
  expect(await codeOf(call(client, authorization("Bearer right")))).toBe("OK");
  expect(await codeOf(call(client, authorization("Bearer wrong")))).toContain("UNAUTHENTICATED");
});

it.each(kinds)("%s whose verifier throws is INTERNAL, and the caller does not see the reason", async (_kind, call) => {
  const breaking = [
    () => {
      throw new Error("no key for secret");
    },
    () => Promise.reject(new Error("no key for secret")),
  ];
  for (const verify of breaking) {
    const { client } = await clientOf(bearerAuthentication(verify));
    expect(await codeOf(call(client, authorization("Bearer secret")))).toBe("INTERNAL: internal error");
  }
});

it.each(kinds)("%s receives its own request id, also if it fails", async (_kind, call) => {
  const { client } = await clientOf(requestId(), bearerAuthentication(staticTokens(["one"])));
  for (const token of ["one", "two"]) {
    const heard: (string | undefined)[] = [];
    const metadata = new Map([
      ["authorization", `Bearer ${token}`],
      ["x-request-id", "4bf92f-1"],
    ]);
    await codeOf(call(client, { metadata, onMetadata: (answer) => heard.push(answer.get("x-request-id")) }));
    expect(heard).toEqual(["4bf92f-1"]);
  }
});

it.each([undefined, "two words", "a, b", "x".repeat(129), ""])(
  "a call that gives the request id %j is given one",
  async (given) => {
    const { client } = await clientOf(requestId(() => "made"));
    const heard: (string | undefined)[] = [];
    await client.prepare(echo)(create(EchoRequestSchema), {
      ...(given === undefined ? {} : { metadata: new Map([["x-request-id", given]]) }),
      onMetadata: (answer) => heard.push(answer.get("x-request-id")),
    });
    expect(heard).toEqual(["made"]);
  },
);
