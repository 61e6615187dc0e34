// One request on its way to its answer, and the ways that such an exchange ends.
import type { Message } from "@bufbuild/protobuf";
import { CallError, ConnectionCut, type ServerCall } from "@roundtrip/contract";
import type { Request, Response } from "express";
import { prefersLenient } from "../requests/preference.ts";
import { cutShort, hangUp } from "../../http/http-cut.ts";
import { HttpError } from "../../http/http-error.ts";
import { parsedJson } from "../../http/json-body.ts";
import type { Route } from "./routes.ts";
import { sendError, sendMessage } from "../answers/send.ts";

/** One request on its way: where it goes, what it says and how it is answered. */
export interface Exchange {
  readonly route: Route;
  readonly segments: readonly string[];
  readonly query: string;
  readonly request: Request;
  readonly response: Response;
  readonly call: ServerCall;
}

/** Closes the connection, after the beginning of an answer where there shall be one. */
function cut({ route, segments, response, call }: Exchange, { partOf }: ConnectionCut): void {
  if (partOf !== undefined) {
    cutShort(response);
    try {
      sendMessage(response, call, route, segments, partOf);
      return;
    } catch {
      // Not an answer that could be written: then nothing of it is.
    }
  }
  hangUp(response);
}

/** Answers with an error. */
export function fail(exchange: Exchange, thrown: unknown): void {
  const { route, response, call } = exchange;
  call.finish();
  if (thrown instanceof ConnectionCut) {
    cut(exchange, thrown);
    return;
  }
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
