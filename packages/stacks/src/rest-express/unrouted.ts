// Answers where the contract has nothing: OPTIONS by itself, pages for people, the rest with 404 or 405.
import { CallError, type Contract } from "@roundtrip/contract";
import type { Request, Response } from "express";
import { HttpError } from "../http-error.ts";
import { jsonMediaType } from "../json-body.ts";
import type { Route } from "./routes.ts";
import type { Router } from "./router.ts";
import { sendError } from "./send.ts";

/** Where people look, as long as the contract has nothing there itself. */
const pages: ReadonlySet<string> = new Set(["/docs", "/openapi.yaml"]);

function answerMethods(method: string, path: string, methods: readonly string[], response: Response): void {
  const allow = [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])]
    .toSorted()
    .join(", ");
  if (method !== "OPTIONS") {
    throw new HttpError(405, new CallError("UNIMPLEMENTED", `${path} does not answer ${method}, but ${allow}`), {
      allow,
    });
  }
  // RFC 5789, section 3.1.
  response.writeHead(204, { allow, ...(methods.includes("PATCH") ? { "accept-patch": jsonMediaType } : {}) }).end();
}

async function answerPage(contract: Contract, { headers }: Request, path: string, response: Response): Promise<void> {
  const { sendPage } = await import("./pages/pages.ts");
  const isSecure = response.req.secure;
  sendPage(contract, path, `${isSecure ? "https" : "http"}://${headers.host ?? "localhost"}`, response);
}

/** What requests that no route takes are answered from. */
export interface Unrouted {
  readonly contract: Contract;
  readonly router: Router<Route>;
}

/** Answers a path that has no route for its method. Throws an HttpError when there is nothing to answer with. */
export function answerUnrouted(
  { contract, router }: Unrouted,
  request: Request,
  path: string,
  response: Response,
): void {
  const { method } = request;
  const isPage = pages.has(path);
  const methods = router.methodsOf(path);
  if (methods.length > 0) answerMethods(method, path, methods, response);
  else if (isPage && (method === "GET" || method === "HEAD")) {
    answerPage(contract, request, path, response).catch((thrown: unknown) => sendError(response, undefined, thrown));
  } else if (isPage) answerMethods(method, path, ["GET"], response);
  // The server as a whole (RFC 9110, section 9.3.7).
  else if (method === "OPTIONS" && path === "*") response.writeHead(204).end();
  else throw new HttpError(404, new CallError("UNIMPLEMENTED", `there is nothing at ${path}`));
}
