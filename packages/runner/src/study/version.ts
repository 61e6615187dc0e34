// A version of a server, measured side by side with another one as arms that differ in nothing else.

/** A program that serves one stack and prints its address. No shell reads it. */
export interface ServerCommand {
  readonly kind: "command";
  /** The program and its arguments; `{port}` in them stands for a free port, which the variable PORT holds too. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Beside the runner's own environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** A folder with this project's sources and what they depend on: its own server process is started, as for any run. */
export interface ServerCheckout {
  readonly kind: "checkout";
  readonly folder: string;
}

export type ServerSource = ServerCommand | ServerCheckout;

export interface Version {
  readonly name: "base" | "head";
  /** What serves this stack. */
  server(stack: string): ServerSource;
}

/** The factor that distinguishes the arms of two versions. */
export const versionFactor = "version";
