// Answers where the contract has nothing: OPTIONS by itself, pages for people, the rest with 404 or 405.
import { CallError, type Service } from "@roundtrip/contract";
import type { Request, Response } from "express";
import { HttpError } from "../../http/http-error.ts";
import { jsonMediaType } from "../../http/json-body.ts";
import { incomingCall } from "./incoming-call.ts";
import type { Route } from "./routes.ts";
import type { Router } from "./router.ts";
import { sendError, setMetadata } from "../answers/send.ts";

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

/** Pages tell what the service can do, and so they are shown to whom its interceptors let through. */
async function answerPage(service: Service, request: Request, path: string, response: Response): Promise<void> {
  const call = incomingCall(request);
  try {
    const [{ checkMayDescribe }, { sendPage }] = await Promise.all([
      import("../../description-guard.ts"),
      import("../pages/pages.ts"),
    ]);
    await checkMayDescribe(service, call);
    setMetadata(response, call);
    const scheme = request.secure ? "https" : "http";
    sendPage(service.contract, path, `${scheme}://${request.headers.host ?? "localhost"}`, response);
  } catch (thrown) {
    sendError(response, call, thrown);
  } finally {
    call.finish();
  }
}

/** What requests that no route takes are answered from. */
export interface Unrouted {
  readonly service: Service;
  readonly router: Router<Route>;
}

/** Answers a path that has no route for its method. Throws an HttpError when there is nothing to answer with. */
export function answerUnrouted(
  { service, router }: Unrouted,
  request: Request,
  path: string,
  response: Response,
): void {
  const { method } = request;
  const isPage = pages.has(path);
  const methods = router.methodsOf(path);
  if (methods.length > 0) answerMethods(method, path, methods, response);
  else if (isPage && (method === "GET" || method === "HEAD")) {
    answerPage(service, request, path, response).catch((thrown: unknown) => sendError(response, undefined, thrown));
  } else if (isPage) answerMethods(method, path, ["GET"], response);
  // The server as a whole (RFC 9110, section 9.3.7).
  else if (method === "OPTIONS" && path === "*") response.writeHead(204).end();
  else throw new HttpError(404, new CallError("UNIMPLEMENTED", `there is nothing at ${path}`));
}
