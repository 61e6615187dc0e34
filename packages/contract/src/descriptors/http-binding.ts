// The HTTP methods and paths of an operation, from its `google.api.http` option.
import { getOption, hasOption, type DescField, type DescMessage, type DescMethod } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { http } from "../gen/google/api/annotations_pb.ts";
import type { HttpRule } from "../gen/google/api/http_pb.ts";
import { parsePathTemplate, type PathTemplate } from "./path-template.ts";
import { optionPosition } from "./source-position.ts";

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

/** A field of the request along a path of names, without entering lists and maps; undefined when there is none. */
function fieldAt(message: DescMessage, [name, ...rest]: readonly string[]): DescField | undefined {
  const field = message.fields.find((candidate) => candidate.name === name);
  if (field === undefined || rest.length === 0) return field;
  return field.fieldKind === "message" ? fieldAt(field.message, rest) : undefined;
}

function fail(why: string): never {
  throw new Error(why);
}

/** Throws an Error if a binding names a field that does not exist. */
function check({ input, output }: DescMethod, { path, body, responseBody }: HttpBinding): void {
  for (const { fieldPath } of path.variables) {
    if (fieldAt(input, fieldPath) === undefined) fail(`${input.name} has no field ${fieldPath.join(".")}`);
  }
  if (body !== "" && body !== "*" && fieldAt(input, body.split(".")) === undefined) {
    fail(`${input.name} has no field ${body}`);
  }
  if (responseBody !== "" && fieldAt(output, [responseBody]) === undefined) {
    fail(`${output.name} has no field ${responseBody}`);
  }
}

/** Why a binding is outside google.api.http, although some gateways serve it; undefined for a valid binding. */
function oddity({ input }: DescMethod, { path, body }: HttpBinding): string | undefined {
  const several = path.variables.find(({ fieldPath }) => {
    const kind = fieldAt(input, fieldPath)?.fieldKind;
    return kind === "list" || kind === "map";
  });
  if (several !== undefined) return `${several.fieldPath.join(".")} is repeated, but a path variable has one value`;
  if (isOneJsonValue(input) && !isWrapperDesc(input) && (body !== "*" || path.variables.length > 0)) {
    return `${input.name} is a single JSON value, so it must be the whole body`;
  }
  return body.includes(".") ? `body ${body} must be a top-level field of the request` : undefined;
}

function bindingOf(rule: HttpRule, descMethod: DescMethod): HttpBinding {
  const { pattern } = rule;
  if (pattern.case === undefined) return fail("names no path");
  const [method, path] =
    pattern.case === "custom" ? [pattern.value.kind, pattern.value.path] : [pattern.case, pattern.value];
  const binding = {
    method: method.toUpperCase(),
    path: parsePathTemplate(path),
    body: rule.body,
    responseBody: rule.responseBody,
  };
  check(descMethod, binding);
  return binding;
}

type Bindings = readonly [HttpBinding, ...HttpBinding[]];

/** The path of a method without an HTTP rule, as in gRPC. */
export function defaultPath({ parent, name }: DescMethod): string {
  return `/${parent.typeName}/${name}`;
}

/** `POST /package.Service/Method` with the whole request in the body. */
function defaultBinding(method: DescMethod): HttpBinding {
  return { method: "POST", path: parsePathTemplate(defaultPath(method)), body: "*", responseBody: "" };
}

/**
 * The bindings that a method declares, the main one first. If none can be served, the default binding. Throws an Error for an invalid annotation.
 */
export function httpBindings(method: DescMethod): Bindings {
  const [first = defaultBinding(method), ...others] = declaredBindings(method).filter(
    (binding) => oddity(method, binding) === undefined,
  );
  return [first, ...others];
}

function declaredBindings(method: DescMethod): readonly HttpBinding[] {
  if (!hasOption(method, http)) return [];
  const rule = getOption(method, http);
  try {
    return [rule, ...rule.additionalBindings].map((one) => bindingOf(one, method));
  } catch (cause) {
    const { parent, name } = method;
    const what = `google.api.http of ${parent.typeName}.${name}: ${(cause as Error).message}`;
    throw new Error(`${optionPosition(method, http.number)}${what}`, { cause });
  }
}

/** The declared bindings of a method that are not supported here, each with the reason. */
export function oddBindings(method: DescMethod): readonly string[] {
  return declaredBindings(method).flatMap((binding) => {
    const why = oddity(method, binding);
    return why === undefined ? [] : [`${binding.method} ${binding.path.source}: ${why}`];
  });
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
 * gets the default binding. Throws an Error for an invalid annotation.
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
