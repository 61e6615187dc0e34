// Connections that are cut in the middle of a transfer, by a server that lives: a block of one call has failed then, and nothing else.
import { analyse, analyseDefaults } from "@roundtrip/analysis";
import { rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { measureRun, type Step, type Study, taskDefaults, sequentialPlan } from "../src/index.ts";
import { readRun } from "@roundtrip/runs/read";
import { cuts, fatalFile } from "./support/services.ts";
import { serviceHere, shortRun, shortStudies } from "./support/short-run.ts";

const payload = "roundtrip.v1.PayloadService";
const sizeBytes = 3_932_160;
const chunkBytes = 65_536;
const steps: Readonly<Record<string, Step>> = {
  download: { operation: `${payload}.Download`, request: { sizeBytes, chunkBytes }, needs: "serverStream" },
  upload: {
    operation: `${payload}.Upload`,
    request: {},
    needs: "clientStream",
    source: { field: "data", sizeBytes, chunkBytes },
  },
};

/** A block has one call. */
function bulk(step: Step): Study {
  return {
    name: "bulk",
    title: "Bulk",
    question: "How long does a large payload take?",
    rounds: 1,
    tasks: [
      {
        ...taskDefaults,
        name: "transfer",
        factors: { payloadBytes: sizeBytes },
        variants: { streamed: sequentialPlan(step) },
        tasksPerRound: 8,
        tasksPerBlock: 1,
      },
    ],
  };
}

describe.each(["grpc-js", "rest-express"])("a %s server that cuts connections and stays", (stack) => {
  it.each(Object.entries(steps))("costs the transfers that it cut, and not the run: %s", async (_, step) => {
    const options = await shortRun({
      service: serviceHere("cuttingService"),
      stackNames: [stack],
      studies: [bulk(step)],
      rounds: 1,
    });
    const fatal = fatalFile(process.pid);
    let reports = 0;
    try {
      await measureRun(options, new AbortController().signal, () => {
        reports += 1;
        if (reports === 4) writeFileSync(fatal, "");
      });
    } finally {
      rmSync(fatal, { force: true });
    }
    const { facts, samples } = await readRun(options.directory);
    expect(facts).toMatchObject({ status: "complete", roundsDone: 1 });
    expect(facts.blocks).toHaveLength(8);
    const failed = facts.blocks.filter(({ failedCalls }) => failedCalls === 1).length;
    expect(failed).toBe(cuts);
    expect(analyse(facts, samples, analyseDefaults).warnings).toContainEqual(
      expect.objectContaining({ message: expect.stringMatching(/^3 of 8 calls failed \(3 × UNAVAILABLE\)/) }),
    );
  });
});

/** A target that greets until it gets a signal, in blocks of one call, and a run against it that signals after a block. */
async function runUntilSignalled(
  answer: (isSignalled: boolean, request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ readonly run: Promise<unknown>; readonly server: Server; blocks: number }> {
  let isSignalled = false;
  const server = createServer((request, response) => answer(isSignalled, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const targets = [{ stack: "rest-express", url, ca: undefined, tokenVariable: undefined }];
  const options = await shortRun({ stackNames: ["rest-express"], targets, rounds: 1 });
  const studies = shortStudies({ tasksPerBlock: 1 });
  const seen = { server, blocks: 0 };
  const run = measureRun({ ...options, studies }, new AbortController().signal, () => {
    seen.blocks += 1;
    if (seen.blocks === 4) {
      isSignalled = true;
      server.emit("signalled");
    }
  });
  return Object.assign(seen, { run });
}

const greet = (response: ServerResponse): void => {
  response.setHeader("content-type", "application/json").end('{"message":"Hello, World!"}');
};

it("a target that takes connections and answers nothing is given up after ten calls", async () => {
  const seen = await runUntilSignalled((isSignalled, request, response) => {
    if (isSignalled) request.socket.resetAndDestroy();
    else greet(response);
  });
  await expect(seen.run).rejects.toMatchObject({ code: "no-answer" });
  expect(seen.blocks).toBeGreaterThan(4 + 4);
  expect(seen.blocks).toBeLessThanOrEqual(4 + 10);
});
