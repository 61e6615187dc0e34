// One request on its way to its answer, and the ways that such an exchange ends.
import type { Message } from "@bufbuild/protobuf";
import { CallError, type ServerCall } from "@roundtrip/contract";
import type { Request, Response } from "express";
import { prefersLenient } from "../requests/preference.ts";
import { HttpError } from "../../http/http-error.ts";
import { parsedJson } from "../../http/json-body.ts";
import type { Route } from "./routes.ts";
import { sendError } from "../answers/send.ts";

/** One request on its way: where it goes, what it says and how it is answered. */
export interface Exchange {
  readonly route: Route;
  readonly segments: readonly string[];
  readonly query: string;
  readonly request: Request;
  readonly response: Response;
  readonly call: ServerCall;
}

/** Answers with an error. */
export function fail({ route, response, call }: Exchange, thrown: unknown): void {
  call.finish();
  sendError(response, call, thrown instanceof HttpError ? thrown : route.fields.spelled(CallError.from(thrown)));
}

/** Answers later, and gives up when the caller does. */
export function settle(exchange: Exchange, answered: Promise<void>): void {
  const { response, call } = exchange;
  response.once("close", () => {
    if (!response.writableFinished) call.cancel();
  });
  answered.catch((thrown: unknown) => fail(exchange, thrown)).finally(() => call.finish());
}

/** The request message. Throws INVALID_ARGUMENT for what is none. */
export function messageOf({ route, segments, query, request }: Exchange, body: Uint8Array | undefined): Message {
  const json = body === undefined ? undefined : parsedJson(body, route.parse);
  const { prefer } = request.headers;
  return typeof prefer === "string" && prefersLenient(prefer)
    ? route.readLeniently(segments, query, json)
    : route.read(segments, query, json);
}
