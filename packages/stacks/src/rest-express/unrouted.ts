// Answers where the contract has nothing: OPTIONS by itself, pages for people, the rest with 404 or 405.
import { CallError } from "@roundtrip/contract";
import type { Request, Response } from "express";
import { HttpError } from "./http-error.ts";
import type { Route } from "./routes.ts";
import type { Router } from "./router.ts";

function answerMethods(method: string, path: string, methods: readonly string[], response: Response): void {
  const allow = [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])]
    .toSorted()
    .join(", ");
  if (method !== "OPTIONS") {
    throw new HttpError(405, new CallError("UNIMPLEMENTED", `${path} does not answer ${method}, but ${allow}`), allow);
  }
  response.writeHead(204, { allow }).end();
}

/** Answers a path that has no route for its method. Throws an HttpError when there is nothing to answer with. */
export function answerUnrouted(router: Router<Route>, { method }: Request, path: string, response: Response): void {
  const methods = router.methodsOf(path);
  if (methods.length > 0) answerMethods(method, path, methods, response);
  // The server as a whole (RFC 9110, section 9.3.7).
  else if (method === "OPTIONS" && path === "*") response.writeHead(204).end();
  else throw new HttpError(404, new CallError("UNIMPLEMENTED", `there is nothing at ${path}`));
}
