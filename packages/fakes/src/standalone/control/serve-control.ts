// The control server of a fake that stands on its own: its operations, stubs, faults, calls and sessions over HTTP, and a page that shows
// them. On loopback alone, for programs of this machine and its own page.
import type { Contract } from "@roundtrip/contract";
import { loadStack, serveDefaults, type RunningServer } from "@roundtrip/stacks";
import { serveHttp, isLoopbackHost } from "@roundtrip/stacks/parts";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import { fileURLToPath } from "node:url";
import type { StandaloneFake } from "../standalone-fake.ts";
import { callRoutes } from "./call-routes.ts";
import { ControlFault, faultAnswer } from "./control-fault.ts";
import { faultRoutes } from "./fault-routes.ts";
import { liveRoutes } from "./live-routes.ts";
import { operationList, type ListedOperation } from "./operation-list.ts";
import { sendRoutes } from "./send-routes.ts";
import { OwnClients } from "./sent-call.ts";
import { serverList } from "./server-list.ts";
import { sessionRoutes } from "./session-routes.ts";
import { stubRoutes } from "./stub-routes.ts";
import type { IncomingMessage } from "node:http";

/**
 * Why a request is refused; undefined for one of programs of this machine and of the server's own page. A browser sends what any other page wants, too:
 * with that page's origin, or under a name of that page's owner that now leads to this machine (DNS rebinding).
 */
function foreignFault({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const { host = "", origin } = headers;
  const url = URL.parse(`http://${host}`);
  if (url === null || !isLoopbackHost(url.hostname))
    return "this server is reached by the names of this machine alone, such as localhost";
  if (origin !== undefined && origin !== url.origin) return "no page of another origin may use this server";
  const site = headers["sec-fetch-site"];
  // A link from elsewhere may open the page: that shows it to its user, and says nothing to who made the link.
  const isOpened = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  if (site === undefined || site === "same-origin" || site === "none" || isOpened) return undefined;
  return "no page of another origin may use this server";
}

export interface ControlOptions {
  /** Where the fake is served, by the names of stacks. */
  readonly urls: Readonly<Record<string, string>>;
  /** Where browsers speak Connect and gRPC-Web with it. */
  readonly connectUrl: string;
  /** What clients trust the fake's certificate by, in PEM; undefined without TLS. */
  readonly ca: string | undefined;
  /** 0 takes a free port. */
  readonly port: number;
}

const pageFolder = fileURLToPath(new URL("../page", import.meta.url));
const mostBodyBytes = 4 * 1024 * 1024;

/** Nothing is loaded from anywhere else, and no page frames this one. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const guard: RequestHandler = (request, response, next) => {
  const fault = foreignFault(request);
  if (fault !== undefined) throw new ControlFault(403, fault);
  response.setHeader("content-security-policy", contentSecurityPolicy);
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "no-referrer");
  response.setHeader("cross-origin-resource-policy", "same-origin");
  response.setHeader("cache-control", "no-store");
  next();
};

const nothingHere: RequestHandler = ({ method, path }) => {
  throw new ControlFault(404, `there is nothing at ${method} ${path}`);
};

const onFault: ErrorRequestHandler = (thrown, _request, response, next) => {
  if (response.headersSent) {
    next(thrown);
    return;
  }
  const { status, body } = faultAnswer(thrown);
  response.status(status).json(body);
};

/** Serves it. Rejects with a StackError when the port is taken. */
export async function serveControl(standalone: StandaloneFake, options: ControlOptions): Promise<RunningServer> {
  const { urls, connectUrl, ca, port } = options;
  const { fake } = standalone;
  const stacks = await Promise.all(Object.keys(urls).map((name) => loadStack(name)));
  const clients = new OwnClients(new Map(Object.entries(urls).map(([name, url]) => [name, { url, ca }])));
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  // Whatever the environment says: express shows stack traces in answers of its own otherwise.
  app.set("env", "production");
  app.use(guard, express.json({ limit: mostBodyBytes, strict: false }));
  // A large contract takes seconds to list, and the fake answers nobody meanwhile.
  let listed: { readonly contract: Contract; readonly operations: readonly ListedOperation[] } | undefined;
  app.get("/operations", (_request, response) => {
    const { contract } = fake;
    if (listed?.contract !== contract) {
      listed = { contract, operations: operationList(contract, stacks, fake.options.seed) };
    }
    response.json(listed.operations);
  });
  app.get("/servers", (_request, response) => void response.json(serverList(stacks, urls, connectUrl)));
  app.use(callRoutes(standalone), sessionRoutes(standalone), stubRoutes(standalone), faultRoutes(standalone));
  app.use(liveRoutes(standalone), sendRoutes(standalone, clients));
  app.use(express.static(pageFolder, { etag: false, lastModified: false, cacheControl: false }));
  app.use(nothingHere, onFault);
  const server = await serveHttp(app, { ...serveDefaults, port, shutdownGraceMs: 500 }, ({ message }, status) => ({
    type: "application/json",
    text: JSON.stringify(faultAnswer(new ControlFault(status, message)).body),
  }));
  return {
    url: `${server.url}/`,
    async close() {
      await clients.close();
      await server.close();
    },
  };
}
