// The server of the control interface, which it loads with its first request: tests and programs mostly do without.
import type { OpenedPort, RunningServer, Settings, SharedPort } from "@roundtrip/stacks";
import { serveDefaults } from "@roundtrip/stacks";
import { serveHttp } from "@roundtrip/stacks/parts";
import { readdirSync } from "node:fs";
import type { RequestListener } from "node:http";
import { fileURLToPath } from "node:url";
import type { StandaloneFake } from "../standalone-fake.ts";
import { ControlError, errorAnswer } from "./control-error.ts";

export interface ControlOptions {
  /** The URLs of the fake's servers, by stack. */
  readonly urls: Readonly<Record<string, string>>;
  /** The settings of clients of a stack. */
  readonly settingsOf: (stack: string) => Settings;
  /** The certificate authority in PEM that clients trust; undefined without TLS. */
  readonly ca: string | undefined;
  /** 0 takes a free port. Not used with a shared one. */
  readonly port: number;
  /** The port that the fake's servers share; undefined for one of its own. */
  readonly shared: OpenedPort | undefined;
}

export const pageFolder = fileURLToPath(new URL("../page", import.meta.url));

/** The page, and its files. */
export function pagePaths(): string[] {
  return ["", ...readdirSync(pageFolder)].map((name) => `/${name}`);
}

/** The paths of the interface and of the page. */
function controlPaths(): readonly string[] {
  const routes = [
    "operations",
    "servers",
    "calls",
    "refusals",
    "sessions",
    "stubs",
    "faults",
    "send",
    "live",
    "verify",
  ];
  return [...routes.map((name) => `/${name}`), ...pagePaths()];
}

/** Its part of a port. As on a port of its own, callers have to name this machine, whatever the servers of styles answer to. */
function controlPart(shared: OpenedPort): SharedPort {
  const part = shared.part("");
  part.paths = controlPaths();
  part.documents = ["/"];
  return { ...part, address: () => null };
}

export interface ControlApp {
  readonly listener: RequestListener;
  /** Closes the clients of calls that the page has sent. */
  close(): Promise<void>;
}

/** Serves it. Rejects with a StackError if the port is taken. */
export async function serveControl(standalone: StandaloneFake, options: ControlOptions): Promise<RunningServer> {
  const { port, shared } = options;
  let app: Promise<ControlApp> | undefined;
  const load = async (): Promise<ControlApp> => (await import("./serve-control.ts")).controlApp(standalone, options);
  const start = (): Promise<ControlApp> => (app ??= load());
  const sharedPort = shared === undefined ? undefined : controlPart(shared);
  const server = await serveHttp(
    (request, response) => void start().then(({ listener }) => listener(request, response)),
    { ...serveDefaults, port, sharedPort, shutdownGraceMs: 500 },
    ({ message }, status) => ({
      type: "application/json",
      text: JSON.stringify(errorAnswer(new ControlError(status, message)).body),
    }),
  );
  return {
    url: `${server.url}/`,
    async close() {
      await (await app)?.close();
      await server.close();
    },
  };
}
