// Runs of the suite, with made-up cases.
import { Readable } from "node:stream";
import { expect, it, vi } from "vitest";
import { expectError } from "../src/case/expectations.ts";
import { HelloService } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import {
  runConformance,
  targetSubject,
  type ConformanceCase,
  type ConformanceSubject,
  type Need,
} from "../src/index.ts";
import type { CaseRun } from "../src/case/case-run.ts";
import { builtInContract, CallError, contractFromImage, type Client } from "@roundtrip/contract";

const contract = builtInContract();

const client: Client = {
  contract,
  prepare: () => () => Promise.reject(new CallError("UNAVAILABLE", "nobody\nis here")),
  prepareStream: () => () => Readable.from([]),
  prepareTogether: () => () => Promise.reject(new CallError("UNAVAILABLE", "nobody is here")),
  close: () => Promise.resolve(),
};

const subject = targetSubject({
  name: "made-up",
  limitations: [],
  deviations: [],
  connect: () => Promise.resolve(client),
});

function made(body: (run: CaseRun) => Promise<void>, needs: readonly Need[] = []): ConformanceCase {
  return { id: "RT-9901", level: "MUST", area: "values", title: "made up", needs, run: body };
}

const pass = () => Promise.resolve();
const fail = () => Promise.reject(new Error("got 1,\n  expected 2"));
const passing = made(pass);
const failing = made(fail);

interface Settings {
  readonly subject?: ConformanceSubject;
  readonly contract?: typeof contract;
}

async function run(cases: readonly ConformanceCase[], settings: Settings = {}) {
  const heard: string[] = [];
  const results = await runConformance({
    contract,
    subject,
    ...settings,
    cases,
    caseLimitMs: 50,
    onResult: ({ caseId }) => heard.push(caseId),
  });
  expect(heard).toEqual(cases.map(({ id }) => id));
  return results.map(({ status, detail }) => ({ status, detail }));
}

it("passes a case that resolves", async () => {
  expect(await run([passing])).toEqual([{ status: "pass", detail: "" }]);
});

it("continues after a failure and reports its difference in one line", async () => {
  expect(await run([failing, passing])).toEqual([
    { status: "fail", detail: "got 1, expected 2" },
    { status: "pass", detail: "" },
  ]);
});

/** A subject that could start servers; the cases here start none. */
const serving: ConformanceSubject = { ...subject, serve: () => Promise.reject(new Error("starts nothing")) };

it("runs cases with servers of their own at once", async () => {
  const second = Promise.withResolvers<void>();
  const waiting = made(() => second.promise, ["server"]);
  const awaited = made(() => Promise.resolve(second.resolve()), ["server"]);
  const cases = [waiting, awaited].map((one, index) => ({ ...one, id: `RT-990${index}` }));
  expect(await run(cases, { subject: serving })).toMatchObject([{ status: "pass" }, { status: "pass" }]);
});

it("runs cases on the shared server one after the other", async () => {
  let running = 0;
  const alone = made(async () => {
    running += 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (running > 1) throw new Error("two at once");
    running -= 1;
  });
  const cases = [
    { ...alone, id: "RT-9902" },
    { ...alone, id: "RT-9903" },
  ];
  expect(await run(cases, { subject: serving })).toMatchObject([{ status: "pass" }, { status: "pass" }]);
});

it("reports the code of an unexpected error", async () => {
  const [operation] = contract.operations;
  const calls = made(async (one) => {
    if (operation !== undefined) await one.client.prepare(operation)({ $typeName: operation.input.typeName });
  });
  expect(await run([calls])).toEqual([{ status: "fail", detail: "unexpected UNAVAILABLE: nobody is here" }]);
});

it("fails a case that hangs, and goes on", async () => {
  const hanging = made(() => new Promise(() => {}));
  expect(await run([hanging, passing])).toEqual([
    { status: "fail", detail: "the case took longer than 50 ms" },
    { status: "pass", detail: "" },
  ]);
});

it("fails every case if the server cannot be reached", async () => {
  const gone = targetSubject({
    name: "made-up",
    limitations: [],
    deviations: [],
    connect: () => Promise.reject(new CallError("UNAVAILABLE", "connection refused")),
  });
  expect(await run([passing], { subject: gone })).toEqual([
    { status: "fail", detail: "unexpected UNAVAILABLE: connection refused" },
  ]);
});

it("cleans up after a case in reverse order, also after a failure and past a step that fails", async () => {
  const done: string[] = [];
  const littering = (end: () => Promise<void>): ConformanceCase =>
    made(async (one) => {
      one.afterwards(() => Promise.resolve(void done.push("first")));
      one.afterwards(() => Promise.reject(new Error("cannot clean up")));
      one.afterwards(() => Promise.resolve(void done.push("last")));
      await end();
    });
  expect(await run([littering(pass), littering(fail)])).toEqual([
    { status: "fail", detail: "cannot clean up" },
    { status: "fail", detail: "got 1, expected 2" },
  ]);
  expect(done).toEqual(["last", "first", "last", "first"]);
});

it("skips cases that need their own server on a target, with the reason", async () => {
  expect(await run([made(pass, ["server"])])).toEqual([
    { status: "skip", detail: "the case needs its own server, but the target runs elsewhere" },
  ]);
});

it("skips cases of services that are not in the contract", async () => {
  const empty = contractFromImage(new Uint8Array());
  expect(await run([made(pass, ["hello"])], { contract: empty })).toEqual([
    { status: "skip", detail: "the contract has no roundtrip.v1.HelloService" },
  ]);
});

it("skips a declared limitation, and fails it once it passes", async () => {
  const limited: ConformanceSubject = {
    ...subject,
    limitations: [{ feature: "together", reason: "one at a time" }],
  };
  const cases = [made(fail, ["together"]), made(pass, ["together"])];
  expect(await run(cases, { subject: limited })).toEqual([
    { status: "skip", detail: "one at a time" },
    { status: "fail", detail: "passes, but is listed as a known deviation: one at a time" },
  ]);
});

it("skips a deviation of the subject, and fails it once it passes", async () => {
  const deviating = { ...subject, deviations: [{ caseId: "RT-9901", reason: "not yet" }] };
  expect(await run([failing, passing], { subject: deviating })).toEqual([
    { status: "skip", detail: "not yet" },
    { status: "fail", detail: "passes, but is listed as a known deviation: not yet" },
  ]);
});

it("fails a case despite a deviation of another case", async () => {
  const deviating = { ...subject, deviations: [{ caseId: "RT-9902", reason: "not yet" }] };
  expect(await run([failing], { subject: deviating })).toEqual([{ status: "fail", detail: "got 1, expected 2" }]);
});

it("continues after a case that fails before it awaits its calls", async () => {
  const unhandled = vi.fn<(reason: unknown) => void>();
  process.on("unhandledRejection", unhandled);
  const careless = made(async (one) => {
    void expectError(one.call(HelloService.method.sayHello, { name: "World" }), "NOT_FOUND");
    await fail();
  });
  expect(await run([careless])).toEqual([{ status: "fail", detail: "got 1, expected 2" }]);
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
