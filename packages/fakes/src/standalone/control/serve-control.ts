// The control interface of a standalone fake: operations, stubs, faults, calls and sessions over HTTP, and a page that shows them. For programs of this
// machine and for its own page.
import { type JsonValue, toJson } from "@bufbuild/protobuf";
import { CallError, commentAbove, type Contract, type Operation } from "@roundtrip/contract";
import { listedLosses } from "@roundtrip/styles";
import { loadStack, type Stack } from "@roundtrip/stacks";
import { exampleRequests } from "../../examples/example-requests.ts";
import { bodyReader, decodedBytes, foreignOrigin, isLoopbackAddress } from "@roundtrip/stacks/parts";
import { HttpError, parsedJson } from "@roundtrip/styles/http/server";
import express, { type ErrorRequestHandler, type RequestHandler, Router } from "express";
import type { StandaloneFake } from "../standalone-fake.ts";
import { ControlError, errorAnswer, queryOf } from "./control-error.ts";
import { callRoutes, liveRoutes } from "./call-routes.ts";
import { faultRoutes } from "./fault-routes.ts";
import { type ControlApp, type ControlOptions, pageFolder, pagePaths } from "./late-control.ts";
import { ClientPool, sendRoutes } from "./sent-call.ts";
import { otherMethods } from "./other-methods.ts";
import { stubRoutes } from "./stub-routes.ts";
import { verifyRoutes } from "./verify-routes.ts";
import type { IncomingMessage } from "node:http";

export interface ListedOperation {
  readonly id: string;
  readonly service: string;
  readonly name: string;
  readonly kind: Operation["kind"];
  readonly comment: string;
  /** In ProtoJSON: it obeys the contract's rules, a fake with this seed answers it, and it is the same each time. */
  readonly request: JsonValue;
  readonly styles: readonly {
    readonly stack: string;
    readonly title: string;
    readonly signature: string;
    readonly lost: readonly string[];
  }[];
}

/** In the contract's order. */
export function operationList(contract: Contract, stacks: readonly Stack[], seed: number): readonly ListedOperation[] {
  const { registry } = contract;
  const requestTo = exampleRequests(contract, seed);
  const exampleJson = (operation: Operation): JsonValue => {
    try {
      return toJson(operation.input, requestTo(operation), { registry });
    } catch (thrown) {
      // No request of the type is possible; the list has the operation nevertheless.
      if (thrown instanceof CallError) return {};
      throw thrown;
    }
  };
  return contract.operations.map((operation) => ({
    id: operation.id,
    service: operation.method.parent.typeName,
    name: operation.method.name,
    kind: operation.kind,
    comment: commentAbove(operation.method),
    request: exampleJson(operation),
    styles: stacks.map((stack) => {
      const { signature, lost } = stack.view(operation, contract);
      return { stack: stack.name, title: stack.title, signature, lost: listedLosses(lost) };
    }),
  }));
}

export interface ListedServer {
  /** Calls of the page are sent over it. */
  readonly stack: string;
  readonly style: string;
  readonly title: string;
  readonly url: string;
  /** What a browser opens; undefined where there is no page. */
  readonly page: { readonly url: string; readonly title: string } | undefined;
  /** How tools read the contract; undefined where there is a page, or no such tool. */
  readonly hint: { readonly text: string; readonly command: string } | undefined;
}

function listedServer({ name, style, title, inspection }: Stack, url: string): ListedServer {
  const server = { stack: name, style, title, url, page: undefined, hint: undefined };
  switch (inspection?.kind) {
    case undefined:
      return server;
    case "page":
      return { ...server, page: { url: `${url}${inspection.path}`, title: inspection.title } };
    case "command":
      return { ...server, hint: { text: inspection.hint, command: inspection.command(url) } };
  }
}

/** In the order of the stacks. */
function serverList(stacks: readonly Stack[], urls: Readonly<Record<string, string>>): readonly ListedServer[] {
  return stacks.map((stack) => listedServer(stack, urls[stack.name] ?? ""));
}

/**
 * Whether a browser sends a request for a page of another origin, which may not even read here. A link on another site may open the page: the site
 * learns nothing from that.
 */
function isForeign({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const isOpened = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  return !isOpened && foreignOrigin(headers, headers.host, []) !== undefined;
}

const mostBodyBytes = 4 * 1024 * 1024;

/** Nothing is loaded from other origins, and no page may frame this one. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const readBody = bodyReader(decodedBytes(mostBodyBytes), mostBodyBytes);

/** Reads JSON bodies, within the limits of every server. */
const jsonBody: RequestHandler = (request, response, next) => {
  if (request.is("application/json") !== "application/json") {
    next();
    return;
  }
  const take = (bytes: Uint8Array | undefined): void => {
    try {
      if (bytes !== undefined) request.body = parsedJson(bytes, (text) => JSON.parse(text) as JsonValue);
      next();
    } catch (thrown) {
      next(thrown);
    }
  };
  readBody(request, response, take, next);
};

const guard: RequestHandler = (request, response, next) => {
  if (!isLoopbackAddress(request.socket.remoteAddress ?? "")) {
    throw new ControlError(403, "the page and its interface answer programs of this machine only");
  }
  if (isForeign(request)) throw new ControlError(403, "pages of other origins may not use this server");
  response.setHeader("content-security-policy", contentSecurityPolicy);
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "no-referrer");
  response.setHeader("cross-origin-resource-policy", "same-origin");
  response.setHeader("cache-control", "no-store");
  next();
};

const unknownRoute: RequestHandler = ({ method, path }) => {
  throw new ControlError(
    404,
    `unknown route ${method} ${path}; the page is at /, and /servers lists the addresses of the styles`,
  );
};

const onError: ErrorRequestHandler = (thrown, _request, response, next) => {
  if (response.headersSent) {
    next(thrown);
    return;
  }
  const { status, body } = errorAnswer(thrown);
  if (thrown instanceof HttpError) response.set(thrown.headers);
  response.status(status).json(body);
};

/** `GET /sessions` lists names; `DELETE /sessions?session=` resets one session, or all: calls, resources and counters. */
function sessionRoutes(standalone: StandaloneFake): Router {
  const { fake } = standalone;
  const router = Router();
  router
    .route("/sessions")
    .get((request, response) => {
      queryOf(request);
      response.json(fake.sessions.names);
    })
    .delete((request, response) => {
      standalone.reset(queryOf(request, ["session"]).session);
      response.status(204).end();
    })
    .all(otherMethods);
  return router;
}

/** The interface and the page, as a listener for requests. */
export async function controlApp(
  standalone: StandaloneFake,
  { urls, settingsOf, ca }: ControlOptions,
): Promise<ControlApp> {
  const { fake } = standalone;
  const stacks = await Promise.all(Object.keys(urls).map((name) => loadStack(name)));
  const clients = new ClientPool(
    new Map(Object.entries(urls).map(([name, url]) => [name, { url, ca, settings: settingsOf(name) }])),
  );
  const stopping = new AbortController();
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  // In other environments, express shows stack traces in its answers.
  app.set("env", "production");
  app.use(guard, jsonBody);
  // Cached: listing a large contract takes seconds, and blocks the fake meanwhile.
  let listed: { readonly contract: Contract; readonly operations: readonly ListedOperation[] } | undefined;
  app
    .route("/operations")
    .get((request, response) => {
      queryOf(request);
      const { contract } = fake;
      if (listed?.contract !== contract) {
        listed = { contract, operations: operationList(contract, stacks, fake.options.seed) };
      }
      response.json(listed.operations);
    })
    .all(otherMethods);
  app
    .route("/servers")
    .get((request, response) => {
      queryOf(request);
      response.json(serverList(stacks, urls));
    })
    .all(otherMethods);
  app.use(callRoutes(standalone), sessionRoutes(standalone), stubRoutes(standalone), faultRoutes(standalone));
  app.use(liveRoutes(standalone, stopping.signal), sendRoutes(standalone, clients), verifyRoutes(standalone));
  const files = express.static(pageFolder, { etag: false, lastModified: false, cacheControl: false });
  app.route(pagePaths()).get(files).all(otherMethods);
  app.use(unknownRoute, onError);
  return {
    listener: app,
    close() {
      stopping.abort();
      return clients.close();
    },
  };
}
