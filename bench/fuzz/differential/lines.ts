// The texts of calls and answers: what is compared, and what is printed of a difference.
import { type DescField, type DescMessage, type Message, type Registry, ScalarType } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { type Any, anyUnpack } from "@bufbuild/protobuf/wkt";
import { type Contract, type Metadata, binaryMetadata } from "@roundtrip/contract";
import type { Sample } from "./sample.ts";

/** The lines of these names, or of all. Other metadata that a style adds is ignored. */
export function metadataLines(path: string, metadata: Metadata, names = [...metadata.keys()]): [string, string][] {
  return names.flatMap((name): [string, string][] => {
    const value = metadata.get(name);
    if (value === undefined) return [];
    const shown = name.endsWith("-bin")
      ? `0x${Buffer.from(binaryMetadata.decode(value)).toString("hex")}`
      : JSON.stringify(value);
    return [[`${path}[${name}]`, shown]];
  });
}

/** The lines of a message by position, in the order of its fields or of the keys of a map. */
export type MessageLines = ReadonlyMap<string, string>;

function textOf(value: unknown, scalar: ScalarType | undefined): string {
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString("hex")}`;
  // Makes non-ASCII characters visible in a difference.
  if (scalar === ScalarType.STRING)
    return JSON.stringify(value).replaceAll(/[^ -~]/g, (unit) => `\\u${(unit.codePointAt(0) ?? 0).toString(16)}`);
  return String(value);
}

class Lines {
  readonly lines = new Map<string, string>();
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  #value(path: string, field: DescField, value: unknown): void {
    if (field.message === undefined) this.lines.set(path, textOf(value, field.scalar));
    else this.message(path, value as ReflectMessage);
  }

  message(path: string, reflected: ReflectMessage): void {
    // An empty message differs from an absent one.
    this.lines.set(path, `${reflected.desc.name} {}`);
    if (reflected.desc.typeName === "google.protobuf.Any") {
      const any = reflected.message as Any;
      const desc = any.typeUrl === "" ? undefined : this.#registry.getMessage(any.typeUrl.split("/").at(-1) ?? "");
      const packed = desc === undefined ? undefined : anyUnpack(any, desc);
      if (desc !== undefined && packed !== undefined) {
        this.lines.set(`${path}.@type`, any.typeUrl);
        this.message(`${path}.packed`, reflect(desc, packed));
        return;
      }
    }
    for (const field of reflected.sortedFields) {
      if (!reflected.isSet(field)) continue;
      const inner = `${path}.${field.name}`;
      if (field.fieldKind === "list") {
        for (const [index, item] of [...reflected.get(field)].entries()) {
          this.#value(`${inner}[${index}]`, field, item);
        }
      } else if (field.fieldKind === "map") {
        const entries = [...reflected.get(field)].map(([key, item]) => [textOf(key, field.mapKey), item] as const);
        for (const [key, item] of entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
          this.#value(`${inner}[${key}]`, field, item);
      } else this.#value(inner, field, reflected.get(field));
    }
    const unknown = reflected.getUnknown() ?? [];
    if (unknown.length > 0) this.lines.set(`${path}.(unknown)`, unknown.map(({ no }) => String(no)).join());
  }
}

/** @param name the name of the message in the lines. */
export function messageLines(name: string, desc: DescMessage, message: Message, registry: Registry): MessageLines {
  const lines = new Lines(registry);
  lines.message(name, reflect(desc, message));
  return lines.lines;
}

/** The operation with its HTTP binding, the requests, and the reply of the handler. */
export function shownSample({ operation, requests, metadata, reply }: Sample, { registry }: Contract): string {
  const { id, input, output, kind } = operation;
  const { method, path, body, responseBody } = operation.bindings[0];
  const { reads, answers, error } = reply;
  const lines: [string, string][] = [
    ...metadataLines("metadata", metadata),
    ...requests.flatMap((request, index) => [...messageLines(`request[${index}]`, input, request, registry)]),
    ...metadataLines("reply.metadata", reply.metadata),
    ...answers.flatMap((answer, index) => [...messageLines(`reply[${index}]`, output, answer, registry)]),
  ];
  if (kind === "client_streaming" || kind === "bidi_streaming") lines.push(["reads", String(reads)]);
  if (error !== undefined)
    lines.push(["error", `${error.code} ${JSON.stringify(error.message)} ${JSON.stringify(error.details)}`]);
  return [
    `${id} ${kind} (${method} ${path.source} body: "${body}" response_body: "${responseBody}")`,
    ...lines.map(([name, value]) => `  ${name} = ${value}`),
  ].join("\n");
}
