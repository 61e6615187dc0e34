// The programs of the machine that suites from outside need. They are looked for, never installed: see .ci/run for that.
import { execFileSync } from "node:child_process";

export type Tool = "curl" | "python";

interface Probe {
  readonly command: readonly [string, ...string[]];
  /** What is missing when the command fails, and how to get it. */
  readonly missing: string;
}

const probes: Readonly<Record<Tool, Probe>> = {
  curl: { command: ["curl", "--version"], missing: "no curl (on Debian: apt-get install curl)" },
  python: {
    command: ["python3", "-c", "import ensurepip, sys; sys.exit(sys.version_info < (3, 11))"],
    missing: "no Python 3.11 or newer that makes virtual environments (on Debian: apt-get install python3-venv)",
  },
};

/** Says of each tool that the machine lacks what is missing. */
export function missingTools(tools: readonly Tool[]): readonly string[] {
  return tools.flatMap((tool) => {
    const {
      command: [program, ...args],
      missing,
    } = probes[tool];
    try {
      execFileSync(program, args, { stdio: "ignore" });
      return [];
    } catch {
      return [missing];
    }
  });
}
