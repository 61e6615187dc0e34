// Two network namespaces of a run's own. They live in a mount, a process and a network namespace that one process holds: when it ends, or
// the run does, however that happens, the kernel takes back everything in them: namespaces, devices and processes.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { accessSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { guard } from "../../lifetime/guard.ts";
import { RunnerError } from "../../basics/runner-error.ts";
import { whyRefused } from "./namespace-rights.ts";
import { commandResult, lastLine, toolEnvironment } from "./tools.ts";

/** A shell script that makes the namespaces `ns-left…` and `ns-right…` and what connects them. */
export interface NamespaceScript {
  /** `stay COMMAND…` in it starts a process that the link needs: when that ends, so does the link. */
  readonly script: string;
  /** `$1`, `$2`, … of the script: nothing that is not fixed is ever part of its text. */
  readonly args: readonly string[];
  /** What it reads from file descriptor 3. */
  readonly input: string;
}

/** The commands to enter both namespaces, and the signal that they were lost. */
export interface PrivateNamespaces extends AsyncDisposable {
  /** The command that runs another one in the left namespace: the words before it. */
  readonly left: readonly string[];
  readonly right: readonly string[];
  /** Whether the script has left a file of this name in its /run. */
  has(name: string): boolean;
  /** Aborts with a RunnerError `link-lost` when they go before they are closed. */
  readonly lost: AbortSignal;
}

const appearsWithinMs = 10_000;
const pollMs = 5;
const goneWithinMs = 2_000;
const keptErrorText = 2_000;

// /run is memory of its own: no name in it can meet one of the machine's, and nothing is left there. The process stays until its input
// ends, which happens when the process at the other end ends. With the first process of a process namespace all others in it end.
const mounts = "set -e; mount -t tmpfs none /run; mkdir /run/netns\n";
const prologue = `${mounts}exec 4<&0; cat <&4 > /dev/null & keeper=$!
stay() { { "$@" >&2 || :; kill $keeper; } & }
`;
// Drops the shell's own messages about the end.
const epilogue = "\n: > /run/ready; exec 3<&- 2> /dev/null; wait $keeper";

/** Without rights on the machine, a user namespace gives them inside of it. */
function needsUserNamespace(): boolean {
  return process.getuid?.() !== 0;
}

const user = (): readonly string[] => (needsUserNamespace() ? ["--user", "--map-root-user"] : []);

/** The command that runs another one with namespaces of its own, as the words before it. */
export function unshared(): readonly string[] {
  return ["unshare", ...user(), "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];
}

/** Why there can be no such namespaces here, and what would help; undefined where there can. */
export async function whyNoNamespaces(): Promise<string | undefined> {
  const ended = await commandResult([...unshared(), "sh", "-c", mounts]);
  return ended.ok ? undefined : whyRefused(ended.why, !needsUserNamespace());
}

function firstChildOf(pid: number): string | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return children === "" ? undefined : children.split(" ")[0];
}

/** How both namespaces are entered, once they are there. */
function endsIn(holder: ChildProcess): Pick<PrivateNamespaces, "left" | "right" | "has"> | undefined {
  try {
    const init = firstChildOf(holder.pid ?? 0);
    if (init === undefined) return undefined;
    const folder = `/proc/${init}/root/run/netns`;
    accessSync(`/proc/${init}/root/run/ready`);
    const names = readdirSync(folder);
    const enter = (side: string): readonly string[] => {
      const name = names.find((one) => one.startsWith(`ns-${side}`));
      if (name === undefined) throw new Error(`there is no namespace on the ${side} yet`);
      const ofUser = needsUserNamespace() ? [`--user=/proc/${init}/ns/user`, "--preserve-credentials"] : [];
      return ["nsenter", ...ofUser, `--net=${folder}/${name}`, "--"];
    };
    const has = (name: string): boolean => existsSync(`/proc/${init}/root/run/${name}`);
    return { left: enter("left"), right: enter("right"), has };
  } catch {
    return undefined;
  }
}

/** Runs the script and waits until both namespaces can be entered. Rejects with a RunnerError `link-unavailable`. */
export async function openPrivateNamespaces({ script, args, input }: NamespaceScript): Promise<PrivateNamespaces> {
  const [program = "", ...words] = [...unshared(), "sh", "-c", `${prologue}${script}${epilogue}`, "sh", ...args];
  const holder = spawn(program, words, {
    cwd: "/",
    stdio: ["pipe", "ignore", "pipe", "pipe"],
    env: toolEnvironment(),
    // Ctrl-C at a terminal reaches all of its group: the run decides when the link goes.
    detached: true,
  });
  if (holder.pid !== undefined) holder.once("exit", guard("process", holder.pid));
  let errorText = "";
  const ended = once(holder, "close").catch((thrown: unknown) => {
    errorText = String(thrown);
  });
  holder.stderr?.on("data", (chunk: Buffer) => (errorText = (errorText + chunk.toString()).slice(-keptErrorText)));
  const because = (): string => (lastLine(errorText) === "" ? "" : `: ${lastLine(errorText)}`);
  const lost = new AbortController();
  const over = new AbortController();
  let isClosing = false;
  const noteEnd = async (): Promise<void> => {
    await ended;
    over.abort();
    if (!isClosing) lost.abort(new RunnerError("link-lost", `the network of the run was lost${because()}`));
  };
  void noteEnd();
  const [, , , config] = holder.stdio;
  // A script that failed no longer reads. Its output says why.
  for (const pipe of [holder.stdin, config]) pipe?.on("error", () => undefined);
  if (config !== null && config !== undefined && "end" in config) config.end(input);

  const close = async (): Promise<void> => {
    isClosing = true;
    holder.stdin?.end();
    const timer = setTimeout(() => holder.kill("SIGKILL"), goneWithinMs);
    await ended;
    clearTimeout(timer);
  };
  const giveUpAt = performance.now() + appearsWithinMs;
  while (!over.signal.aborted && performance.now() < giveUpAt) {
    const ends = endsIn(holder);
    if (ends !== undefined) return { ...ends, lost: lost.signal, [Symbol.asyncDispose]: close };
    await sleep(pollMs);
  }
  await close();
  throw new RunnerError("link-unavailable", `the network namespaces of the link did not come up${because()}`);
}
