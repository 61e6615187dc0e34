// Elements as a tree, for faults, whose form depends on the server.
import type { SaxesTagNS } from "saxes";
import type { Frame } from "./read-xml.ts";

export interface ElementTree {
  readonly local: string;
  readonly uri: string;
  readonly text: string;
  readonly children: readonly ElementTree[];
}

export class TreeFrame implements Frame {
  readonly step = "";
  readonly #local: string;
  readonly #uri: string;
  readonly #children: ElementTree[] = [];
  #text = "";

  constructor({ local, uri }: SaxesTagNS) {
    this.#local = local;
    this.#uri = uri;
  }

  open(tag: SaxesTagNS): Frame {
    return new TreeFrame(tag);
  }

  text(text: string): void {
    this.#text += text;
  }

  close(): ElementTree {
    return { local: this.#local, uri: this.#uri, text: this.#text, children: this.#children };
  }

  closed(value: unknown): void {
    this.#children.push(value as ElementTree);
  }
}

/** The first child of this name. */
export function childNamed(tree: ElementTree | undefined, name: string): ElementTree | undefined {
  return tree?.children.find(({ local }) => local === name);
}

/** The text of the first child of this name; empty without one. */
export function textOf(tree: ElementTree | undefined, name: string): string {
  return childNamed(tree, name)?.text ?? "";
}
