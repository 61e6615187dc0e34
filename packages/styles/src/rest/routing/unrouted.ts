// Answers requests without a route: OPTIONS, pages for browsers, and otherwise 404 or 405.
import { CallError } from "@roundtrip/contract";
import { descriptionAnswer, methodRefusal, type DescribedServer } from "../../shared/http/description-answer.ts";
import type { WholeAnswer } from "../../shared/http/http-answer.ts";
import { HttpError } from "../../shared/http/http-error.ts";
import type { ReceivedRequest } from "../../shared/http/http-service.ts";
import { jsonMediaType } from "../../shared/http/json-body.ts";
import { textAnswer } from "../../shared/http/text-answer.ts";
import { errorAnswer } from "../answers/answer.ts";
import type { RestDialect } from "../dialects/dialect.ts";
import type { Router } from "./router.ts";
import type { LazyRoute } from "./routes.ts";

const docsPath = "/docs";

/** The paths of pages. Routes of the contract take precedence. */
const pages: ReadonlySet<string> = new Set([docsPath, "/openapi.yaml"]);

function methodsAnswer(method: string, path: string, methods: readonly string[]): WholeAnswer {
  const allow = [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])]
    .toSorted()
    .join(", ");
  if (method !== "OPTIONS") throw methodRefusal(path, method, allow);
  // RFC 5789, section 3.1.
  const headers = { allow, ...(methods.includes("PATCH") ? { "accept-patch": jsonMediaType } : {}) };
  return { status: 204, headers, body: undefined, cut: undefined };
}

export interface Unrouted extends DescribedServer {
  readonly router: Router<LazyRoute>;
  readonly dialect: RestDialect;
}

function pageFor(unrouted: Unrouted, request: ReceivedRequest, path: string): Promise<WholeAnswer> {
  const { service, dialect, examplesOf } = unrouted;
  return descriptionAnswer(unrouted, request, {
    async describe(_about, origin, metadata) {
      const { contract } = service;
      if (path === docsPath) {
        const { restPage } = await import("../page.ts");
        return restPage(contract, origin, await examplesOf(contract), metadata);
      }
      const { openApi } = await import("../openapi/openapi.ts");
      const headers = { ...metadata, "x-content-type-options": "nosniff" };
      return textAnswer(200, "application/yaml; charset=utf-8", openApi(contract, dialect), headers);
    },
    refuse: (thrown, call) => errorAnswer(thrown, { ...dialect, write: dialect.writeError }, call),
  });
}

/** The answer at a path without a route for the method. Throws an HttpError for 404 and 405. */
export function unroutedAnswer(
  unrouted: Unrouted,
  request: ReceivedRequest,
  path: string,
): WholeAnswer | Promise<WholeAnswer> {
  const { method } = request;
  const isPage = pages.has(path);
  const methods = unrouted.router.methodsOf(path);
  if (methods.length > 0) return methodsAnswer(method, path, methods);
  if (isPage && (method === "GET" || method === "HEAD")) return pageFor(unrouted, request, path);
  if (isPage) return methodsAnswer(method, path, ["GET"]);
  // The server as a whole (RFC 9110, section 9.3.7).
  if (method === "OPTIONS" && path === "*") return { status: 204, headers: {}, body: undefined, cut: undefined };
  throw new HttpError(404, new CallError("UNIMPLEMENTED", `there is nothing at ${path}`));
}
