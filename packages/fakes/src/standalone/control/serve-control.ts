// The control server of a standalone fake: operations, stubs, faults, calls and sessions over HTTP, and a page that shows them. It listens on
// loopback only, for programs of this machine and for its own page.
import type { Contract } from "@roundtrip/contract";
import { loadStack, serveDefaults, type RunningServer } from "@roundtrip/stacks";
import { serveHttp } from "@roundtrip/stacks/parts";
import { isLoopbackHost } from "@roundtrip/styles/http/server";
import express, { Router, type ErrorRequestHandler, type RequestHandler } from "express";
import { fileURLToPath } from "node:url";
import type { StandaloneFake } from "../standalone-fake.ts";
import { queryOf } from "./body.ts";
import { callRoutes, liveRoutes } from "./call-routes.ts";
import { ControlError, errorAnswer } from "./control-error.ts";
import { faultRoutes } from "./fault-routes.ts";
import { operationList, type ListedOperation } from "./operation-list.ts";
import { sendRoutes, ClientPool } from "./sent-call.ts";
import { serverList } from "./server-list.ts";
import { stubRoutes } from "./stub-routes.ts";
import type { IncomingMessage } from "node:http";

/**
 * Why a request is refused; undefined for programs of this machine and the server's own page. A browser also sends requests of other pages: with
 * their origin, or under a host name of theirs that resolves to this machine (DNS rebinding).
 */
function refusalOf({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const { host = "", origin } = headers;
  const url = URL.parse(`http://${host}`);
  if (url === null || !isLoopbackHost(url.hostname)) return "use a host name of this machine, such as localhost";
  if (origin !== undefined && origin !== url.origin) return "pages of other origins may not use this server";
  const site = headers["sec-fetch-site"];
  // A link on another site may open the page: the site learns nothing from that.
  const isOpened = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  if (site === undefined || site === "same-origin" || site === "none" || isOpened) return undefined;
  return "pages of other origins may not use this server";
}

export interface ControlOptions {
  /** The URLs of the fake's servers, by stack. */
  readonly urls: Readonly<Record<string, string>>;
  /** The URL for Connect and gRPC-Web. */
  readonly connectUrl: string;
  /** The certificate authority in PEM that clients trust; undefined without TLS. */
  readonly ca: string | undefined;
  /** 0 takes a free port. */
  readonly port: number;
}

const pageFolder = fileURLToPath(new URL("../page", import.meta.url));
const mostBodyBytes = 4 * 1024 * 1024;

/** Nothing is loaded from other origins, and no page may frame this one. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const guard: RequestHandler = (request, response, next) => {
  const refusal = refusalOf(request);
  if (refusal !== undefined) throw new ControlError(403, refusal);
  response.setHeader("content-security-policy", contentSecurityPolicy);
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "no-referrer");
  response.setHeader("cross-origin-resource-policy", "same-origin");
  response.setHeader("cache-control", "no-store");
  next();
};

const unknownRoute: RequestHandler = ({ method, path }) => {
  throw new ControlError(404, `unknown route ${method} ${path}`);
};

const onError: ErrorRequestHandler = (thrown, _request, response, next) => {
  if (response.headersSent) {
    next(thrown);
    return;
  }
  const { status, body } = errorAnswer(thrown);
  response.status(status).json(body);
};

/** `GET /sessions` lists names; `DELETE /sessions?session=` resets one session, or all: calls, resources and counters. */
function sessionRoutes(standalone: StandaloneFake): Router {
  const { fake } = standalone;
  const router = Router();
  router.get("/sessions", (request, response) => {
    queryOf(request);
    response.json(fake.sessions.names);
  });
  router.delete("/sessions", (request, response) => {
    standalone.reset(queryOf(request, ["session"]).session);
    response.status(204).end();
  });
  return router;
}

/** Serves it. Rejects with a StackError if the port is taken. */
export async function serveControl(standalone: StandaloneFake, options: ControlOptions): Promise<RunningServer> {
  const { urls, connectUrl, ca, port } = options;
  const { fake } = standalone;
  const stacks = await Promise.all(Object.keys(urls).map((name) => loadStack(name)));
  const clients = new ClientPool(new Map(Object.entries(urls).map(([name, url]) => [name, { url, ca }])));
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  // In other environments, express shows stack traces in its answers.
  app.set("env", "production");
  app.use(guard, express.json({ limit: mostBodyBytes, strict: false }));
  // Cached: listing a large contract takes seconds, and blocks the fake meanwhile.
  let listed: { readonly contract: Contract; readonly operations: readonly ListedOperation[] } | undefined;
  app.get("/operations", (request, response) => {
    queryOf(request);
    const { contract } = fake;
    if (listed?.contract !== contract) {
      listed = { contract, operations: operationList(contract, stacks, fake.options.seed) };
    }
    response.json(listed.operations);
  });
  app.get("/servers", (request, response) => {
    queryOf(request);
    response.json(serverList(stacks, urls, connectUrl));
  });
  app.use(callRoutes(standalone), sessionRoutes(standalone), stubRoutes(standalone), faultRoutes(standalone));
  app.use(liveRoutes(standalone), sendRoutes(standalone, clients));
  app.use(express.static(pageFolder, { etag: false, lastModified: false, cacheControl: false }));
  app.use(unknownRoute, onError);
  const server = await serveHttp(app, { ...serveDefaults, port, shutdownGraceMs: 500 }, ({ message }, status) => ({
    type: "application/json",
    text: JSON.stringify(errorAnswer(new ControlError(status, message)).body),
  }));
  return {
    url: `${server.url}/`,
    async close() {
      await clients.close();
      await server.close();
    },
  };
}
