// Cleans up after this process when it is killed. A shell reads from a pipe that only this process writes to, so the pipe ends with this process,
// whatever the cause. The shell starts in a millisecond and waits without using the processor.
import { spawn } from "node:child_process";
import { platform } from "node:os";

/** Kills a `process`, or all processes of a `session` by its leader's id; removes a git work tree (`checkout`) or a `folder` with its content. */
export type GuardedKind = "process" | "session" | "checkout" | "folder";

// Each change sends the whole list. A killed compiler may still have been writing, so a folder is removed twice.
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
        checkout) git -C "$what" worktree remove --force --force "$what" ;;
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
