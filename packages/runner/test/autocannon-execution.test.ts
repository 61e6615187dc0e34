// The witness: what autocannon notes of its calls, held against a real server that counts them and may change its mind.
import { builtInContract } from "@roundtrip/contract";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { autocannonExecution } from "../src/measure/autocannon-execution.ts";
import type { CallLog } from "../src/measure/call-timer.ts";
import type { Execution } from "../src/measure/execute-plan.ts";
import type { Plan } from "../src/study/study.ts";
import { callLog, none } from "./support/executions.ts";

const step = { operation: "roundtrip.v1.HelloService.SayHello", request: { name: "World" } };
const plan: Plan = { order: "sequential", driver: "autocannon", steps: [step] };
const greeting = { message: "Hello, World!" };

const own: Execution = { run: none, warm: none, paced: none, answer: () => Promise.resolve(greeting) };

let server: Server;
let url: string;
let status: number;
let body: string;
let asked: number;
/** After so many requests the server resets connections. */
let lasts: number;
beforeEach(async () => {
  [status, body, asked, lasts] = [200, JSON.stringify(greeting), 0, Number.POSITIVE_INFINITY];
  server = createServer((request, response) => {
    asked += 1;
    if (asked > lasts) request.socket.destroy();
    else response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

function executionOf(notes: CallLog, changed = plan, callers = 2): Promise<Execution> {
  const about = { url, stack: "rest-express", settings: {}, tokenVariable: undefined };
  return autocannonExecution({ contract: builtInContract(), own, plan: changed, callers, ...about, callLog: notes });
}

describe("autocannon", () => {
  it("makes each call once, and notes it within the time that all of them took", async () => {
    const notes = callLog();
    const execution = await executionOf(notes);
    const before = asked;
    const beganAtMs = performance.now();
    await execution.run(5);
    expect(asked - before).toBe(5);
    const { task, step: steps, startedAtMs, endedAtMs, outcome, requestBytes, responseBytes } = notes.recorder.rows();
    expect([[...task], [...steps], [...outcome]]).toEqual([
      [0, 1, 2, 3, 4],
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0],
    ]);
    endedAtMs.forEach((endedAt, row) => {
      const startedAt = startedAtMs[row] ?? Number.NaN;
      expect(startedAt).toBeLessThan(endedAt);
      expect(startedAt).toBeGreaterThanOrEqual(beganAtMs - 1);
      expect(endedAt).toBeLessThanOrEqual(performance.now());
    });
    for (const bytes of [requestBytes, responseBytes]) expect(Math.max(...bytes)).toBeGreaterThan(0);
  });

  it("gives the answer of our own client once the server gives it to the same request", async () => {
    const execution = await executionOf(callLog());
    expect(await execution.answer()).toEqual(greeting);
    body = '{"message":"Hello, nobody!"}';
    await expect(execution.answer()).rejects.toMatchObject({ code: "answers-differ" });
  });

  it("counts answers of another status as failed, and answers with another body as no result", async () => {
    const notes = callLog();
    const execution = await executionOf(notes, plan, 1);
    status = 300;
    await execution.run(2);
    expect(notes.outcomes).toEqual(["OK", "UNKNOWN"]);
    expect([...notes.recorder.rows().outcome]).toEqual([1, 1]);
    [status, body] = [200, "{}"];
    await expect(execution.run(3)).rejects.toThrow("3 answers to autocannon differ from the first");
  });
});
