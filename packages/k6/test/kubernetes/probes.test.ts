// What a cluster asks servers, asked of real ones.
import { builtInContract } from "@roundtrip/contract";
import { realService } from "@roundtrip/service";
import { loadServe, serveDefaults, type RunningServer } from "@roundtrip/stacks";
import { once } from "node:events";
import { connect } from "node:http2";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ManifestOf } from "./manifest.ts";
import { manifestsOf, only, sample, single } from "./sample.ts";

const stacks = ["grpc-js", "rest-express", "graphql-apollo"] as const;
const servers = new Map<string, RunningServer>();
const service = realService(builtInContract());

beforeAll(async () => {
  for (const stack of stacks) {
    // oxlint-disable-next-line no-await-in-loop -- three, and one after the other is soon enough
    servers.set(stack, await (await loadServe(stack))(service, serveDefaults));
  }
});

afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.close()));
  await service.close();
});

const originOf = (stack: string): string => new URL(servers.get(stack)?.url ?? "").origin;

/** `grpc.health.v1.Health/Check` for the server as a whole, as the kubelet calls it. */
async function isGrpcWell(origin: string): Promise<boolean> {
  const session = connect(origin);
  const call = session.request({
    ":method": "POST",
    ":path": "/grpc.health.v1.Health/Check",
    "content-type": "application/grpc",
    te: "trailers",
  });
  // A message of no bytes: not compressed, and its length.
  call.end(Buffer.from([0, 0, 0, 0, 0]));
  const trailers = once(call, "trailers") as Promise<[{ "grpc-status"?: string }]>;
  const answer = await buffer(call);
  const [{ "grpc-status": status }] = await trailers;
  session.close();
  // Field 1, SERVING: https://github.com/grpc/grpc/blob/master/doc/health-checking.md
  return status === "0" && answer.subarray(5).equals(Buffer.from([8, 1]));
}

type Container = ManifestOf<"Deployment">["spec"]["template"]["spec"]["containers"][number];

/** As a cluster judges: for HTTP any status from 200 to 399 is well. */
async function isWell({ grpc, httpGet }: Partial<Container["startupProbe"]>, origin: string): Promise<boolean> {
  if (grpc !== undefined) return isGrpcWell(origin);
  const headers = new Headers({ "user-agent": "kube-probe/1.34" });
  for (const { name, value } of httpGet?.httpHeaders ?? []) headers.set(name, value);
  const { status } = await fetch(`${origin}${httpGet?.path}`, { headers });
  return status >= 200 && status < 400;
}

const containerOf = (stack: string): Container =>
  single(only(manifestsOf(sample), "Deployment", `load-${stack}`).spec.template.spec.containers);

test.for(stacks)("%s says that it is well, whether it is starting, ready or alive that is asked", async (stack) => {
  const { ports, startupProbe, readinessProbe, livenessProbe } = containerOf(stack);
  for (const probe of [startupProbe, readinessProbe, livenessProbe]) {
    expect((probe.grpc ?? probe.httpGet)?.port).toBe(ports[0]?.containerPort);
    // oxlint-disable-next-line no-await-in-loop -- a server is asked by one cluster
    expect(await isWell(probe, originOf(stack))).toBe(true);
  }
});

test("a server of another style is not taken for one that is well", async () => {
  expect(await isWell(containerOf("rest-express").startupProbe, originOf("graphql-apollo"))).toBe(false);
  expect(await isWell(containerOf("graphql-apollo").startupProbe, originOf("rest-express"))).toBe(false);
});
