// A message as lines `place = value`, so that two can be compared to the last bit: −0 is not 0, NaN is NaN, absent is not empty.
import { ScalarType, type DescField, type DescMessage, type Message, type Registry } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { anyUnpack, type Any } from "@bufbuild/protobuf/wkt";

/** The lines of a message by place, in the order of its fields; of a map, in the order of its keys. */
export type MessageLines = ReadonlyMap<string, string>;

function textOf(value: unknown, scalar: ScalarType | undefined): string {
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString("hex")}`;
  // Whoever reads a difference wants to see what is not ASCII.
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

  #one(place: string, field: DescField, value: unknown): void {
    if (field.message === undefined) this.lines.set(place, textOf(value, field.scalar));
    else this.message(place, value as ReflectMessage);
  }

  message(place: string, reflected: ReflectMessage): void {
    // An empty message differs from an absent one.
    this.lines.set(place, `${reflected.desc.name} {}`);
    if (reflected.desc.typeName === "google.protobuf.Any") {
      const any = reflected.message as Any;
      const desc = any.typeUrl === "" ? undefined : this.#registry.getMessage(any.typeUrl.split("/").at(-1) ?? "");
      const packed = desc === undefined ? undefined : anyUnpack(any, desc);
      if (desc !== undefined && packed !== undefined) {
        this.lines.set(`${place}.@type`, any.typeUrl);
        this.message(`${place}.packed`, reflect(desc, packed));
        return;
      }
    }
    for (const field of reflected.sortedFields) {
      if (!reflected.isSet(field)) continue;
      const inner = `${place}.${field.name}`;
      if (field.fieldKind === "list") {
        for (const [index, item] of [...reflected.get(field)].entries()) {
          this.#one(`${inner}[${index}]`, field, item);
        }
      } else if (field.fieldKind === "map") {
        const entries = [...reflected.get(field)].map(([key, item]) => [textOf(key, field.mapKey), item] as const);
        for (const [key, item] of entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
          this.#one(`${inner}[${key}]`, field, item);
      } else this.#one(inner, field, reflected.get(field));
    }
    const unknown = reflected.getUnknown() ?? [];
    if (unknown.length > 0) this.lines.set(`${place}.(unknown)`, unknown.map(({ no }) => String(no)).join());
  }
}

/** @param name what the message is called in the lines. */
export function messageLines(name: string, desc: DescMessage, message: Message, registry: Registry): MessageLines {
  const lines = new Lines(registry);
  lines.message(name, reflect(desc, message));
  return lines.lines;
}
