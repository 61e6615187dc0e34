// Programs and folders that end with this process, whatever ends it: `@roundtrip/runner/lifetime`. Loads nothing that measures.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { platform, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileFault } from "@roundtrip/runs/files";
import { RunnerError } from "../basics/runner-error.ts";
import { killSession } from "./session-processes.ts";

export { processesStartedWith, statIfReadable } from "./session-processes.ts";

/** Kills a `process`, or all processes of a `session` by its leader's id; removes a git work tree (`checkout`) or a `folder` with its content. */
export type GuardedKind = "process" | "session" | "checkout" | "folder";

// Cleans up after this process when it is killed: a shell reads from a pipe that only this process writes to, so the pipe ends with this process,
// whatever the cause. The shell starts in a millisecond and waits without using the processor. Each change sends the whole list. A killed compiler may still have been writing, so a folder is removed twice.
// Git removes a work tree only without its files: it takes long for many, and leaves its entry if it is stopped.
// A repository that git cannot read, such as one with a pipe in it, must not keep folders from being removed.
const script = `
trap '' INT TERM HUP
limit=
command -v timeout > /dev/null && limit='timeout 5'
end='
'
list=
while IFS= read -r line; do
  case $line in clear) list= ;; *) list="$list$line$end" ;; esac
done
kill_session() {
  set +f
  kill -9 -- "-$1"
  for stat in /proc/[0-9]*/stat; do
    { read -r text < "$stat"; } || continue
    set -f
    set -- "$1" \${text##*) }
    pid=\${stat#/proc/}
    [ "$5" = "$1" ] && kill -9 "\${pid%/stat}"
  done
}
remove() { for try in 1 2 3 4 5; do rm -rf -- "$1"; [ -e "$1" ] || return; sleep 0.1; done; }
for kind in process session checkout folder; do
  printf %s "$list" | while IFS= read -r line; do
    what=\${line#* }
    case $line in
      "$kind "*) case $kind in
        process) kill -9 "$what" ;;
        session) kill_session "$what" ;;
        checkout)
          common=$(cd "$what" && $limit git rev-parse --path-format=absolute --git-common-dir)
          remove "$what"
          $limit git --git-dir="$common" worktree remove --force --force "$what" ;;
        folder) remove "$what" ;;
      esac ;;
    esac
  done
done
`;

const guarded = new Set<string>();
let write: ((text: string) => void) | undefined;

/** One shell for everything that this process guards; it does not keep this process alive. */
function start(): (text: string) => void {
  const shell = spawn("sh", ["-c", script], {
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
    // Not in the process group: signals that a terminal sends to the group do not reach it.
    detached: true,
  });
  shell.on("error", () => undefined).unref();
  const { stdin } = shell;
  stdin.on("error", () => undefined);
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  shell.once("exit", () => (write = undefined));
  return (text) => void stdin.write(text);
}

function send(): void {
  if (platform() === "win32") return;
  write ??= start();
  write(`${["clear", ...guarded].join("\n")}\n`);
}

/** Cleans something up if this process ends before it is released. A path with a line break cannot be guarded. */
export function guard(kind: GuardedKind, what: string | number): () => void {
  const entry = `${kind} ${what}`;
  if (entry.includes("\n")) return () => undefined;
  guarded.add(entry);
  send();
  return () => {
    if (guarded.delete(entry)) send();
  };
}

const undo = new Set<() => void>();

process.on("exit", () => {
  // In reverse order, so that a process that writes into a directory ends before the directory is removed.
  for (const clean of [...undo].toReversed()) clean();
});

/** Calls `clean` when disposed of, or else when the program ends. It runs once, and must not wait for anything. */
export function atExit(clean: () => void): Disposable {
  const once = (): void => {
    if (undo.delete(once)) clean();
  };
  undo.add(once);
  return { [Symbol.dispose]: once };
}

/** Kills the session of a child, started with `detached: true`, however this process ends. Returns what kills it now; nothing if it never started. */
export function endsWithUs(child: ChildProcess): () => void {
  const { pid } = child;
  if (pid === undefined) return () => undefined;
  const release = guard("session", pid);
  let hasEnded = false;
  const kill = (): void => {
    if (!hasEnded) killSession(pid);
  };
  const atOurEnd = atExit(kill);
  // Not "close": processes that inherited its pipes may keep them open. Once its status has been read, its id may be reused.
  child.once("exit", () => {
    hasEnded = true;
    atOurEnd[Symbol.dispose]();
    release();
  });
  return kill;
}

/** How long to read a program's output after its end. */
const outputGraceMs = 500;

/** Makes `close` follow `exit` soon: output that is still open then is no longer read. */
export function closesAfterExit(child: ChildProcess): void {
  child.once("exit", () => {
    const limit = setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, outputGraceMs);
    child.once("close", () => clearTimeout(limit));
  });
}

export interface TemporaryFolder extends Disposable {
  readonly path: string;
}

const nameBytes = 6;
/** An interrupted compiler may still be writing. */
const leaving = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 } as const;

/** Makes an empty folder that only this user can read. Throws a RunnerError `unwritable`. @param purpose part of its name. */
export function temporaryFolder(purpose: string): TemporaryFolder {
  // Absolute, because the guard that removes it after a kill has another current directory.
  const parent = resolve(tmpdir());
  const path = join(parent, `roundtrip-${purpose}-${randomBytes(nameBytes).toString("hex")}`);
  // Guarded before it exists: a kill between the two leaves nothing behind.
  const release = guard("folder", path);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (cause) {
    release();
    throw new RunnerError("unwritable", `cannot write to ${parent} (TMPDIR): ${fileFault(cause)}`, { cause });
  }
  return {
    path,
    ...atExit(() => {
      rmSync(path, leaving);
      release();
    }),
  };
}

/** @param thrown the error of `spawn`. */
export function whyNotStarted(program: string, thrown: Error): string {
  const { code } = thrown as NodeJS.ErrnoException;
  if (code === "EACCES") return `${program} is not executable`;
  if (code !== "ENOENT") return thrown.message;
  // The system reports a script without its interpreter in the same way.
  return program.includes("/")
    ? `${program} does not exist, or its interpreter does not`
    : `${program} is not installed or not on PATH`;
}
