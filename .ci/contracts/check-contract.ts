// Takes one public contract through the commands, as a user types them, in a process of its own: prints the outcome as JSON.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { temporaryFolder } from "../../packages/runner/src/lifetime/ends-with-us.ts";
import { cpuMsOf, peakBytesOf } from "../../packages/runner/src/parts.ts";
import { loadContractFrom } from "../../packages/cli/src/contract/contract-source.ts";
import { endProgram, run } from "../../packages/cli/test/support/shared-program.ts";
import type { Operation } from "../../packages/contract/src/index.ts";
import { contractFlags, type LocatedContract, locateContract } from "./locate-contract.ts";
import { publicContracts, type PublicContract } from "./public-contracts.ts";

/** The stacks of documents, fakes and conformance: the default one of each style. */
const stacks = ["rest-express", "graphql-apollo", "grpc-js", "connect-node", "json-rpc-2", "soap-node-http"];

const root = join(import.meta.dirname, "../..");
const roundtrip = join(root, "packages/cli/bin/roundtrip.js");
/** Longer than any command takes, in milliseconds. */
const longestMs = 300_000;
/** What a fake of a thousand operations may have cost when it is ready. Processor time: the clock depends on what else the machine does. */
const mostToReady = { cpuS: 8, memoryMB: 600 } as const;
/** Cases of every value take a minute for so many operations over all styles. */
const mostConforming = 150;

export interface ContractFinding {
  /** The same in every run, because allowances refer to it. */
  readonly id: string;
  readonly text: string;
}

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
}

function textOf(parts: readonly Buffer[]): string {
  return Buffer.concat(parts).toString();
}

/** Runs a command of the program. All commands of a contract share a process, because starting one takes longer than most of them. */
async function ran(...args: readonly string[]): Promise<Ended> {
  const start = performance.now();
  const late = delay(longestMs, { status: null, stdout: "", stderr: "it did not end" }, { ref: false });
  const ended = await Promise.race([run(args, { cwd: root }), late]);
  return { ...ended, seconds: (performance.now() - start) / 1000 };
}

/** Runs the TypeScript compiler. */
async function compiled(folder: string): Promise<Ended> {
  const start = performance.now();
  const args = [join(root, "node_modules/typescript/bin/tsc"), "-p", "."];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"], timeout: longestMs });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (bytes: Buffer) => out.push(bytes));
  child.stderr.on("data", (bytes: Buffer) => err.push(bytes));
  const [status] = (await once(child, "close")) as [number | null];
  return { status, stdout: textOf(out), stderr: textOf(err), seconds: (performance.now() - start) / 1000 };
}

export interface CommandOutcome {
  readonly seconds: number;
  /** Short, for a table. */
  readonly figure: string;
}

/** A contract whose packages this machine cannot get. */
export interface MissingContract {
  readonly name: string;
  readonly missing: string;
}

export interface ContractOutcome {
  readonly name: string;
  readonly operations: number;
  readonly commands: Readonly<Record<string, CommandOutcome>>;
  /** Undefined if it did not start. */
  readonly ready: ReadyFake | undefined;
  readonly findings: readonly ContractFinding[];
}

/** What a fake has cost when it is ready. Undefined where the system does not count it. */
export interface ReadyFake {
  /** By the clock. */
  readonly seconds: number;
  /** Processor time of its process, without the compiler that it starts. */
  readonly cpuS: number | undefined;
  /** The largest memory of its process. */
  readonly memoryMB: number | undefined;
}

function readyFake(pid: number, seconds: number): ReadyFake {
  const [cpuMs, peakBytes] = [cpuMsOf(pid), peakBytesOf([pid])];
  return {
    seconds,
    cpuS: cpuMs === undefined ? undefined : cpuMs / 1_000,
    memoryMB: peakBytes === undefined ? undefined : peakBytes / 1e6,
  };
}

function costFindings({ cpuS, memoryMB }: ReadyFake): readonly ContractFinding[] {
  const most = mostToReady;
  return [
    ...((cpuS ?? 0) > most.cpuS
      ? [{ id: "fake takes long to start", text: `${cpuS?.toFixed(1)} s of processor time, at most ${most.cpuS} s` }]
      : []),
    ...((memoryMB ?? 0) > most.memoryMB
      ? [{ id: "fake takes much memory", text: `${memoryMB?.toFixed(0)} MB when ready, at most ${most.memoryMB} MB` }]
      : []),
  ];
}

function crash(command: string, { status, stderr, stdout }: Ended): readonly ContractFinding[] {
  if (status === 0) return [];
  const text = (stderr.trim() || stdout.trim()).split("\n").slice(0, 3).join(" ");
  return [{ id: `${command} ended with ${status}`, text: text.slice(0, 400) }];
}

/** Every so manieth operation. */
function spread(operations: readonly Operation[], most: number): readonly Operation[] {
  if (operations.length <= most) return operations;
  return operations.filter(
    (_, index) =>
      Math.floor((index * most) / operations.length) !== Math.floor(((index - 1) * most) / operations.length),
  );
}

interface Case {
  readonly contract: PublicContract;
  readonly flags: readonly string[];
  readonly directory: string;
  readonly outcomes: Record<string, CommandOutcome>;
  readonly findings: ContractFinding[];
}

async function expectEdges({ flags, findings }: Case, expected: readonly string[]): Promise<void> {
  const ended = await ran("describe", ...flags, "--stack", "graphql-apollo", "--json");
  findings.push(...crash("describe --json", ended));
  if (ended.status !== 0) return;
  const { edges } = JSON.parse(ended.stdout) as {
    readonly edges: readonly { readonly field: string; readonly calls: readonly string[] }[];
  };
  const found = edges.map(({ field, calls }) => `${field}: ${calls.join(" or ")}`);
  if (found.join() !== expected.join()) findings.push({ id: "describe has other edges", text: found.join(", ") });
}

async function described(each: Case): Promise<void> {
  const { contract: own, flags, directory, outcomes, findings } = each;
  if (own.edges !== undefined) await expectEdges(each, own.edges);
  const text = await ran("describe", ...flags);
  const documents = await ran("describe", ...flags, "--stack", stacks.join(","), "--out", join(directory, "documents"));
  findings.push(...crash("describe", text), ...crash("describe --out", documents));
  outcomes["describe"] = { seconds: text.seconds, figure: text.status === 0 ? "ok" : "FAILED" };
}

async function conforms(operationsTested: readonly Operation[], { flags, outcomes, findings }: Case): Promise<void> {
  const operations = ["--operations", operationsTested.map(({ id }) => id).join(",")];
  const ended = await ran("conform", ...flags, ...operations, "--json", ...stacks);
  let figure = "FAILED";
  try {
    const tested = JSON.parse(ended.stdout) as readonly {
      readonly stack: string;
      readonly results: readonly {
        readonly caseId: string;
        readonly status: string;
        readonly title: string;
        readonly detail: string;
      }[];
    }[];
    const all = tested.flatMap(({ stack, results }) => results.map((result) => ({ stack, ...result })));
    const failed = all.filter(({ status }) => status === "fail");
    const passed = all.filter(({ status }) => status === "pass").length;
    figure = `${passed} pass, ${failed.length} fail`;
    for (const { stack, title, detail } of failed)
      findings.push({ id: `conform ${stack} ${title}`, text: detail.slice(0, 300) });
  } catch {
    findings.push(
      ...crash("conform", { ...ended, status: ended.status ?? -1 }),
      ...(ended.status === 0 ? [{ id: "conform printed no JSON", text: "" }] : []),
    );
  }
  outcomes["conform"] = { seconds: ended.seconds, figure };
}

async function typed({ flags, directory, outcomes, findings }: Case): Promise<void> {
  const folder = join(directory, "types");
  mkdirSync(folder);
  const ended = await ran("types", ...flags, "--out", join(folder, "gen"));
  findings.push(...crash("types", ended));
  let figure = "FAILED";
  if (ended.status === 0) {
    symlinkSync(join(root, "packages/cli/node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    const compilerOptions = {
      target: "es2024",
      module: "nodenext",
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      types: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["gen"] }));
    const checked = await compiled(folder);
    findings.push(...crash("tsc", checked));
    if (checked.status === 0) figure = "ok";
  }
  outcomes["types"] = { seconds: ended.seconds, figure };
}

async function exported({ flags, directory, outcomes, findings }: Case): Promise<void> {
  const short = ["--rounds", "1", "--calls", "6", "--seed", "1"];
  const ended = await ran("export", "k6", ...flags, ...short, "--out", join(directory, "k6"));
  findings.push(...crash("export k6", ended));
  const isThere = existsSync(join(directory, "k6", "script.js"));
  if (ended.status === 0 && !isThere) findings.push({ id: "export k6 wrote no script", text: "" });
  outcomes["export k6"] = { seconds: ended.seconds, figure: ended.status === 0 && isThere ? "ok" : "FAILED" };
}

async function faked({ flags, outcomes, findings }: Case): Promise<ReadyFake | undefined> {
  const start = performance.now();
  const args = ["fake", ...stacks, ...flags, "--json"];
  const child = spawn(process.execPath, [roundtrip, ...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "exit") as Promise<[number | null]>;
  const errors: Buffer[] = [];
  child.stderr.on("data", (bytes: Buffer) => errors.push(bytes));
  try {
    const line = await Promise.race([
      once(createInterface(child.stdout), "line").then(([text]) => text as string),
      ended.then(() => undefined),
    ]);
    const seconds = (performance.now() - start) / 1000;
    if (line === undefined) {
      findings.push({ id: "fake did not start", text: textOf(errors).slice(0, 400) });
      outcomes["fake"] = { seconds, figure: "FAILED" };
      return undefined;
    }
    const ready = readyFake(child.pid ?? 0, seconds);
    findings.push(...costFindings(ready));
    outcomes["fake"] = { seconds, figure: "ok" };
    return ready;
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

async function outcomeOf(
  contract: PublicContract,
  located: LocatedContract,
  directory: string,
): Promise<ContractOutcome> {
  const each: Case = { contract, flags: contractFlags(located), directory, outcomes: {}, findings: [] };
  await using loaded = await loadContractFrom([located.path, ...located.protoPaths]);
  const { operations } = loaded.contract;
  await described(each);
  await typed(each);
  const ready = await faked(each);
  await conforms(spread(operations, mostConforming), each);
  // k6 has no variant for streams.
  if (operations.some(({ kind }) => kind === "unary")) await exported(each);
  const { name } = contract;
  return {
    name,
    operations: operations.length,
    commands: each.outcomes,
    ready,
    findings: each.findings,
  };
}

const [name] = process.argv.slice(2);
const contract = publicContracts.find((one) => one.name === name);
if (contract === undefined) throw new Error(`no contract ${name}`);
using folder = temporaryFolder("contract-check");

/** The first line of what a registry's client says. */
function whyMissing(thrown: unknown): string {
  const { stderr, message } = thrown as { readonly stderr?: string; readonly message: string };
  const [line = message] = (stderr ?? "")
    .trim()
    .split("\n")
    .filter((text) => text !== "");
  return line.slice(0, 200);
}

let located: LocatedContract | undefined;
try {
  located = locateContract(contract, folder.path);
} catch (thrown) {
  process.stdout.write(`${JSON.stringify({ name: contract.name, missing: whyMissing(thrown) })}\n`);
}
if (located !== undefined) {
  process.stdout.write(`${JSON.stringify(await outcomeOf(contract, located, folder.path))}\n`);
  await endProgram();
}
