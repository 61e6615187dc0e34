// Two network namespaces for a run. One process holds their mount, process and network namespaces: when it or the run ends, for any reason, the
// kernel removes all namespaces, devices and processes in them.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, existsSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { RunnerError } from "../../basics/runner-error.ts";
import { guard } from "../../lifetime/ends-with-us.ts";
import { commandResult, lastLine, toolEnvironment } from "./tools.ts";
import { textOf } from "../../lifetime/session-processes.ts";

/** Kernel settings that forbid namespaces with one value and allow them with another. */
const settings = [
  { name: "user.max_user_namespaces", forbids: "0", allows: "15000" },
  { name: "user.max_net_namespaces", forbids: "0", allows: "15000" },
  { name: "kernel.unprivileged_userns_clone", forbids: "0", allows: "1" },
  { name: "kernel.apparmor_restrict_unprivileged_userns", forbids: "1", allows: "0" },
] as const;

const valueOf = (name: string): string => textOf(`/proc/sys/${name.replace(".", "/")}`);

/**
 * Why namespaces were refused, and what would help: the kernel settings that forbid them, otherwise the output of `unshare`. `isRoot` is true for a
 * user who needs no user namespace; `read` returns the value of a sysctl, undefined if the kernel does not have it.
 */
export function whyRefused(
  output: string,
  isRoot: boolean,
  read: (name: string) => string | undefined = valueOf,
): string {
  const against = settings.filter(({ name, forbids }) => read(name) === forbids);
  const or = isRoot ? "" : "run it as root, or ";
  if (against.length > 0) {
    const values = against.map(({ name, forbids }) => `${name} is ${forbids}`).join(" and ");
    const command = `sudo sysctl -w ${against.map(({ name, allows }) => `${name}=${allows}`).join(" ")}`;
    return `namespaces are switched off: ${values} (${or}${command})`;
  }
  return `namespaces cannot be made: ${output} (${isRoot ? "a container has to be started with --privileged" : "run it as root"})`;
}

/** A shell script that makes the namespaces `ns-left…` and `ns-right…` and what connects them. */
export interface NamespaceScript {
  /** `stay COMMAND…` in it starts a process that the link needs: when that ends, so does the link. */
  readonly script: string;
  /** `$1`, `$2`, … of the script, so that its text stays fixed. */
  readonly args: readonly string[];
  /** The content of its file descriptor 3. */
  readonly input: string;
}

/** The commands to enter both namespaces, and the signal that they were lost. */
export interface PrivateNamespaces extends AsyncDisposable {
  /** The command that runs another one in the left namespace, as the words before it. */
  readonly left: readonly string[];
  readonly right: readonly string[];
  /** Whether the script has left a file with this name in its /run. */
  has(name: string): boolean;
  /** Aborts with a RunnerError `link-lost` if they are lost before they are closed. */
  readonly lost: AbortSignal;
}

const appearsWithinMs = 10_000;
const pollMs = 5;
const goneWithinMs = 2_000;
const keptErrorText = 2_000;

// /run is a private tmpfs: its names cannot conflict with the machine's, and nothing is left behind. The process runs until its input ends, which
// happens when the process at the other end ends. The end of the first process of a process namespace ends all others in it.
const mounts = "set -e; mount -t tmpfs none /run; mkdir /run/netns\n";
const prologue = `${mounts}exec 4<&0; cat <&4 > /dev/null & keeper=$!
stay() { { "$@" >&2 || :; kill $keeper; } & }
`;
// Suppresses the shell's own messages about the end.
const epilogue = "\n: > /run/ready; exec 3<&- 2> /dev/null; wait $keeper";

/** Without root, a user namespace grants the rights inside it. */
function needsUserNamespace(): boolean {
  return process.getuid?.() !== 0;
}

const user = (): readonly string[] => (needsUserNamespace() ? ["--user", "--map-root-user"] : []);

/** The command that runs another one in new namespaces, as the words before it. */
export function unshared(): readonly string[] {
  return ["unshare", ...user(), "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];
}

/** Why such namespaces are impossible here, and what would help; undefined if they are possible. */
export async function whyNoNamespaces(): Promise<string | undefined> {
  const ended = await commandResult([...unshared(), "sh", "-c", mounts]);
  return ended.ok ? undefined : whyRefused(ended.why, !needsUserNamespace());
}

function firstChildOf(pid: number): string | undefined {
  const children = textOf(`/proc/${pid}/task/${pid}/children`);
  return children === "" ? undefined : children.split(" ")[0];
}

/** How to enter both namespaces, once they exist. */
function endsIn(holder: ChildProcess): Pick<PrivateNamespaces, "left" | "right" | "has"> | undefined {
  try {
    const init = firstChildOf(holder.pid ?? 0);
    if (init === undefined) return undefined;
    const folder = `/proc/${init}/root/run/netns`;
    accessSync(`/proc/${init}/root/run/ready`);
    const names = readdirSync(folder);
    const prefixFor = (side: string): readonly string[] => {
      const name = names.find((namespace) => namespace.startsWith(`ns-${side}`));
      if (name === undefined) throw new Error(`there is no namespace on the ${side} yet`);
      const ofUser = needsUserNamespace() ? [`--user=/proc/${init}/ns/user`, "--preserve-credentials"] : [];
      return ["nsenter", ...ofUser, `--net=${folder}/${name}`, "--"];
    };
    const has = (name: string): boolean => existsSync(`/proc/${init}/root/run/${name}`);
    return { left: prefixFor("left"), right: prefixFor("right"), has };
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
    // Ctrl-C at a terminal reaches its whole process group; the run closes its links itself.
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
  const watchEnd = async (): Promise<void> => {
    await ended;
    over.abort();
    if (!isClosing) lost.abort(new RunnerError("link-lost", `the network of the run was lost${because()}`));
  };
  void watchEnd();
  const [, , , config] = holder.stdio;
  // A script that failed no longer reads. Its output has the reason.
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
