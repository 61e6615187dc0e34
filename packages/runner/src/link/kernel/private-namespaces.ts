// Two network namespaces of a run's own. They live in a mount, a process and a network namespace that one process holds: when it ends, or
// the run does, however that happens, the kernel takes back everything in them: namespaces, devices and processes.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { RunnerError } from "../../runner-error.ts";

/** A shell script that makes the namespaces `ns-left…` and `ns-right…` and what connects them. */
export interface NamespaceScript {
  readonly script: string;
  /** `$1`, `$2`, … of the script: nothing that is not fixed is ever part of its text. */
  readonly args: readonly string[];
  /** What it reads from file descriptor 3. */
  readonly input: string;
}

/** The names under which a namespace of the two can be entered from outside. */
export interface PrivateNamespaces extends AsyncDisposable {
  /** The command that runs another one in the left namespace: the words before it. */
  readonly left: readonly string[];
  readonly right: readonly string[];
}

const appearsWithinMs = 5_000;
const pollMs = 5;
const goneWithinMs = 2_000;
const keptErrorText = 2_000;

// /run and /tmp are memory of its own, so that nothing is left in the machine's. It waits for the end of its input, which comes with the
// end of whoever holds the other end; and with the first process of a process namespace all others in it end.
const prologue = "set -e; mount -t tmpfs none /run; mkdir /run/netns; mount -t tmpfs none /tmp; ";
const epilogue = "\nexec 3<&-; cat > /dev/null";

/** Without rights on the machine, a user namespace gives them inside of it. */
export function needsUserNamespace(): boolean {
  return process.getuid?.() !== 0;
}

function firstChildOf(pid: number): string | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return children === "" ? undefined : children.split(" ")[0];
}

/** The paths of both namespaces, once they are there. */
function endsIn(holder: ChildProcess): Pick<PrivateNamespaces, "left" | "right"> | undefined {
  try {
    const init = firstChildOf(holder.pid ?? 0);
    if (init === undefined) return undefined;
    const folder = `/proc/${init}/root/run/netns`;
    const names = readdirSync(folder);
    const enter = (side: string): readonly string[] => {
      const name = names.find((one) => one.startsWith(`ns-${side}`));
      if (name === undefined) throw new Error(`there is no namespace on the ${side} yet`);
      const user = needsUserNamespace() ? [`--user=/proc/${init}/ns/user`, "--preserve-credentials"] : [];
      return ["nsenter", ...user, `--net=${folder}/${name}`, "--"];
    };
    return { left: enter("left"), right: enter("right") };
  } catch {
    return undefined;
  }
}

/** Runs the script and waits until both namespaces can be entered. Rejects with a RunnerError `link-unavailable`. */
export async function openPrivateNamespaces({ script, args, input }: NamespaceScript): Promise<PrivateNamespaces> {
  const user = needsUserNamespace() ? ["--user", "--map-root-user"] : [];
  const unshare = [...user, "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];
  const command = [...unshare, "sh", "-c", `${prologue}${script}${epilogue}`, "sh", ...args];
  const holder = spawn("unshare", command, {
    cwd: "/",
    stdio: ["pipe", "ignore", "pipe", "pipe"],
    env: { ...process.env, RUST_LOG: "error" },
  });
  let errorText = "";
  const ended = once(holder, "close").catch((thrown: unknown) => {
    errorText = String(thrown);
  });
  const over = new AbortController();
  void ended.then(() => over.abort());
  holder.stderr?.on("data", (chunk: Buffer) => (errorText = (errorText + chunk.toString()).slice(-keptErrorText)));
  const [, , , config] = holder.stdio;
  // A script that failed reads nothing any more; what it printed tells why.
  for (const pipe of [holder.stdin, config]) pipe?.on("error", () => undefined);
  if (config !== null && config !== undefined && "end" in config) config.end(input);

  const close = async (): Promise<void> => {
    holder.stdin?.end();
    const timer = setTimeout(() => holder.kill("SIGKILL"), goneWithinMs);
    await ended;
    clearTimeout(timer);
  };
  const giveUpAt = performance.now() + appearsWithinMs;
  while (!over.signal.aborted && performance.now() < giveUpAt) {
    const ends = endsIn(holder);
    if (ends !== undefined) return { ...ends, [Symbol.asyncDispose]: close };
    await sleep(pollMs);
  }
  await close();
  const why = errorText.trim().split("\n").at(-1) ?? "";
  throw new RunnerError(
    "link-unavailable",
    `the network namespaces of the link did not come up${why === "" ? "" : `: ${why}`}`,
  );
}
