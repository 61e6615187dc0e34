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

/**
 * The bindings of a method, the main one first. Without annotations: `POST /package.Service/Method` with everything in the body.
 * Throws an Error that says what is wrong with an annotation.
 */
export function httpBindings(method: DescMethod): readonly [HttpBinding, ...HttpBinding[]] {
  if (!hasOption(method, http)) {
    const path = parsePathTemplate(`/${method.parent.typeName}/${method.name}`);
    return [{ method: "POST", path, body: "*", responseBody: "" }];
  }
  const rule = getOption(method, http);
  return [bindingOf(rule, method), ...rule.additionalBindings.map((additional) => bindingOf(additional, method))];
}
