// Cleans up after this process when it is killed and cannot do so itself. A shell reads from a pipe that only this process writes to, so the pipe's
// end is the end of this process, whatever its cause. A shell starts in a millisecond and waits without using the processor.
import { spawn } from "node:child_process";
import { platform } from "node:os";

/**
 * What the guard cleans up: `process` is killed; so is every process of a `session`, by the id of its leader; a `checkout` is a work tree of git that
 * its repository forgets; a `folder` is removed with all that is in it.
 */
export type GuardedKind = "process" | "session" | "checkout" | "folder";

// The list comes whole with each change. A compiler that was killed may still have been writing, so that a folder takes a second try.
const script = `
trap '' INT TERM HUP
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
        checkout) git -C "$what" worktree remove --force "$what" ;;
        folder) remove "$what" ;;
      esac ;;
    esac
  done
done
`;

const guarded = new Set<string>();
let write: ((text: string) => void) | undefined;

/** One shell for all that this process has guarded; it does not keep this process alive. */
function start(): (text: string) => void {
  const shell = spawn("sh", ["-c", script], {
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
    // In no group of this process: what a terminal sends to that group does not concern it.
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

/** Has something cleaned up should this process end before it is released. A path with a line break cannot be guarded. */
export function guard(kind: GuardedKind, what: string | number): () => void {
  const entry = `${kind} ${what}`;
  if (entry.includes("\n")) return () => undefined;
  guarded.add(entry);
  send();
  return () => {
    if (guarded.delete(entry)) send();
  };
}
