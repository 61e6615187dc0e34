// The text of a selection: all fields of a message, where what a type that holds itself asks for in several places is one fragment.
import type { Choice } from "../schema/choice.ts";
import { keyOf, type Levels, type Place } from "./levels.ts";
import type { Model } from "../schema/model.ts";
import type { Shape } from "../schema/shape.ts";

/** Where a selection is cut off, the answer tells whether anything was. */
const thereIsMore = "{ __typename }";

/** A member of a oneof as it is asked for: in the type that holds it alone. */
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

  /** @param prefix of the fragments' names, which are each other's neighbours in a document. */
  constructor(model: Model, levels: Levels, prefix: string) {
    this.#model = model;
    this.#levels = levels;
    this.#prefix = prefix;
  }

  /** Is told of every message before any is written: what is asked for once needs no fragment. */
  announce(place: Place | undefined): void {
    if (place === undefined) return;
    if (place.left > 0) {
      const key = keyOf(place);
      const uses = (this.#uses.get(key) ?? 0) + 1;
      this.#uses.set(key, uses);
      if (uses > 1) return;
    }
    for (const shape of this.#model.shapes(place.message)) {
      if (shape.value.kind === "message") this.announce(this.#levels.inside(place, shape.value.message, shape));
    }
  }

  /** All fields of a message, in braces. */
  write(place: Place | undefined): string {
    if (place === undefined) return thereIsMore;
    const key = keyOf(place);
    if ((this.#uses.get(key) ?? 0) < 2) return this.#inBraces(place);
    const fragment = this.#fragments.get(key) ?? this.#fragmentOf(place, key);
    return `{ ...${fragment.name} }`;
  }

  /** The definitions that stand behind the operation of a document. */
  get fragments(): string {
    return [...this.#fragments.values()].map(({ text }) => ` ${text}`).join("");
  }

  #fragmentOf(place: Place, key: string): Fragment {
    const type = this.#model.valueTypeOf({ kind: "message", message: place.message }, "output");
    const text = this.#inBraces(place);
    const name = `${this.#prefix}${type}_${this.#fragments.size}`;
    const fragment = { name, text: `fragment ${name} on ${type} ${text}` };
    this.#fragments.set(key, fragment);
    return fragment;
  }

  #inBraces(place: Place): string {
    const parts = this.#model.parts(place.message);
    const words = parts.map((part) => ("members" in part ? this.#choice(place, part) : this.#field(place, part)));
    return `{ ${words.join(" ")} }`;
  }

  #choice(place: Place, { name, members }: Choice): string {
    const words = members.map((member) => inUnion(this.#model, member, this.#field(place, member)));
    return `${name} { ${words.join(" ")} }`;
  }

  #field(place: Place, shape: Shape): string {
    const { name, arrangement, value } = shape;
    if (value.kind !== "message") return arrangement === "map" ? `${name} { key value }` : name;
    const inner = this.write(this.#levels.inside(place, value.message, shape));
    return arrangement === "map" ? `${name} { key value ${inner} }` : `${name} ${inner}`;
  }
}
