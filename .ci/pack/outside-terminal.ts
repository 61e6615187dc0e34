// A terminal outside the workspace. Its commands find npm and this Node.js, and nothing of the clone.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";

export interface OutsideServer extends AsyncDisposable {
  /** Its output until it was ready. */
  readonly printed: string;
}

export interface OutsideTerminal {
  /** Runs lines of a page in a shell and returns their output. Throws with that output if one fails. */
  run(cwd: string, lines: string, env?: Readonly<Record<string, string>>): string;
  /** Starts a serving command. Resolves when it has printed its address; rejects if it ends before. */
  serve(cwd: string, line: string): Promise<OutsideServer>;
}

const ready = "Ctrl-C ends it";

/** Variables of the current package manager for programs of the workspace. */
const ofWorkspace = /^(NODE_OPTIONS|NODE_PATH|npm_(config_local_prefix|lifecycle_.+|package_.+))$/;

/** A shell command for lines of a page, which stops at the first failure. */
function shell(lines: string): readonly [program: string, args: readonly string[]] {
  return ["bash", ["-euo", "pipefail", "-c", lines]];
}

export function outsideTerminal(folder: string): OutsideTerminal {
  const programs = join(folder, "bin");
  mkdirSync(programs, { recursive: true });
  symlinkSync(process.execPath, join(programs, "node"));
  const kept = Object.entries(process.env).filter(([name]) => !ofWorkspace.test(name));
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((part) => !part.includes("node_modules"));
  const environment = {
    ...Object.fromEntries(kept),
    PATH: [programs, ...path].join(delimiter),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_ignore_scripts: "true",
    npm_config_prefer_offline: "true",
  };
  return {
    run(cwd, lines, env = {}) {
      const [program, args] = shell(lines);
      try {
        return execFileSync(program, args, {
          cwd,
          encoding: "utf8",
          env: { ...environment, ...env },
          stdio: ["ignore", "pipe", "pipe"],
        });
      } catch (thrown) {
        const { stdout = "", stderr = "" } = thrown as { readonly stdout?: string; readonly stderr?: string };
        throw new Error(`${lines.trimEnd()}\n${stdout}${stderr}`, { cause: thrown });
      }
    },
    async serve(cwd, line) {
      const [program, args] = shell(line);
      const child = spawn(program, args, { cwd, env: environment, stdio: ["ignore", "pipe", "pipe"], detached: true });
      let said = "";
      const ended = new Promise<void>((resolve) => void child.once("close", () => resolve()));
      const isReady = new Promise<void>((resolve) => {
        const hear = (chunk: Buffer): void => {
          said += chunk.toString();
          if (said.includes(ready)) resolve();
        };
        child.stdout.on("data", hear);
        child.stderr.on("data", hear);
      });
      await Promise.race([isReady, ended]);
      if (!said.includes(ready)) throw new Error(`${line}\n${said}`);
      return {
        printed: said,
        async [Symbol.asyncDispose]() {
          // npx is the parent: like a terminal, signals the whole process group.
          if (child.pid !== undefined) process.kill(-child.pid, "SIGINT");
          await ended;
        },
      };
    },
  };
}
