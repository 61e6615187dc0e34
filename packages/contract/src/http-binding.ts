// An operation's place on HTTP, read from its `google.api.http` option.
import { getOption, hasOption, type DescField, type DescMessage, type DescMethod } from "@bufbuild/protobuf";
import { http } from "./gen/google/api/annotations_pb.ts";
import type { HttpRule } from "./gen/google/api/http_pb.ts";
import { parsePathTemplate, type PathTemplate } from "./path-template.ts";

/** One verb and path that reach an operation. */
export interface HttpBinding {
  /** The HTTP method in capitals. */
  readonly method: string;
  readonly path: PathTemplate;
  /** The request field that travels as body, `*` for all that the path does not take, empty for no body. */
  readonly body: string;
  /** The response field that travels as body; empty for the whole response. */
  readonly responseBody: string;
}

/** A field of the request along a path of names, without entering lists and maps; undefined when there is none. */
function fieldAt(message: DescMessage, [name, ...rest]: readonly string[]): DescField | undefined {
  const field = message.fields.find((candidate) => candidate.name === name);
  if (field === undefined || rest.length === 0) return field;
  return field.fieldKind === "message" ? fieldAt(field.message, rest) : undefined;
}

/** Throws an Error that names the method, when a binding speaks of fields that are not there. */
function check({ parent, name, input, output }: DescMethod, { path, body, responseBody }: HttpBinding): void {
  const fail = (why: string): never => {
    throw new Error(`google.api.http of ${parent.typeName}.${name}: ${why}`);
  };
  for (const { fieldPath } of path.variables) {
    const field = fieldAt(input, fieldPath) ?? fail(`${input.name} has no field ${fieldPath.join(".")}`);
    if (field.fieldKind === "list" || field.fieldKind === "map") fail(`${fieldPath.join(".")} is more than one value`);
  }
  if (body !== "" && body !== "*" && fieldAt(input, [body]) === undefined) fail(`${input.name} has no field ${body}`);
  if (responseBody !== "" && fieldAt(output, [responseBody]) === undefined) {
    fail(`${output.name} has no field ${responseBody}`);
  }
}

function bindingOf(rule: HttpRule, descMethod: DescMethod): HttpBinding {
  const { pattern } = rule;
  if (pattern.case === undefined) {
    throw new Error(`google.api.http of ${descMethod.parent.typeName}.${descMethod.name}: names no path`);
  }
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

/** `POST /package.Service/Method` with everything in the body, as gRPC itself has it. */
function defaultBinding({ parent, name }: DescMethod): HttpBinding {
  return { method: "POST", path: parsePathTemplate(`/${parent.typeName}/${name}`), body: "*", responseBody: "" };
}

/**
 * The bindings that a method declares, the main one first; the default one without annotations. Throws an Error that says what is wrong with an
 * annotation.
 */
export function httpBindings(method: DescMethod): Bindings {
  if (!hasOption(method, http)) return [defaultBinding(method)];
  const rule = getOption(method, http);
  return [bindingOf(rule, method), ...rule.additionalBindings.map((additional) => bindingOf(additional, method))];
}

/** What two bindings share that nothing can tell apart: the method and the path, whatever its variables are called. */
export function placeOf({ method, path }: HttpBinding): string {
  const segments = path.segments.map((segment) => {
    if (segment.kind === "literal") return segment.text;
    return segment.kind === "one" ? "*" : "**";
  });
  return `${method} /${segments.join("/")}${path.verb === "" ? "" : `:${path.verb}`}`;
}

/**
 * The bindings of a contract's methods, each place given to the first that declares it. A method that is left without any has the default one.
 * Throws an Error that says what is wrong with an annotation.
 */
export function distinctBindings(methods: readonly DescMethod[]): (method: DescMethod) => Bindings {
  const taken = new Set<string>();
  const byMethod = new Map<DescMethod, Bindings>();
  for (const method of methods) {
    const own = httpBindings(method).filter((binding) => {
      const place = placeOf(binding);
      return taken.has(place) ? false : taken.add(place);
    });
    const [first = defaultBinding(method), ...others] = own;
    byMethod.set(method, [first, ...others]);
  }
  return (method) => byMethod.get(method) ?? httpBindings(method);
}
