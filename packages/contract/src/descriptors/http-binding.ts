// The HTTP methods and paths of an operation, from its `google.api.http` option.
import { getOption, hasOption, type DescField, type DescMessage, type DescMethod } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { http } from "../gen/google/api/annotations_pb.ts";
import type { HttpRule } from "../gen/google/api/http_pb.ts";
import { parsePathTemplate, type PathTemplate } from "./path-template.ts";

const valueTypes: ReadonlySet<string> = new Set([
  "google.protobuf.Duration",
  "google.protobuf.FieldMask",
  "google.protobuf.ListValue",
  "google.protobuf.Timestamp",
  "google.protobuf.Value",
]);

/** True for a message whose ProtoJSON is a string, a number, a list or any value. */
export function isOneJsonValue(message: DescMessage): boolean {
  return isWrapperDesc(message) || valueTypes.has(message.typeName);
}

/** One HTTP method and path of an operation. */
export interface HttpBinding {
  /** The HTTP method in capitals. */
  readonly method: string;
  readonly path: PathTemplate;
  /** The request field that is the body, `*` for all fields that are not in the path, empty for no body. */
  readonly body: string;
  /** The response field that is the body; empty for the whole response. */
  readonly responseBody: string;
}

/** Messages whose ProtoJSON is one string, so that a path can spell them. */
const textTypes: ReadonlySet<string> = new Set([
  "google.protobuf.Duration",
  "google.protobuf.FieldMask",
  "google.protobuf.Timestamp",
]);

/** Messages whose ProtoJSON is an object, though not of their fields. */
const objectTypes: ReadonlySet<string> = new Set(["google.protobuf.Any", "google.protobuf.Struct"]);

/** True for a message whose ProtoJSON is not an object of its fields. */
export function hasOwnJson(message: DescMessage): boolean {
  return isOneJsonValue(message) || objectTypes.has(message.typeName);
}

/** Whether a URL cannot have a field: maps, lists of messages, and messages of arbitrary JSON. */
export function isBeyondUrls({ fieldKind, message }: DescField): boolean {
  if (fieldKind === "map") return true;
  if (message === undefined || isWrapperDesc(message) || textTypes.has(message.typeName)) return false;
  return fieldKind === "list" || hasOwnJson(message);
}

/** True for `google.api.HttpBody`: raw bytes with a content type. */
export function isHttpBody(message: DescMessage | undefined): boolean {
  return message?.typeName === "google.api.HttpBody";
}

function fieldNamed(message: DescMessage, name: string): DescField | undefined {
  return message.fields.find((field) => field.name === name);
}

/** Why no path can spell a field; undefined if one can. */
function unspellable(field: DescField, name: string): string | undefined {
  if (field.fieldKind === "list") return `${name} is repeated, but a path variable has one value`;
  if (field.fieldKind === "map") return `${name} is a map, but a path variable has one value`;
  if (field.fieldKind !== "message" || isWrapperDesc(field.message) || textTypes.has(field.message.typeName))
    return undefined;
  return `${name} is a ${field.message.typeName}, which a path cannot spell`;
}

/** The fields along a path variable. Throws an Error if a path cannot spell its value. */
function fieldsOf(input: DescMessage, fieldPath: readonly string[]): readonly DescField[] {
  const name = fieldPath.join(".");
  const fields: DescField[] = [];
  let message: DescMessage | undefined = input;
  for (const [index, part] of fieldPath.entries()) {
    const field: DescField | undefined = message === undefined ? undefined : fieldNamed(message, part);
    if (field === undefined) return fail(`${input.name} has no field ${name}`);
    fields.push(field);
    const isLast = index === fieldPath.length - 1;
    const before = fieldPath.slice(0, index + 1).join(".");
    if (!isLast && field.message !== undefined && hasOwnJson(field.message))
      return fail(`${before} is a ${field.message.typeName}, whose fields have no names in JSON`);
    const why = isLast || field.fieldKind !== "message" ? unspellable(field, before) : undefined;
    if (why !== undefined) return fail(why);
    message = field.message;
  }
  return fields;
}

/** Throws an Error if two variables set different members of a oneof. */
function checkOneofs(variables: readonly (readonly DescField[])[]): void {
  const members = new Map<string, DescField>();
  for (const fields of variables) {
    for (const [index, field] of fields.entries()) {
      if (field.oneof === undefined) continue;
      const above = fields.slice(0, index).map(({ name }) => name);
      const oneof = [...above, field.oneof.name].join(".");
      const other = members.get(oneof) ?? field;
      if (other !== field)
        fail(`${other.name} and ${field.name} are members of the oneof ${oneof}, which has one value`);
      members.set(oneof, field);
    }
  }
}

function fail(why: string): never {
  throw new Error(why);
}

/** RFC 9110, section 5.6.2. */
const token = /^[\w!#$%&'*+.^`|~-]+$/;

/** The methods that google.api.http names, and any method. */
const usualMethods: ReadonlySet<string> = new Set(["GET", "PUT", "POST", "DELETE", "PATCH", "*"]);

/** Whether servers of Node.js receive the method. Loads Node.js's HTTP only for unusual ones. */
function isReceived(method: string): boolean {
  return usualMethods.has(method) || process.getBuiltinModule("node:http").METHODS.includes(method);
}

/** Throws an Error if no server can be called with the method. */
function checkMethod(method: string, { methodKind }: DescMethod): void {
  if (!token.test(method)) fail(`${JSON.stringify(method)} is not an HTTP method`);
  if (method === "CONNECT") fail("a request with the HTTP method CONNECT has no path");
  if (!isReceived(method)) fail(`servers of Node.js refuse the HTTP method ${method}`);
  if (method === "HEAD" && methodKind !== "unary") fail("an answer to HEAD has no body, so it cannot carry a stream");
}

/** Throws an Error if a binding cannot be served. */
function check(descMethod: DescMethod, { method, path, body, responseBody }: HttpBinding): void {
  const { input, output } = descMethod;
  checkMethod(method, descMethod);
  checkOneofs(path.variables.map(({ fieldPath }) => fieldsOf(input, fieldPath)));
  // RFC 9110, section 9.3.8.
  if (method === "TRACE" && body !== "") fail("a request with TRACE has no body");
  const isWhole = (isOneJsonValue(input) && !isWrapperDesc(input)) || objectTypes.has(input.typeName);
  if (isWhole && (body !== "*" || path.variables.length > 0)) {
    fail(`${input.name} has no field names in JSON, so it must be the whole body`);
  }
  if (isHttpBody(input) && body === "*" && path.variables.length > 0) {
    fail(`${input.name} is the whole body, so none of its fields can be in the path`);
  }
  if (isHttpBody(fieldNamed(input, body)?.message) && path.variables.some(({ fieldPath: [first] }) => first === body)) {
    fail(`${body} is the whole body, so none of its fields can be in the path`);
  }
  if (body.includes(".")) fail(`body ${body} must be a top-level field of the request`);
  if (body !== "" && body !== "*" && fieldNamed(input, body) === undefined) fail(`${input.name} has no field ${body}`);
  if (responseBody !== "" && fieldNamed(output, responseBody) === undefined) {
    fail(`${output.name} has no field ${responseBody}`);
  }
}

type Pattern = Exclude<HttpRule["pattern"], { case: undefined }>;

function methodAndPath(pattern: Pattern): readonly [method: string, path: string] {
  if (pattern.case === "custom") return [pattern.value.kind.toUpperCase(), pattern.value.path];
  return [pattern.case.toUpperCase(), pattern.value];
}

/** A rule as its author wrote it: `GET /v1/{id}`. */
function textOf({ pattern }: HttpRule): string {
  if (pattern.case === undefined) return "google.api.http";
  const [method, path] = methodAndPath(pattern);
  return `${method} ${path}`;
}

/** Throws an Error if the rule cannot be served. */
function bindingOf(rule: HttpRule, descMethod: DescMethod): HttpBinding {
  const { pattern } = rule;
  if (pattern.case === undefined) return fail("names no path");
  const [method, path] = methodAndPath(pattern);
  const binding = {
    method,
    path: parsePathTemplate(path),
    body: rule.body,
    responseBody: rule.responseBody,
  };
  check(descMethod, binding);
  return binding;
}

type Bindings = readonly [HttpBinding, ...HttpBinding[]];

/** The path of a method without an HTTP rule, as in gRPC. */
export function methodPath({ parent, name }: DescMethod): string {
  return `/${parent.typeName}/${name}`;
}

/** `POST /package.Service/Method` with the whole request in the body. */
function defaultBinding(method: DescMethod): HttpBinding {
  return { method: "POST", path: parsePathTemplate(methodPath(method)), body: "*", responseBody: "" };
}

interface DeclaredBindings {
  readonly bindings: readonly HttpBinding[];
  readonly ignored: readonly string[];
}

function rulesBelow({ additionalBindings }: HttpRule): readonly HttpRule[] {
  return additionalBindings.flatMap((rule) => [rule, ...rulesBelow(rule)]);
}

function declaredBindings(method: DescMethod): DeclaredBindings {
  const bindings: HttpBinding[] = [];
  const ignored: string[] = [];
  if (!hasOption(method, http)) return { bindings, ignored };
  const rule = getOption(method, http);
  const servable: ReadonlySet<HttpRule> = new Set([rule, ...rule.additionalBindings]);
  for (const each of [rule, ...rulesBelow(rule)]) {
    try {
      if (!servable.has(each)) fail("an additional binding has no additional bindings of its own");
      bindings.push(bindingOf(each, method));
    } catch (thrown) {
      ignored.push(`${textOf(each)}: this rule is ignored: ${(thrown as Error).message}`);
    }
  }
  return { bindings, ignored };
}

/** The bindings that a method declares and that can be served, the main one first. If there is none, the default binding. */
export function httpBindings(method: DescMethod): Bindings {
  const [first = defaultBinding(method), ...others] = declaredBindings(method).bindings;
  return [first, ...others];
}

/** The declared bindings of a method that cannot be served and are ignored, each with the reason. */
export function ignoredBindings(method: DescMethod): readonly string[] {
  return declaredBindings(method).ignored;
}

/** The HTTP method and path without the names of variables: bindings of one key are indistinguishable. */
export function routeKey({ method, path }: HttpBinding): string {
  const segments = path.segments.map((segment) => {
    if (segment.kind === "literal") return segment.text;
    return segment.kind === "one" ? "*" : "**";
  });
  return `${method} /${segments.join("/")}${path.verb === "" ? "" : `:${path.verb}`}`;
}

/**
 * The bindings of a contract's methods. Of several methods with the same route, the first one gets it. A method without a route of its own
 * gets the default binding.
 */
export function distinctBindings(methods: readonly DescMethod[]): (method: DescMethod) => Bindings {
  const taken = new Set<string>();
  const byMethod = new Map<DescMethod, Bindings>();
  for (const method of methods) {
    const own = httpBindings(method).filter((binding) => {
      const key = routeKey(binding);
      return taken.has(key) ? false : taken.add(key);
    });
    const [first = defaultBinding(method), ...others] = own;
    byMethod.set(method, [first, ...others]);
  }
  return (method) => byMethod.get(method) ?? httpBindings(method);
}
