// A run against servers that are not its own: over real sockets, with real client processes.
import { builtInContract } from "@roundtrip/contract";
import { realService } from "@roundtrip/service";
import { loadServe, serveDefaults } from "@roundtrip/stacks";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { measureRun, type MeasureOptions } from "../src/index.ts";
import { readRun } from "@roundtrip/runs/read";
import { shortRun, shortStudies, single, measureWhole, failure } from "./support/short-run.ts";

const never = new AbortController().signal;

/** A run of which the REST server is this process's, at a URL that may be another. */
async function runAgainst(url: string, changes: Partial<MeasureOptions> = {}): Promise<MeasureOptions> {
  const targets = [{ stack: "rest-express", url, ca: undefined, tokenVariable: undefined }];
  return shortRun({ stackNames: ["rest-express"], targets, ...changes });
}

async function restServer(): Promise<string> {
  const serve = await loadServe("rest-express");
  const server = await serve(realService(builtInContract()), serveDefaults);
  onTestFinished(() => server.close());
  return server.url;
}

const greeting = '{"message":"Hello, World!"}';

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Greets so many times, and then leaves every caller without an answer. */
async function tiringServer(greetings: number): Promise<string> {
  let asked = 0;
  return listening((_request, response) => {
    asked += 1;
    if (asked <= greetings) response.setHeader("content-type", "application/json").end(greeting);
  });
}

it("measures as many tasks as against the run's own server, and keeps no credentials", async () => {
  const options = await runAgainst((await restServer()).replace("//", "//me:geheim@"));
  const facts = await measureWhole(options);
  expect(facts).toMatchObject({ status: "complete", roundsDone: 2 });
  expect((await readRun(options.directory)).samples.length).toBe(2 * (20 + 40));
  expect(facts.firstCalls).toHaveLength(2);
  expect(JSON.stringify(facts)).not.toContain("geheim");
});

it.each([
  { when: "the first call", greetings: 0 },
  { when: "the answers", greetings: 2 },
  { when: "warm-up", greetings: 60 },
])("gives a server up that leaves calls unanswered, in $when", async ({ greetings }) => {
  const options = await runAgainst(await tiringServer(greetings), { answerLimitMs: 500 });
  expect(await failure(measureWhole(options))).toMatchObject({
    code: "no-answer",
    message: "rest-express client: a call was not answered within 0.5 s",
  });
  expect((await readRun(options.directory)).facts.status).toBe("failed");
});

it("makes no calls between blocks but the two before each block that follows another at once", async () => {
  let asked = 0;
  const url = await listening((_request, response) => {
    asked += 1;
    response.setHeader("content-type", "application/json").end(greeting);
  });
  const options = await runAgainst(url, { rounds: 1 });
  const studies = shortStudies({ variants: { single, again: { ...single, idleMs: 0 } } });
  const counts: number[] = [];
  await measureRun({ ...options, studies }, never, () => void counts.push(asked));
  // Called when the round begins, and before each of its blocks: those of ten calls that may be disturbed and made again, then those that wait.
  const before = [...counts.slice(1), asked];
  const made = before.slice(1).map((calls, block) => calls - (before[block] ?? Number.NaN));
  expect(made.map((calls, block) => calls % (block < 2 ? 10 : 12))).toEqual([0, 0, 0, 0]);
  expect(Math.min(...made)).toBeGreaterThan(0);
});

it("is interrupted at once, even in a block that would never end", async () => {
  const url = await tiringServer(1_000_000);
  const options = await runAgainst(url, { rounds: 1 });
  const studies = shortStudies({ tasksPerRound: 1_000_000, tasksPerBlock: 1_000_000 });
  const controller = new AbortController();
  let reports = 0;
  const onProgress = (): void => {
    reports += 1;
    // First of the run, then of its first block, which begins now.
    if (reports === 2) setTimeout(() => controller.abort(), 200);
  };
  const kept = await measureRun({ ...options, studies }, controller.signal, onProgress);
  expect(kept).toMatchObject({ status: "interrupted", roundsDone: 0 });
});

it("reports an unreachable server before it measures", async () => {
  const options = await runAgainst("http://127.0.0.1:1");
  expect(await failure(measureWhole(options))).toMatchObject({
    code: "no-answer",
    message: "no answer from the rest-express target at http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1",
  });
});
