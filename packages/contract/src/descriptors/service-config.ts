// A service configuration (google.api.Service): HTTP rules for methods in a file next to the .proto files.
import { isObject } from "../basics/values.ts";
import { clone, create, fromJson, setExtension, type JsonValue } from "@bufbuild/protobuf";
import {
  FileDescriptorSetSchema,
  MethodOptionsSchema,
  type FileDescriptorSet,
  type MethodDescriptorProto,
} from "@bufbuild/protobuf/wkt";
import { http } from "../gen/google/api/annotations_pb.ts";
import { HttpRuleSchema, type HttpRule } from "../gen/google/api/http_pb.ts";
import { suggestion } from "../basics/text.ts";

/** The parts of a service configuration that affect how a contract is served. */
export interface ServiceConfig {
  /** In file order. The last rule for a method wins, and every rule wins over the method's own option. */
  readonly rules: readonly HttpRule[];
  /** Full names of the API's services, including mixins. */
  readonly apis: readonly string[];
}

export function isServiceConfig(document: JsonValue): boolean {
  return isObject(document) && document["type"] === "google.api.Service";
}

function ruleFrom(value: JsonValue, index: number): HttpRule {
  try {
    return fromJson(HttpRuleSchema, value);
  } catch (cause) {
    throw new Error(`http.rules[${index}]: ${(cause as Error).message}`, { cause });
  }
}

/** Reads a service configuration and ignores its other parts (quotas, documentation, …). Throws an Error for an invalid one. */
export function serviceConfigFrom(document: JsonValue): ServiceConfig {
  if (!isObject(document)) throw new Error("a google.api.Service must be an object");
  const section = document["http"] ?? {};
  const rules = isObject(section) ? (section["rules"] ?? []) : undefined;
  if (!Array.isArray(rules)) throw new Error("http.rules must be a list of google.api.HttpRule");
  const apis = document["apis"] ?? [];
  if (!Array.isArray(apis)) throw new Error("apis must be a list of objects with a name");
  const names = apis.flatMap((api) => (isObject(api) && typeof api["name"] === "string" ? [api["name"]] : []));
  return { rules: rules.map(ruleFrom), apis: names };
}

function methodsOf(set: FileDescriptorSet): ReadonlyMap<string, MethodDescriptorProto> {
  const methods = new Map<string, MethodDescriptorProto>();
  for (const file of set.file) {
    const prefix = file.package === "" ? "" : `${file.package}.`;
    for (const service of file.service) {
      for (const method of service.method) methods.set(`${prefix}${service.name}.${method.name}`, method);
    }
  }
  return methods;
}

/**
 * Sets the `google.api.http` options of a contract's methods from a service configuration. Throws an Error for a rule of an unknown method.
 * @param isMeant false if the user did not name the configuration: rules for other services are then ignored. Rules for services in its
 * list of APIs are ignored in any case, because they are mixins that the contract does not declare.
 */
export function withHttpRules(
  set: FileDescriptorSet,
  { rules, apis }: ServiceConfig,
  isMeant: boolean,
): FileDescriptorSet {
  const result = clone(FileDescriptorSetSchema, set);
  const methods = methodsOf(result);
  const services = new Set([...methods.keys()].map((id) => id.slice(0, id.lastIndexOf("."))));
  for (const rule of rules) {
    // A rule that only selects a method gives it no path; gateways skip it.
    if (rule.pattern.case === undefined && rule.additionalBindings.length === 0) continue;
    const method = methods.get(rule.selector);
    if (method === undefined) {
      const service = rule.selector.slice(0, rule.selector.lastIndexOf("."));
      if (!services.has(service) && (!isMeant || apis.includes(service))) continue;
      const hint = suggestion(rule.selector, [...methods.keys()]);
      throw new Error(`a rule selects "${rule.selector}", which is not a method of the contract${hint}`);
    }
    method.options ??= create(MethodOptionsSchema);
    setExtension(method.options, http, rule);
  }
  return result;
}
