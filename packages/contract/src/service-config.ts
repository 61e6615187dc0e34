// A service configuration (google.api.Service): HTTP rules for methods that stand in a file of their own, beside the .proto files.
import { clone, create, fromJson, setExtension, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import {
  FileDescriptorSetSchema,
  MethodOptionsSchema,
  type FileDescriptorSet,
  type MethodDescriptorProto,
} from "@bufbuild/protobuf/wkt";
import { http } from "./gen/google/api/annotations_pb.ts";
import { HttpRuleSchema, type HttpRule } from "./gen/google/api/http_pb.ts";
import { suggestion } from "./nearest-name.ts";

/** What of a service configuration says how a contract is served. */
export interface ServiceConfig {
  /** In their order; of several for one method the last one wins, and all win over what the method's own options say. */
  readonly rules: readonly HttpRule[];
  /** Full names of the services that the API has, mixins among them. */
  readonly apis: readonly string[];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for a document that calls itself a service configuration. */
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

/** Reads a service configuration. Its other parts (quotas, documentation, …) are left alone. Throws an Error that says what is wrong. */
export function serviceConfigFrom(document: JsonValue): ServiceConfig {
  if (!isObject(document)) throw new Error("it is no google.api.Service: that is an object");
  const section = document["http"] ?? {};
  const rules = isObject(section) ? (section["rules"] ?? []) : undefined;
  if (!Array.isArray(rules)) throw new Error("http.rules has to be a list of google.api.HttpRule");
  const apis = document["apis"] ?? [];
  if (!Array.isArray(apis)) throw new Error("apis has to be a list of objects with a name");
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
 * The contract with the rules of a service configuration as its methods' `google.api.http` options. Throws an Error for a rule whose method is
 * not there.
 * @param isMeant false where the configuration was merely found: it may then have rules for other services. Those for services that it lists
 * among its APIs are left out in any case: they are mixins that the contract does not declare.
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
    const method = methods.get(rule.selector);
    if (method === undefined) {
      const service = rule.selector.slice(0, rule.selector.lastIndexOf("."));
      if (!services.has(service) && (!isMeant || apis.includes(service))) continue;
      const hint = suggestion(rule.selector, [...methods.keys()]);
      throw new Error(`a rule selects "${rule.selector}", which is no method of the contract${hint}`);
    }
    method.options ??= create(MethodOptionsSchema);
    setExtension(method.options, http, rule);
  }
  return result;
}
