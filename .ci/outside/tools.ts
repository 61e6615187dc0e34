// Programs that third-party suites need. This module finds them; `.ci/run` installs them.
import { execFileSync } from "node:child_process";

export type Tool = "curl" | "go" | "java" | "maven" | "python";

interface Probe {
  readonly command: readonly [string, ...string[]];
  /** The message if the command fails: what is missing and how to install it. */
  readonly missing: string;
  /** Whether continuous integration must have it. */
  readonly isRequired: boolean;
}

const probes: Readonly<Record<Tool, Probe>> = {
  curl: {
    command: ["curl", "--version"],
    missing: "no curl (on Debian: apt-get install curl)",
    isRequired: true,
  },
  go: { command: ["go", "version"], missing: "no Go (on Debian: apt-get install golang-go)", isRequired: false },
  java: {
    // The compiler is not part of a Java that only runs programs.
    command: ["javac", "--version"],
    missing: "no Java with a compiler (on Debian: apt-get install default-jdk-headless)",
    isRequired: false,
  },
  maven: { command: ["mvn", "--version"], missing: "no Maven (on Debian: apt-get install maven)", isRequired: false },
  python: {
    command: ["python3", "-c", "import ensurepip, sys; sys.exit(sys.version_info < (3, 11))"],
    missing: "no Python 3.11 or newer that makes virtual environments (on Debian: apt-get install python3-venv)",
    isRequired: true,
  },
};

export function isRequired(tool: Tool): boolean {
  return probes[tool].isRequired;
}

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
