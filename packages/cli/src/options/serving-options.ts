// Options for listening and TLS, shared by commands that serve until Ctrl-C.
import { serveDefaults } from "@roundtrip/stacks/names";
import type { Option } from "commander";
import { CliError } from "../basics/cli-error.ts";
import { numberOption, switchOption, tlsOption, valueOption } from "./options.ts";

const largestPort = 65_535;

/** @param whose names the servers on the first port and the next ones. */
export const servingOptions = (whose: string): readonly Option[] => [
  tlsOption(),
  valueOption("subject", "--ca-out <file>", "write the certificate authority for clients"),
  valueOption("subject", "--host <host>", "interface to listen on").default(serveDefaults.host),
  numberOption("subject", "--port <number>", `port of ${whose}; 0 for free ones`, [0, largestPort]).default(0),
  switchOption("subject", "--detached", "keep serving when its starter ends"),
];

/** Throws a usage error if this many servers exceed the port range. */
export function requirePorts(port: number, count: number, servers: string): void {
  if (port === 0 || port + count - 1 <= largestPort) return;
  throw new CliError(
    "usage",
    `--port ${port}: ${count} ${servers} need one port each, and the last port is ${largestPort}`,
  );
}
