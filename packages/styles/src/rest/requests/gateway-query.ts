// Reads query parameters as grpc-gateway does: `labels[a]=b`, `since.seconds=5`, `flag=T`. It sets fields of the message by their path, after
// the body: https://github.com/grpc-ecosystem/grpc-gateway/blob/main/runtime/query.go
// Unlike there, a parameter that is no field of the request is refused.
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { CallError, type HttpBinding, type Operation } from "@roundtrip/contract";
import { badField } from "../../shared/proto-json/bad-request.ts";
import { goValue } from "./go-values.ts";
import type { Leniency } from "./leniency.ts";
import { decoded, dotted } from "./url-field.ts";

/** The values of each parameter; a key in brackets is the first. */
function parametersIn(query: string): ReadonlyMap<string, readonly string[]> {
  const parameters = new Map<string, string[]>();
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const mark = pair.indexOf("=");
    const [name, text] = (mark === -1 ? [pair, ""] : [pair.slice(0, mark), pair.slice(mark + 1)]).map((part) =>
      decoded(part.replaceAll("+", " ")),
    ) as [string, string];
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, [text]);
    else values.push(text);
  }
  return parameters;
}

/** A parameter, by the name in errors. */
interface Parameter {
  readonly name: string;
  readonly values: readonly string[];
}

type FieldPath = readonly [DescField, ...DescField[]];

/** The fields along a path of names; undefined if one is unknown. */
function fieldsAt(input: DescMessage, path: string): FieldPath | undefined {
  const fields: DescField[] = [];
  let message: DescMessage | undefined = input;
  for (const part of path.split(".")) {
    const field: DescField | undefined =
      message?.fields.find((each) => each.name === part) ?? message?.fields.find(({ jsonName }) => jsonName === part);
    if (field === undefined) return undefined;
    fields.push(field);
    message = field.fieldKind === "message" ? field.message : undefined;
  }
  return fields as unknown as FieldPath;
}

/** Throws INVALID_ARGUMENT for text that is no value of the field. */
function valueOf(field: Pick<DescField, "enum" | "message" | "scalar">, text: string, name: string): unknown {
  let value: unknown;
  try {
    value = goValue(field, text);
  } catch (cause) {
    throw badField(name, `cannot be ${JSON.stringify(text)}`, { cause });
  }
  if (value === undefined) throw badField(name, `cannot be ${JSON.stringify(text)}`);
  return value;
}

/** Of a oneof, the query may set the same message again, and nothing else. */
function checkOneof(owner: ReflectMessage, field: DescField, name: string): void {
  const set = field.oneof === undefined ? undefined : owner.oneofCase(field.oneof);
  if (set === undefined || (set === field && field.fieldKind === "message")) return;
  throw badField(name, `${set.name} of the oneof ${field.oneof?.name ?? ""} is given already`);
}

function setLast(owner: ReflectMessage, field: DescField, { name, values }: Parameter): void {
  const [first = "", ...others] = values;
  if (field.fieldKind === "list") {
    for (const text of values) owner.get(field).add(valueOf(field, text, name));
  } else if (field.fieldKind === "map") {
    const [text, ...more] = others;
    if (text === undefined || more.length > 0) throw badField(name, "a key of a map has one value: name[key]=value");
    const key = valueOf({ scalar: field.mapKey, enum: undefined, message: undefined }, first, name);
    owner.get(field).set(key, valueOf(field, text, name));
  } else if (others.length > 0) throw badField(name, "given more than once");
  else owner.set(field, valueOf(field, first, name));
}

function setField(owner: ReflectMessage, [field, ...deeper]: FieldPath, of: Parameter): void {
  checkOneof(owner, field, of.name);
  const [next, ...rest] = deeper;
  if (next === undefined || field.fieldKind !== "message") {
    setLast(owner, field, of);
    return;
  }
  const inner = owner.isSet(field) ? owner.get(field) : reflect(field.message);
  setField(inner, [next, ...rest], of);
  owner.set(field, inner);
}

/** Sets the fields that a query names. Throws a CallError INVALID_ARGUMENT that names the parameter. */
export type ReadGatewayQuery = (message: Message, query: string) => void;

export function gatewayQueryReader(
  { input }: Operation,
  { body, path }: HttpBinding,
  { ignoresParameters }: Pick<Leniency, "ignoresParameters">,
): ReadGatewayQuery {
  const inPath = new Set(path.variables.map(({ fieldPath }) => fieldPath.join(".")));
  const fieldsOf = (name: string): FieldPath | undefined => {
    const fields = body === "*" ? undefined : fieldsAt(input, name);
    return fields === undefined || fields[0].name === body || inPath.has(dotted(fields)) ? undefined : fields;
  };
  return (message, query) => {
    const reflected = reflect(input, message);
    for (const [name, values] of parametersIn(query)) {
      const [, map, key] = /^(.*)\[(.*)\]$/s.exec(name) ?? [];
      const fields = fieldsOf(map ?? name);
      if (fields === undefined) {
        if (ignoresParameters) continue;
        throw badField(name, "there is no such query parameter");
      }
      try {
        setField(reflected, fields, { name, values: key === undefined ? values : [key, ...values] });
      } catch (thrown) {
        throw thrown instanceof CallError ? thrown : badField(name, (thrown as Error).message, { cause: thrown });
      }
    }
  };
}
