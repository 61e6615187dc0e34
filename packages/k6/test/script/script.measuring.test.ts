// The script on the real k6, against real servers of all styles: its calls, its results, and its errors.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { JsonObject } from "@bufbuild/protobuf";
import { codeFromHttp } from "@roundtrip/contract";
import { afterAll, describe, expect, it } from "vitest";
import type { K6HttpRequest } from "../../src/plan/k6-plan.ts";
import { sealed } from "../../src/plan/plan-file.ts";
import {
  armsFor,
  atOnce,
  awkward,
  computing,
  greeting,
  missing,
  planFor,
  reading,
  scriptedStacks,
} from "../support/runner-arms.ts";
import {
  callsIn,
  instanceIn,
  k6Here,
  named,
  planned,
  scriptRuns,
  type ScriptRuns,
  withK6,
} from "../support/script-runs.ts";

const runs = k6Here === undefined ? undefined : await scriptRuns();
afterAll(() => runs?.[Symbol.asyncDispose]());
const { addresses, written, k6 } = runs ?? ({} as ScriptRuns);

describe.concurrent("the script", { timeout: 60_000, ...withK6 }, () => {
  it.each([
    ["façade, chatty, at once and together", [reading]],
    ["asked in turn", [greeting, computing]],
  ])("makes every call once, over all styles, and all are answered: %s", async (_, tasks) => {
    const plan = await planFor(await armsFor(tasks, scriptedStacks));
    const directory = await written(plan);
    const { status, stderr, samples } = await k6(directory);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const calls = callsIn(samples);
    expect(calls.map(named).toSorted()).toEqual(planned(plan).toSorted());
    expect(new Set(calls.map(({ tags }) => tags["outcome"]))).toEqual(new Set(["OK"]));
    const cells = new Map(plan.cells.map((cell) => [cell.name, cell]));
    for (const { value, tags, metadata } of calls) {
      const { beginsMs = Number.NaN, armId = "" } = cells.get(tags["scenario"] ?? "") ?? {};
      expect(Number(metadata["at"])).toBeGreaterThanOrEqual(beginsMs);
      expect(value).toBeGreaterThan(0);
      const reports = armId.includes("/compute/");
      expect([metadata["queue"] !== undefined, metadata["service"] !== undefined]).toEqual([reports, reports]);
    }
  });

  it("reports its plan and segment, and k6's version if K6_VERSION is set", async () => {
    const plan = await planFor(await armsFor([greeting], ["rest-express"]));
    const { samples } = await k6(await written(plan), [], { K6_VERSION: "v1.2.3" });
    const [instance, ...others] = samples.filter(({ metric }) => metric === "roundtrip_instance");
    expect(others).toEqual([]);
    expect(instance?.tags).toEqual({ plan: plan.planHash, segment: "0:1", version: "v1.2.3" });
    expect((instance?.value ?? Number.NaN) % 100).toBe(0);
  });

  it("runs the requested round, by default the first, and rejects an unknown round", async () => {
    const { planHash: _, ...first } = await planFor(await armsFor([greeting], ["rest-express"]));
    const second = sealed({ ...first, round: 1, cells: first.cells.map((cell) => ({ ...cell, tasks: 2 })) });
    const directory = await written(sealed(first), second);
    const { samples } = await k6(directory, ["-e", "ROUND=2"]);
    expect(instanceIn(samples)?.tags).toMatchObject({ plan: second.planHash });
    expect(callsIn(samples).map(named).toSorted()).toEqual(planned(second).toSorted());
    const none = await k6(directory, ["-e", "ROUND=3"]);
    expect(none.status).not.toBe(0);
    expect(none.stderr).toContain("there is no round 3: plan.json has 1, 2");
  });

  it("reports a failed call by its canonical code over each style, also one that is answered with status 200", async () => {
    const plan = await planFor(await armsFor([missing], scriptedStacks));
    const { samples } = await k6(await written(plan), [], { PREPARED: "1" });
    expect(callsIn(samples).map(({ tags }) => tags["outcome"])).toEqual(
      Array.from({ length: 2 * scriptedStacks.length }, () => "NOT_FOUND"),
    );
  });

  it("reports the code of a REST server in any dialect, and without one what our own clients make of the status", async () => {
    const plan = await planFor(await armsFor([greeting], ["rest-express"]));
    const answers = [
      [404, {}, codeFromHttp(404)],
      [400, { code: 9, message: "as grpc-gateway" }, "FAILED_PRECONDITION"],
      [400, { error: { code: 400, message: "as Google", status: "OUT_OF_RANGE" } }, "OUT_OF_RANGE"],
    ] as const;
    let count = 0;
    const server = createServer((_request, response) => {
      const [status, body] = answers[(count += 1) % answers.length] ?? answers[0];
      response.writeHead(status).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const { samples } = await k6(await written(plan), [], { PREPARED: "1", REST_URL: `http://127.0.0.1:${port}` });
      expect(new Set(callsIn(samples).map(({ tags }) => tags["outcome"]))).toEqual(
        new Set(answers.map(([, , code]) => code)),
      );
    } finally {
      server.close();
    }
  });

  it("sends bodies as our own client does, to the last digit", async () => {
    const plan = await planFor(await armsFor([awkward], ["rest-express"]));
    const bodies = new Set<string>();
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        bodies.add(body);
        return response.end("{}");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const env = { PREPARED: "1", REST_URL: `http://127.0.0.1:${port}` };
      expect((await k6(await written(plan), [], env)).status).toBe(0);
    } finally {
      server.close();
    }
    const [first] = plan.requests as readonly K6HttpRequest[];
    const wanted = [2, 3, 4].map((exponent) => JSON.stringify({ ...(first?.body as JsonObject), exponent }));
    expect([...bodies].toSorted()).toEqual(wanted.toSorted());
  });

  it("calls a GraphQL server whose address has no path where our own clients would", async () => {
    const plan = await planFor(await armsFor([greeting], ["graphql-apollo"]));
    const { origin } = new URL(addresses["GRAPHQL_URL"] ?? "");
    for (const address of [origin, `${origin}/`]) {
      // oxlint-disable-next-line no-await-in-loop
      const { samples } = await k6(await written(plan), [], { GRAPHQL_URL: address });
      expect(callsIn(samples).map(({ tags }) => tags["outcome"])).toEqual(Array.from({ length: 6 }, () => "OK"));
    }
  });

  it("keeps as many connections as a task makes calls at once", async () => {
    const task = { ...atOnce(9), tasksPerRound: 10, tasksPerBlock: 10 };
    const plan = await planFor(await armsFor([task], ["rest-express"]));
    const { samples } = await k6(await written(plan));
    const calls = callsIn(samples);
    expect(calls.map(named).toSorted()).toEqual(planned(plan).toSorted());
    // A busy machine may open some late, but each is opened once. Were fewer kept than are called at once, every task would open some.
    expect(calls.filter(({ metadata }) => metadata["opened"] !== undefined).length).toBeLessThan(9);
  });

  it("ends before anything is measured where a server is not the right one, and says which", async () => {
    const plan = await planFor(await armsFor([greeting], ["graphql-apollo"]));
    const rest = addresses["REST_URL"] ?? "";
    const { status, stderr, samples } = await k6(await written(plan), [], { GRAPHQL_URL: rest });
    expect(status).not.toBe(0);
    expect(stderr).toContain(`a call to ${rest}/graphql ended with `);
    expect(stderr).toContain("-e GRAPHQL_URL=ADDRESS");
    expect(samples).toEqual([]);
  });
});
