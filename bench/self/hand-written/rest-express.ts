// The REST server that a specialist would write for hello and customers: Express routes, plain objects, JSON.stringify. It listens like the stack.
// Errors, which are not timed, use the code of the stack.
import express, { type ErrorRequestHandler, type RequestHandler, type Response } from "express";
import { serveHttp } from "@roundtrip/stacks/parts";
import { CallError } from "@roundtrip/contract";
import type { Customer } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import type { IncomingHttpHeaders } from "node:http";
import { deadlineHeader, deadlineOf } from "@roundtrip/styles/http/server";
import { badField, HttpError, problemOf, problemType } from "@roundtrip/styles/rest/server";
import { checkId, customerOf, deadlineExceeded, greetingOf, unknownPaths } from "./customers.ts";
import type { ServeHandWritten } from "./serve.ts";

const attributes = ["id", "name", "address", "vatIdentificationNumber", "mail", "phoneNumber"] as const;

type Attribute = (typeof attributes)[number];
type CustomerJson = Partial<Pick<Customer, Attribute>>;
type Query = Readonly<Record<string, unknown>>;

/** Throws if the caller does not accept JSON, or its deadline has passed. */
function checkHeaders(headers: IncomingHttpHeaders): void {
  const { accept } = headers;
  if (accept !== undefined && accept !== "*/*" && accept !== "application/json" && !accept.includes("json")) {
    throw new HttpError(406, new CallError("INVALID_ARGUMENT", `the answer is application/json, not ${accept}`));
  }
  const timeoutMs = deadlineOf(headers[deadlineHeader]);
  if (timeoutMs !== undefined && timeoutMs <= 0) throw deadlineExceeded();
}

/** The only valid query parameter; undefined without it. Throws INVALID_ARGUMENT. */
function onlyParameter(query: Query, jsonName: string, name: string): string | undefined {
  let found: string | undefined;
  for (const key in query) {
    if (key !== jsonName && key !== name) throw badField(key, "there is no such query parameter");
    const value = query[key];
    if (typeof value !== "string" || found !== undefined) throw badField(jsonName, "given more than once");
    found = value;
  }
  return found;
}

function isAttribute(name: string): boolean {
  return attributes.includes(name as Attribute);
}

/** The attributes in a mask; undefined for all. Throws INVALID_ARGUMENT. */
function maskOf(text: string | undefined): readonly string[] | undefined {
  if (text === undefined || text === "" || text === "*") return undefined;
  const names = text.split(",");
  const unknown = names.filter((name) => !isAttribute(name));
  if (unknown.length > 0) throw unknownPaths("readMask", unknown);
  return names;
}

function masked(customer: CustomerJson, names: readonly string[] | undefined): CustomerJson {
  const json: Record<string, unknown> = {};
  for (const attribute of attributes) {
    if (names === undefined || names.includes(attribute)) json[attribute] = customer[attribute];
  }
  return json;
}

function sayHello(query: Query): object {
  return { message: greetingOf(onlyParameter(query, "name", "name") ?? "") };
}

function getCustomer(text: string, query: Query): object {
  if (!/^-?\d+$/.test(text)) throw badField("id", `cannot be ${JSON.stringify(text)}`);
  const id = Number(text);
  const mask = onlyParameter(query, "readMask", "read_mask");
  checkId(id);
  const names = maskOf(mask);
  return masked(customerOf(id), names);
}

function send(response: Response, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
}

const onHello: RequestHandler = (request, response) => {
  checkHeaders(request.headers);
  send(response, sayHello(request.query));
};

const onCustomer: RequestHandler<{ id: string }> = (request, response) => {
  checkHeaders(request.headers);
  send(response, getCustomer(request.params.id, request.query));
};

// Express recognizes error handlers by their four parameters.
const onError: ErrorRequestHandler = (thrown, _request, response, _next) => {
  const problem =
    thrown instanceof HttpError ? problemOf(thrown.error, thrown.status) : problemOf(CallError.from(thrown));
  const text = JSON.stringify(problem);
  response.writeHead(problem.status, { "content-type": problemType, "content-length": Buffer.byteLength(text) });
  response.end(text);
};

export const serve: ServeHandWritten = (options) => {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.get("/v1/hello", onHello);
  app.get("/v1/customers/:id", onCustomer);
  app.use(onError);
  return serveHttp(app, options);
};
