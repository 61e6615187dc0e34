// Runs the commands of the program on a hostile contract, each as a process with limits: a result, or one clear line.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { changedContract, type HostileContract } from "./hostile-contract.ts";

/** What a command may take of a processor, and of time where others use it too. */
const maxMs = 20_000;
const maxWallMs = 4 * maxMs;
const maxMegabytes = 1_024;

/** A command on a contract, and what is wrong with its outcome; undefined for a result or one clear line. */
export interface Trial {
  readonly contract: string;
  readonly command: string;
  readonly ms: number;
  readonly cpuMs: number;
  readonly megabytes: number;
  readonly fault: string | undefined;
  /** The first line of its error; empty for a result. */
  readonly line: string;
}

const fakedStacks = "grpc,rest,graphql,json-rpc,soap";

const main = fileURLToPath(new URL("../../../packages/cli/bin/roundtrip.js", import.meta.url));

interface Folders {
  readonly contract: string;
  readonly changed: string;
  readonly out: string;
}

/** Arguments of each command. `fake` is served and asked for its pages; see {@link tryFake}. */
const commands: Readonly<Record<string, (folders: Folders) => readonly string[]>> = {
  describe: ({ contract }) => ["describe", "--contract", contract],
  documents: ({ contract, out }) => ["describe", "--contract", contract, "--out", out],
  types: ({ contract, out }) => ["types", "--contract", contract, "--out", out],
  check: ({ contract, changed }) => ["check", "--contract", changed, "--against", contract],
  export: ({ contract, out }) => ["export", "k6", "--contract", contract, "--out", out, "--stack", "rest,graphql"],
  conform: ({ contract }) => ["conform", "rest", "--quiet", "--contract", contract],
};

export const commandNames: readonly string[] = [...Object.keys(commands), "fake"];

interface End {
  readonly status: number;
  readonly signal: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  readonly ended: Promise<End>;
  /** The largest resident memory of the process or a child so far, in megabytes. */
  megabytes(): Promise<number>;
  /** The processor time so far, with that of children; at its end, that of a tenth of a second before. */
  cpuMs(): Promise<number>;
}

const keptCharacters = 100_000;

function start(args: readonly string[], cwd: string): Running {
  const child = spawn(process.execPath, [`--max-old-space-size=${maxMegabytes}`, main, ...args], {
    cwd,
    env: { ...process.env, ROUNDTRIP_WARM_UP: "1ms", NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    if (output.stdout.length < keptCharacters) output.stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    if (output.stderr.length < keptCharacters) output.stderr += chunk.toString();
  });
  const ended = new Promise<End>((resolve) => {
    child.on("error", (error) => resolve({ status: -1, signal: error.message }));
    child.on("close", (code, signal) => resolve({ status: code ?? -1, signal: signal ?? "" }));
  });
  let most = 0;
  let mostMs = 0;
  /** A file below /proc of the process and of each child: a compiler or a generator at most. Empty for those that have ended. */
  const ofEach = async (file: string): Promise<readonly string[]> => {
    const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").catch(() => "");
    const pids = [child.pid, ...children.trim().split(" ")];
    return Promise.all(pids.map(async (pid) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "")));
  };
  return {
    child,
    output,
    ended,
    async megabytes() {
      for (const status of await ofEach("status")) {
        most = Math.max(most, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024);
      }
      return Math.round(most);
    },
    async cpuMs() {
      // User and system time, of the process and of its children that have ended, in hundredths of a second.
      const ticks = (await ofEach("stat")).flatMap((stat) =>
        stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 16),
      );
      mostMs = Math.max(mostMs, ticks.reduce((sum, own) => sum + Number(own), 0) * 10);
      return mostMs;
    },
  };
}

/** Kills the process and all that it started. */
function kill({ child }: Running): void {
  try {
    process.kill(-(child.pid ?? 0), "SIGKILL");
  } catch {
    // It has ended.
  }
}

async function until<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const over = new AbortController();
  const result = await Promise.race([promise, sleep(ms, undefined, { signal: over.signal }).catch(() => undefined)]);
  over.abort();
  return result;
}

/** Waits for a result, and looks at memory and time meanwhile. Undefined if it takes too long. */
async function within<T>(running: Running, result: Promise<T>): Promise<T | undefined> {
  const startedAt = performance.now();
  while ((await running.cpuMs()) < maxMs) {
    if (performance.now() - startedAt > maxWallMs) break;
    await running.megabytes();
    const found = await until(result, 100);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Errors have a line of the program's own; further lines only say more about compilation. */
const maxLines = 14;

/** @param end undefined for a command that was not done in time */
function faultOf({ stdout, stderr }: Running["output"], end: End | undefined): string | undefined {
  if (end === undefined) return "not done in time";
  // A stack of this project conforms, whatever the contract.
  const [failed] = /^ *FAIL .*/m.exec(stdout) ?? [];
  if (failed !== undefined) return failed.trim();
  const { status, signal } = end;
  if (signal !== "") return `ended by ${signal}`;
  if (status === 70 || /internal error|\n {4}at /.test(stderr)) return "internal error";
  if (/heap out of memory|Invalid string length|Maximum call stack/.test(stderr)) return "out of memory or stack";
  if (status !== 0 && stderr.trim().split("\n").length > maxLines) return "many lines";
  return undefined;
}

async function tryCommand(command: string, args: readonly string[], cwd: string): Promise<Omit<Trial, "contract">> {
  const startedAt = performance.now();
  const running = start(args, cwd);
  try {
    const end = await within(running, running.ended);
    const ms = Math.round(performance.now() - startedAt);
    const megabytes = await running.megabytes();
    const [line = ""] = running.output.stderr.trim().split("\n");
    const cpuMs = await running.cpuMs();
    const fault = faultOf(running.output, end) ?? (megabytes > maxMegabytes ? `${megabytes} MB` : undefined);
    return { command, ms, cpuMs, megabytes, fault, line: line.slice(0, 300) };
  } finally {
    kill(running);
  }
}

interface ListedOperation {
  readonly id: string;
  readonly kind: string;
  readonly request: unknown;
}

/** The most calls to each stack of a fake. */
const mostCalls = 3;
const unexpected: ReadonlySet<string> = new Set([
  "INTERNAL",
  "UNKNOWN",
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
  "DATA_LOSS",
]);

/** What is wrong with a served fake; undefined if its pages, documents and answers come. */
async function faultOfServed(urls: Readonly<Record<string, string>>): Promise<string | undefined> {
  const signal = AbortSignal.timeout(maxWallMs);
  const urlOf = (style: string): string =>
    Object.entries(urls)
      .find(([name]) => name === style || name.startsWith(`${style}-`))?.[1]
      .replace(/\/$/, "") ?? "";
  const [page, rest, soap] = [urlOf("page"), urlOf("rest"), urlOf("soap")];
  const ask = async (url: string, init: RequestInit = {}): Promise<string> => {
    const answer = await fetch(url, { ...init, signal });
    const text = await answer.text();
    if (answer.status >= 500) throw new Error(`${url.replace(/:\d+/, "")} ${answer.status} ${text.slice(0, 200)}`);
    return text;
  };
  const accept = { headers: { accept: "text/html" } };
  try {
    for (const url of [`${rest}/docs`, urlOf("graphql"), urlOf("json-rpc"), soap]) await ask(url, accept);
    await ask(`${rest}/openapi.yaml`);
    await ask(`${soap}?wsdl`);
    const operations = JSON.parse(await ask(`${page}/operations`)) as readonly ListedOperation[];
    const calls = operations.filter(({ kind }) => kind === "unary").slice(0, mostCalls);
    for (const stack of Object.keys(urls).filter((name) => name !== "page" && name !== "fake")) {
      for (const { id, request } of calls) {
        const body = JSON.stringify({ stack, operation: id, request });
        const headers = { "content-type": "application/json" };
        const answer = await fetch(`${page}/send`, { method: "POST", headers, body, signal });
        const { outcome = "OK", message = "" } = (await answer.json()) as { outcome?: string; message?: string };
        if (unexpected.has(outcome)) return `${stack} ${id} ${outcome}: ${message.slice(0, 200)}`;
      }
    }
    return undefined;
  } catch (thrown) {
    return signal.aborted ? "pages not done in time" : String(thrown);
  }
}

/** Serves a fake, opens its pages and documents, and makes calls over each style; then it must end within two seconds. */
async function tryFake(contract: string, cwd: string): Promise<Omit<Trial, "contract">> {
  const startedAt = performance.now();
  const running = start(["fake", "--stack", fakedStacks, "--contract", contract, "--port", "0", "--json"], cwd);
  const listening = (async () => {
    while (!running.output.stdout.includes("\n")) {
      await running.megabytes();
      await sleep(20);
      if (running.child.exitCode !== null || running.child.signalCode !== null) return {};
    }
    return JSON.parse(running.output.stdout.split("\n")[0] ?? "{}") as Readonly<Record<string, string>>;
  })();
  try {
    const served = await within(running, Promise.race([listening, running.ended.then(() => ({}))]));
    let fault: string | undefined;
    if (served === undefined || Object.keys(served).length === 0) {
      const end = await until(running.ended, 1_000);
      fault = end === undefined ? "not listening in time" : faultOf(running.output, end);
    } else {
      fault = await faultOfServed(served);
      const servedMs = await running.cpuMs();
      if (servedMs > maxMs) fault ??= `${servedMs} ms of a processor`;
      const isOver = fault === undefined;
      running.child.kill("SIGTERM");
      if ((await until(running.ended, 2_000)) === undefined && isOver) fault = "not ended 2 s after SIGTERM";
    }
    const megabytes = await running.megabytes();
    if (megabytes > maxMegabytes) fault ??= `${megabytes} MB`;
    const [line = ""] = running.output.stderr.trim().split("\n");
    return {
      command: "fake",
      ms: Math.round(performance.now() - startedAt),
      cpuMs: await running.cpuMs(),
      megabytes,
      fault,
      line: line.slice(0, 300),
    };
  } finally {
    kill(running);
  }
}

async function writeContract({ files }: HostileContract, folder: string): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Tries commands on a contract, one after the other. */
export async function tryContract(contract: HostileContract, names: readonly string[]): Promise<readonly Trial[]> {
  const folder = await mkdtemp(join(tmpdir(), "hostile-contract-"));
  try {
    const [own, changed] = [join(folder, "contract"), join(folder, "changed")];
    await writeContract(contract, own);
    await writeContract(changedContract(contract), changed);
    const trials: Trial[] = [];
    for (const name of names) {
      const out = join(folder, `out-${name}`);
      const args = commands[name]?.({ contract: own, changed, out });
      const trial = args === undefined ? await tryFake(own, folder) : await tryCommand(name, args, folder);
      trials.push({ contract: contract.name, ...trial });
    }
    return trials;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
