// Writes the selection of all fields of a message. Recursive types that occur several times become fragments.
import type { Choice } from "../schema/choice.ts";
import { keyOf, type Levels, type Position } from "./levels.ts";
import type { Model } from "../schema/model.ts";
import type { Shape } from "../schema/shape.ts";

/** Selected where the depth ends: shows whether the answer has more. */
const thereIsMore = "{ __typename }";

/** The selection of a oneof member, on the type that contains only this member. */
export function inUnion(model: Model, member: Shape, field: string): string {
  return `... on ${model.memberTypeOf(member)} { ${field} }`;
}

interface Fragment {
  readonly name: string;
  readonly text: string;
}

export class SelectionWriter {
  readonly #model: Model;
  readonly #levels: Levels;
  readonly #prefix: string;
  readonly #uses = new Map<string, number>();
  readonly #fragments = new Map<string, Fragment>();

  /** @param prefix makes fragment names unique in a document. */
  constructor(model: Model, levels: Levels, prefix: string) {
    this.#model = model;
    this.#levels = levels;
    this.#prefix = prefix;
  }

  /** Counts the uses of a message before writing: a single use needs no fragment. */
  announce(position: Position | undefined): void {
    if (position === undefined) return;
    if (position.left > 0) {
      const key = keyOf(position);
      const uses = (this.#uses.get(key) ?? 0) + 1;
      this.#uses.set(key, uses);
      if (uses > 1) return;
    }
    for (const shape of this.#model.shapes(position.message)) {
      if (shape.value.kind === "message") this.announce(this.#levels.inside(position, shape.value.message, shape));
    }
  }

  /** All fields of a message, in braces. */
  write(position: Position | undefined): string {
    if (position === undefined) return thereIsMore;
    const key = keyOf(position);
    if ((this.#uses.get(key) ?? 0) < 2) return this.#inBraces(position);
    const fragment = this.#fragments.get(key) ?? this.#fragmentOf(position, key);
    return `{ ...${fragment.name} }`;
  }

  /** The fragment definitions, for the end of the document. */
  get fragments(): string {
    return [...this.#fragments.values()].map(({ text }) => ` ${text}`).join("");
  }

  #fragmentOf(position: Position, key: string): Fragment {
    const type = this.#model.valueTypeOf({ kind: "message", message: position.message }, "output");
    const text = this.#inBraces(position);
    const name = `${this.#prefix}${type}_${this.#fragments.size}`;
    const fragment = { name, text: `fragment ${name} on ${type} ${text}` };
    this.#fragments.set(key, fragment);
    return fragment;
  }

  #inBraces(position: Position): string {
    const parts = this.#model.parts(position.message);
    const words = parts.map((part) => ("members" in part ? this.#choice(position, part) : this.#field(position, part)));
    return `{ ${words.join(" ")} }`;
  }

  #choice(position: Position, { name, members }: Choice): string {
    const words = members.map((member) => inUnion(this.#model, member, this.#field(position, member)));
    return `${name} { ${words.join(" ")} }`;
  }

  #field(position: Position, shape: Shape): string {
    const { name, arrangement, value } = shape;
    if (value.kind !== "message") return arrangement === "map" ? `${name} { key value }` : name;
    const inner = this.write(this.#levels.inside(position, value.message, shape));
    return arrangement === "map" ? `${name} { key value ${inner} }` : `${name} ${inner}`;
  }
}
