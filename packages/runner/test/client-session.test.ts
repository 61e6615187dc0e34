// What a client process says of a block: its figures held against a server on a real socket whose every byte and close is known.
import { sequentialPlan } from "../src/index.ts";
import { builtInContract } from "@roundtrip/contract";
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { warmUpRules } from "../src/measure/warm-up.ts";
import { ClientSession } from "../src/processes/client-session.ts";
import type { BlockAnswer, ClientArm } from "../src/processes/messages.ts";
import { answerBytes, requestBytes, slowClient, slowServer, type SlowServer } from "./support/slow-server.ts";

const contract = builtInContract();
const steps = [{ operation: "roundtrip.v1.HelloService.SayHello", request: { name: "World" } }];
const arm: ClientArm = {
  id: "arm",
  plan: sequentialPlan(...steps),
  callers: 1,
  connections: 1,
  isUnderLoad: false,
};

let server: SlowServer;
let session: ClientSession;
beforeEach(async () => {
  server = await slowServer(5);
  session = new ClientSession(contract, () => Promise.resolve(slowClient(server)), {
    ask: "start",
    stack: "none",
    settings: {},
    contract: { kind: "built-in" },
    url: "",
    ca: undefined,
    tokenVariable: undefined,
    arms: [arm],
    capacity: 16,
    answerLimitMs: 10_000,
  });
});
afterEach(async () => {
  await session.close();
  await server[Symbol.asyncDispose]();
});

const block = (tasks: number): Promise<BlockAnswer> => session.block({ ask: "block", armId: "arm", tasks });

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

describe("a block", () => {
  it("counts every byte of connections that were closed in it, and how often the server closed one", async () => {
    server.manner = "closes";
    const { wireBytes, rows, ...counted } = await block(4);
    expect(wireBytes).toBe(4 * (requestBytes + answerBytes));
    expect(sum(rows.requestBytes) + sum(rows.responseBytes)).toBe(wireBytes);
    expect(counted).toMatchObject({ connectionsOpened: 4, connectionsReused: 0, connectionsClosedByServer: 4 });
  });

  it("counts what crossed kept connections in it alone, and that they were used again", async () => {
    const first = await block(2);
    expect(first).toMatchObject({ connectionsOpened: 1, connectionsReused: 0, connectionsClosedByServer: 0 });
    const second = await block(3);
    expect(second).toMatchObject({ connectionsOpened: 0, connectionsReused: 1, connectionsClosedByServer: 0 });
    // One that is open and not used is not counted.
    const other = connect(server.port, "127.0.0.1");
    await once(other, "connect");
    expect(await block(1)).toMatchObject({ connectionsOpened: 0, connectionsReused: 1 });
    other.destroy();
    expect([first, second].map(({ wireBytes }) => wireBytes)).toEqual([34, 51]);
    expect(sum(second.rows.requestBytes)).toBe(3 * requestBytes);
  });

  it("lasts from its first call's start to its last one's end", async () => {
    const { elapsedMs, rows } = await block(3);
    expect(elapsedMs).toBe((rows.endedAtMs[2] ?? Number.NaN) - (rows.startedAtMs[0] ?? Number.NaN));
    expect(elapsedMs).toBeGreaterThanOrEqual(3 * 4);
  });

  it("has the CPU time that its process spent in it, in the program and in the kernel", async () => {
    const spent = vi
      .spyOn(process, "cpuUsage")
      .mockImplementation((before) =>
        before === undefined ? { user: 70_000, system: 30_000 } : { user: 4_000, system: 2_500 },
      );
    onTestFinished(() => spent.mockRestore());
    expect(await block(1)).toMatchObject({ clientCpuMs: 6.5 });
  });

  it("has no call in it of those that were made before: one for each use, and one for each task of a pass", async () => {
    await session.use({ ask: "use", armId: "arm" });
    expect(server.served).toHaveLength(1);
    const pass = await session.warmUpPass({ ...warmUpRules(1).alone, tasksUnderLoad: 3 });
    expect(pass.calls).toBe(0);
    const alone = await session.warmUpPass(warmUpRules(1).alone);
    await alone.run();
    await alone.run();
    expect([alone.calls, server.served.length]).toEqual([1, 3]);
    const { rows, connectionsReused } = await block(2);
    expect([...rows.task]).toEqual([0, 1]);
    expect(connectionsReused).toBe(1);
  });
});

it("a first call takes as long as the server does, and reports its outcome", async () => {
  const first = await session.firstCall({ ask: "firstCall", armId: "arm" });
  const [served] = server.served;
  expect(server.served).toHaveLength(1);
  expect(first.outcome).toBe("OK");
  expect(first.firstCallMs).toBeGreaterThanOrEqual((served?.answeredAtMs ?? 0) - (served?.receivedAtMs ?? 0));
  const { beforeConnectingMs = 0, connectingMs = 0, lookUpMs } = first;
  expect([beforeConnectingMs > 0, connectingMs > 0, lookUpMs]).toEqual([true, true, undefined]);
  expect(beforeConnectingMs + connectingMs).toBeLessThan(first.firstCallMs);
  server.manner = "fails";
  const second = await session.firstCall({ ask: "firstCall", armId: "arm" });
  expect(second).toEqual({ firstCallMs: expect.any(Number), outcome: "UNAVAILABLE" });
});

describe("answers", () => {
  it("are those of every arm, with the calls that they took", async () => {
    const given = await session.answers({ ask: "answers", setup: steps });
    expect(given).toEqual({ answers: { arm: { message: "Hello!" } }, lacking: {}, responses: 1 });
    expect(server.served).toHaveLength(2);
  });

  it("that a server lacks are named and not a fault, and of other codes they are one", async () => {
    server.manner = "fails";
    const question = { ask: "answers", lacks: ["UNAVAILABLE"] } as const;
    const reason = "UNAVAILABLE: the server closed the connection";
    expect(await session.answers(question)).toEqual({ answers: {}, lacking: { arm: reason }, responses: 0 });
    expect(await session.answers({ ...question, setup: steps })).toMatchObject({ lacking: { arm: reason } });
    await expect(session.answers({ ask: "answers", lacks: ["NOT_FOUND"] })).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
  });
});
