// What is noted beside latencies so that a cell that leaves its model can be explained: processes, connections, streams, and the kernel's TCP.
import { once } from "node:events";
import { connect, createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { RunFacts } from "@roundtrip/runs";
import { beforeAll, describe, expect, it } from "vitest";
import { ProcessWatch } from "../src/evidence/process-watch.ts";
import { withStreamLimit } from "../src/measure/client-connections.ts";
import { readTcpEnd } from "../src/link/kernel/tcp.ts";
import { shortRun, measureAndRead } from "./support/short-run.ts";

/** Nothing else of this process runs meanwhile. */
function standStill(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

describe("a process that is watched", () => {
  it("is seen to stand still, if it does so only once", async () => {
    const watch = new ProcessWatch();
    watch.begin();
    await setTimeout(25);
    standStill(80);
    await setTimeout(25);
    const { loopDelayMeanMs, loopDelayMaxMs } = watch.end();
    // Between two samples that were to be 10 ms apart.
    expect(loopDelayMaxMs).toBeGreaterThanOrEqual(60);
    expect(loopDelayMeanMs).toBeLessThan(loopDelayMaxMs ?? 0);
  });

  it("is seen to stand still from the beginning on, before it has a sample", async () => {
    const watch = new ProcessWatch();
    watch.begin();
    standStill(80);
    await setTimeout(25);
    expect(watch.end().loopDelayMaxMs).toBeGreaterThanOrEqual(60);
    watch.begin();
    standStill(80);
    expect(watch.end().loopDelayMaxMs).toBeGreaterThanOrEqual(60);
  });

  it("has its collections of garbage counted from the beginning on", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const watch = new ProcessWatch();
    collect();
    watch.begin();
    const beganAtMs = performance.now();
    collect();
    collect();
    const elapsedMs = performance.now() - beganAtMs;
    const seen = watch.end();
    expect(seen.gcCount).toBeGreaterThanOrEqual(2);
    // Nearly all of that time, unless the machine is busy.
    expect(seen.gcMs).toBeGreaterThan(0.05 * elapsedMs);
    expect(seen.gcMs).toBeLessThan(2 * elapsedMs);
    watch.begin();
    expect(watch.end().gcCount).toBeLessThan(seen.gcCount);
  });
});

/** The limit that a client learns that calls servers with these settings. */
async function limitOf(
  ...settings: readonly { readonly maxConcurrentStreams?: number }[]
): Promise<number | undefined> {
  const servers = settings.map((one) => createServer({ settings: one }, (_, response) => response.end()));
  await Promise.all(servers.map((server) => once(server.listen(0, "127.0.0.1"), "listening")));
  const sessions = servers.map((server) => connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  try {
    const callAll = () => Promise.all(sessions.map((session) => once(session.request().resume(), "close")));
    return (await withStreamLimit(callAll)).limit;
  } finally {
    for (const session of sessions) session.close();
    for (const server of servers) server.close();
  }
}

describe("a limit of streams", () => {
  it("is what the server sent", async () => {
    expect(await limitOf({ maxConcurrentStreams: 7 })).toBe(7);
  });

  it("is undefined if it sent none, or nothing went over HTTP/2", async () => {
    expect(await limitOf({})).toBeUndefined();
    expect(await withStreamLimit(() => Promise.resolve("done"))).toEqual({ value: "done", limit: undefined });
  });
});

// As ss of iproute2 6 prints them.
const output = `0      0      10.2.1.1:41503 10.1.1.1:38106
\t cubic wscale:10,10 rto:204 rtt:0.088/0.088 ato:80 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:18 bytes_sent:300 segs_out:15 send 10bps
0      10428  10.2.1.1:41503 10.1.1.1:38108
\t cubic wscale:10,10 rto:408 backoff:1 rtt:50.2/10.5 mss:1440 pmtu:1500 cwnd:5 ssthresh:5 bytes_sent:9 bytes_retrans:343 retrans:1/3 rcv_space:14480`;

it("the kernel's own figures of connections are the worst of each over all connections, and the sum of what was sent again", () => {
  expect(readTcpEnd(output)).toEqual({
    connections: 2,
    cwndSegments: 5,
    segmentBytes: 1_440,
    retransmits: 3,
    rtoMs: 408,
  });
});

describe("blocks of a real run", () => {
  let facts: RunFacts;
  beforeAll(async () => {
    const options = await shortRun({ stackNames: ["grpc-js", "floor"], rounds: 1 });
    ({ facts } = await measureAndRead(options));
  });

  it("say how both processes fared", () => {
    const evidence = { gcCount: expect.any(Number), gcMs: expect.any(Number) };
    for (const { client, server } of facts.blocks) {
      expect(client).toMatchObject(evidence);
      expect(server).toMatchObject(evidence);
    }
  });

  it("record the stream limit of a stack over HTTP/2, and none of others", () => {
    const limits = facts.blocks.map(({ armId, streamsPerConnection }) => [
      armId.includes("grpc-js"),
      streamsPerConnection,
    ]);
    expect(new Set(limits.map(String))).toEqual(new Set(["true,1000", "false,"]));
  });
});
