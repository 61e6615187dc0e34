// The express handlers beside Apollo Server: request bodies, the explorer page, streams of results, errors.
import type { Service } from "@roundtrip/contract";
import type { ErrorRequestHandler, RequestHandler, Response } from "express";
import type { GraphQLSchema } from "graphql";
import { expressBytes } from "../../../shared/express/express-bytes.ts";
import { bodyReader } from "../../../shared/node-server/read-body.ts";
import { checkJsonType, parsedJson, type WholeAnswer } from "@roundtrip/styles/http/server";
import { jsonReader } from "@roundtrip/styles/server";
import {
  asksForSchema,
  audienceOf,
  checkMayReadSchema,
  errorAnswer,
  type FormatError,
  httpContextOf,
  nothingAt,
  olderStatus,
} from "@roundtrip/styles/graphql/server";

function send(response: Response, { status, headers, body }: WholeAnswer): void {
  response.status(status).set(headers).send(body);
}

/** Reads JSON bodies, and refuses requests for the schema without access. */
export function requestReader(service: Service, maxBytes: number): RequestHandler {
  const readBody = bodyReader(expressBytes(maxBytes), maxBytes);
  const parse = jsonReader(...service.contract.operations.map(({ input }) => input));
  const checkAccess: RequestHandler = async (request, response, next) => {
    try {
      await checkMayReadSchema(service, request, response);
    } catch (thrown) {
      next(thrown);
      return;
    }
    next();
  };
  return (request, response, next) => {
    const pass = (bytes: Uint8Array | undefined): void => {
      try {
        if (bytes !== undefined) checkJsonType(request.headers["content-type"]);
        request.body = bytes === undefined ? undefined : parsedJson(bytes, parse);
      } catch (thrown) {
        next(thrown);
        return;
      }
      if (asksForSchema(request)) void checkAccess(request, response, next);
      else next();
    };
    readBody(request, response, pass, next);
  };
}

/** The page for browsers, which shows the schema. Loaded on first use. */
function pageFor(service: Service): RequestHandler {
  let page: WholeAnswer | undefined;
  return async (request, response, next) => {
    try {
      await checkMayReadSchema(service, request, response);
      page ??= (await import("@roundtrip/styles/graphql/explorer")).explorer(service.contract);
      send(response, page);
    } catch (thrown) {
      next(thrown);
    }
  };
}

/** Answers browsers with a page, and other requests with `program`, which it calls itself because each further handler costs time per call. */
export function byAudience(service: Service, program: RequestHandler): RequestHandler {
  const page = pageFor(service);
  return (request, response, next) => {
    const audience = audienceOf(request);
    if (audience === "people") {
      void page(request, response, next);
      return;
    }
    if (audience === "older") {
      const { send: sendWhole } = response;
      response.send = (body: unknown) => {
        response.statusCode = olderStatus(response.statusCode, body);
        return sendWhole.call(response, body);
      };
    }
    void program(request, response, next);
  };
}

/** Answers requests for a stream of results. Loaded if the contract has a stream. Needs the parsed body. */
export async function eventStreams(schema: GraphQLSchema, format: FormatError): Promise<readonly RequestHandler[]> {
  if ((schema.getSubscriptionType() ?? undefined) === undefined) return [];
  const { asksForEvents, streamedResults, writeEvents } = await import("@roundtrip/styles/graphql/streams");
  const { answer, textOf } = streamedResults(schema, format);
  return [
    async (request, response, next) => {
      if (!asksForEvents(request)) {
        next();
        return;
      }
      const results = await answer(request.body, { http: httpContextOf(request, response) });
      await writeEvents(response, results, textOf);
    },
  ];
}

/** Answers errors that occur before GraphQL execution. */
export const onRefusal: ErrorRequestHandler = (thrown, { headers }, response, next) => {
  if (response.headersSent) next(thrown);
  else send(response, errorAnswer(thrown, headers.accept));
};

export const nothingHere: RequestHandler = ({ path, headers }, response) =>
  send(response, nothingAt(path, headers.accept));
