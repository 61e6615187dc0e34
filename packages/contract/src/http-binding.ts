// An operation's place on HTTP, read from its `google.api.http` option.
import { getOption, hasOption, type DescMethod } from "@bufbuild/protobuf";
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

function bindingOf(rule: HttpRule): HttpBinding {
  const { pattern } = rule;
  if (pattern.case === undefined) throw new Error("google.api.http names no path");
  const [method, path] =
    pattern.case === "custom" ? [pattern.value.kind, pattern.value.path] : [pattern.case, pattern.value];
  return {
    method: method.toUpperCase(),
    path: parsePathTemplate(path),
    body: rule.body,
    responseBody: rule.responseBody,
  };
}

/** The bindings of a method, the main one first. Without annotations: `POST /package.Service/Method` with everything in the body. */
export function httpBindings(method: DescMethod): readonly [HttpBinding, ...HttpBinding[]] {
  if (!hasOption(method, http)) {
    const path = parsePathTemplate(`/${method.parent.typeName}/${method.name}`);
    return [{ method: "POST", path, body: "*", responseBody: "" }];
  }
  const rule = getOption(method, http);
  return [bindingOf(rule), ...rule.additionalBindings.map(bindingOf)];
}
