// The selection of a client: the fields of a read mask, or all fields.
import type { DescMessage } from "@bufbuild/protobuf";
import { CallError, memoize } from "@roundtrip/contract";
import { clientSelections, clientTokens, maxDepth, maxSelections } from "./document-limits.ts";
import { type Levels, levelsOf, maskTree, type MaskTree, type Position, stepsTo } from "./levels.ts";
import { fieldName } from "../schema/field-name.ts";
import type { Model } from "../schema/model.ts";
import type { Shape } from "../schema/shape.ts";
import type { Choice, Part } from "../values/convert.ts";

// Writes the selection of all fields of a message. Recursive types that occur several times become fragments.

/** Selected where the depth ends: shows whether the answer has more. */
const thereIsMore = "{ __typename }";

/** The selection of a oneof member, on the type that contains only this member. */
function inUnion(model: Model, member: Shape, field: string): string {
  return `... on ${model.memberTypeOf(member)} { ${field} }`;
}

interface Fragment {
  readonly name: string;
  readonly text: string;
}

/** The tokens of `... on Type { }` around a member's field, of `name { }` around members, of `name { key value }` and of {@link thereIsMore}. */
const [memberTokens, choiceTokens, mapTokens, endTokens] = [5, 3, 5, 3];

/** The tokens of `{ ...name }`, and of `fragment name on Type`. */
const [spreadTokens, fragmentTokens] = [4, 4];

function fieldTokens({ arrangement }: Shape): number {
  return arrangement === "map" ? mapTokens : 1;
}

function partTokens(part: Part): number {
  if (!("members" in part)) return fieldTokens(part);
  return part.members.reduce((sum, member) => sum + memberTokens + fieldTokens(member), choiceTokens);
}

/** The tokens of a message's fields in braces, without what the fields contain. */
const bodyTokens = memoize((model: Model) =>
  memoize((message: DescMessage) => model.parts(message).reduce((sum, part) => sum + partTokens(part), 2)),
);

/** A field with its selection that is no part of a message, such as an edge: selected wherever fields of that message are. */
export interface AlsoSelected {
  readonly on: DescMessage;
  readonly text: string;
}

function alsoOn(message: DescMessage, also: AlsoSelected | undefined): readonly string[] {
  return also?.on === message ? [also.text] : [];
}

export class SelectionWriter {
  readonly #model: Model;
  readonly #levels: Levels;
  readonly #prefix: string;
  readonly #also: AlsoSelected | undefined;
  readonly #bodyTokens: (message: DescMessage) => number;
  readonly #uses = new Map<Position, number>();
  readonly #fragments = new Map<Position, Fragment>();

  /** @param prefix makes fragment names unique in a document. */
  constructor(model: Model, levels: Levels, prefix: string, also?: AlsoSelected) {
    this.#model = model;
    this.#levels = levels;
    this.#prefix = prefix;
    this.#also = also;
    this.#bodyTokens = bodyTokens(model);
  }

  /** The number of tokens that the announced positions take. */
  tokens = 0;

  /**
   * Counts the uses of a message before writing: a single use needs no fragment.
   * @param most tokens; further ones are not counted.
   */
  announce(position: Position | undefined, most: number): void {
    if (this.tokens > most) return;
    if (position === undefined) {
      this.tokens += endTokens;
      return;
    }
    if (position.left > 0) {
      const uses = (this.#uses.get(position) ?? 0) + 1;
      this.#uses.set(position, uses);
      if (uses > 1) {
        this.tokens += uses === 2 ? fragmentTokens + 2 * spreadTokens : spreadTokens;
        return;
      }
    }
    this.tokens += this.#bodyTokens(position.message);
    for (const content of this.#levels.contentsOf(position)) this.announce(content.position, most);
  }

  /** All fields of a message, in braces. */
  write(position: Position | undefined): string {
    if (position === undefined) return thereIsMore;
    if ((this.#uses.get(position) ?? 0) < 2) return this.#inBraces(position);
    const fragment = this.#fragments.get(position) ?? this.#fragmentOf(position);
    return `{ ...${fragment.name} }`;
  }

  /** The fragment definitions, for the end of the document. */
  get fragments(): string {
    return [...this.#fragments.values()].map(({ text }) => ` ${text}`).join("");
  }

  #fragmentOf(position: Position): Fragment {
    const type = this.#model.valueTypeOf({ kind: "message", message: position.message }, "output");
    const text = this.#inBraces(position);
    const name = `${this.#prefix}${type}_${this.#fragments.size}`;
    const fragment = { name, text: `fragment ${name} on ${type} ${text}` };
    this.#fragments.set(position, fragment);
    return fragment;
  }

  #inBraces(position: Position): string {
    const parts = this.#model.parts(position.message);
    const words = parts.map((part) => ("members" in part ? this.#choice(position, part) : this.#field(position, part)));
    return `{ ${[...words, ...alsoOn(position.message, this.#also)].join(" ")} }`;
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

export interface Wanted {
  readonly message: DescMessage;
  /** Read mask paths; empty or `*` alone selects all fields. */
  readonly paths: readonly string[];
  readonly maskName: string;
  /** Makes names unique among the calls of a document. */
  readonly prefix: string;
  /** The number of calls in the document, which share its limits. */
  readonly calls: number;
  readonly also?: AlsoSelected;
}

export interface Selection {
  /** With braces. */
  readonly text: string;
  /** Fragment definitions with a leading space, or empty. */
  readonly fragments: string;
  readonly tree: MaskTree | "all";
  /** How deeply it selects recursive types. */
  readonly levels: Levels;
}

/** The depth below the root field. */
export const answerDepth = maxDepth - 1;

function noField(message: DescMessage, path: string, maskName: string): CallError {
  const description = `${message.name} has no field "${path}"`;
  return new CallError("INVALID_ARGUMENT", `${maskName}: ${description}`, {
    violations: [{ field: maskName, description, reason: "field_mask" }],
  });
}

/** Writes all fields of a message, with this depth left. */
type WriteAll = (message: DescMessage, depthLeft: number) => string;

interface Masked {
  readonly model: Model;
  readonly writeAll: WriteAll;
  readonly fail: (path: string) => CallError;
  readonly also: AlsoSelected | undefined;
}

function selectTree(
  message: DescMessage,
  tree: MaskTree,
  depthLeft: number,
  { model, writeAll, fail, also }: Masked,
): string {
  const select = ([name, inside]: readonly [string, MaskTree | "all"], shape: Shape): string => {
    const { value, arrangement } = shape;
    if (inside !== "all" && (value.kind !== "message" || arrangement === "map")) throw fail(name);
    const left = depthLeft - stepsTo(shape);
    if (arrangement === "map") {
      return `${shape.name} { key value ${value.kind === "message" ? writeAll(value.message, left) : ""} }`;
    }
    if (value.kind !== "message") return shape.name;
    if (inside === "all") return `${shape.name} ${writeAll(value.message, left)}`;
    const failInside = (path: string): CallError => fail(`${name}.${path}`);
    return `${shape.name} ${selectTree(value.message, inside, left, { model, writeAll, fail: failInside, also })}`;
  };
  const words = [...tree].map((entry) => {
    const shape = model.shapes(message).find(({ field }) => field.name === entry[0]);
    if (shape === undefined) throw fail(entry[0]);
    const field = select(entry, shape);
    const { oneof } = shape.field;
    return oneof === undefined ? field : `${fieldName(oneof)} { ${inUnion(model, shape, field)} }`;
  });
  return `{ ${[...words, ...alsoOn(message, also)].join(" ")} }`;
}

/** The number of tokens: names, spreads and punctuation, as the server's parser counts them. */
function tokensIn(text: string): number {
  return text.match(/\w+|\.\.\.|[{}]/g)?.length ?? 0;
}

/**
 * The most nesting of one cycle for which a document has at most so many fields; at least 1. Grows from below: with many types in a cycle, the number
 * of fields multiplies at each level, and so does the time to count them.
 */
function deepest(selectionsAt: (perCycle: number) => number, most: number): number {
  let before = selectionsAt(1);
  for (let perCycle = 2; perCycle <= maxDepth; perCycle += 1) {
    const selections = selectionsAt(perCycle);
    if (selections > most) return perCycle - 1;
    // All cycles are as deep as they get.
    if (selections === before) return selectionsAt(maxDepth) > most ? perCycle : maxDepth;
    before = selections;
  }
  return maxDepth;
}

/** A selection without its text, which takes longer to write than to measure. */
interface Measured extends Pick<Selection, "tree" | "levels"> {
  readonly writer: SelectionWriter;
  /** Writes the masked fields around messages that are selected as a whole. */
  readonly written: (writeAll: WriteAll) => string;
}

function measure(model: Model, { message, paths, maskName, prefix, calls, also }: Wanted): Measured {
  const tree = maskTree(paths);
  const fail = (path: string): CallError => noField(message, path, maskName);
  const written = (writeAll: WriteAll): string =>
    tree === "all"
      ? writeAll(message, answerDepth)
      : selectTree(message, tree, answerDepth, { model, writeAll, fail, also });
  const wholes: { readonly message: DescMessage; readonly depthLeft: number }[] = [];
  const masked = written((inner, depthLeft) => {
    wholes.push({ message: inner, depthLeft });
    return "";
  });
  const selectionsAt = (perCycle: number): number => {
    const levels = levelsOf(model, perCycle);
    return wholes.reduce((sum, whole) => {
      const position = levels.first(whole.message, whole.depthLeft);
      return position === undefined ? sum : sum + levels.extentOf(position).selections;
    }, 0);
  };
  const mostTokens = clientTokens / calls - tokensIn(masked);
  for (let perCycle = deepest(selectionsAt, clientSelections / calls); ; perCycle--) {
    if (selectionsAt(perCycle) > maxSelections) {
      throw new CallError("RESOURCE_EXHAUSTED", `${message.name} has more fields than one document may ask for`);
    }
    const levels = levelsOf(model, perCycle);
    const writer = new SelectionWriter(model, levels, prefix, also);
    const most = perCycle > 1 ? mostTokens : Number.POSITIVE_INFINITY;
    for (const whole of wholes) writer.announce(levels.first(whole.message, whole.depthLeft), most);
    if (writer.tokens <= most) return { tree, levels, writer, written };
  }
}

/** How deeply a document of these fields selects recursive types. Throws like {@link selectionOf}. */
export function selectedLevels(model: Model, wanted: Wanted): Pick<Selection, "tree" | "levels"> {
  return measure(model, wanted);
}

/**
 * Selects the fields of a read mask, or all, up to the depth limit. Throws INVALID_ARGUMENT for a path that is not a field, because GraphQL cannot
 * express it. Throws RESOURCE_EXHAUSTED above the limit of fields.
 */
export function selectionOf(model: Model, wanted: Wanted): Selection {
  const { tree, levels, writer, written } = measure(model, wanted);
  const text = written((inner, depthLeft) => writer.write(levels.first(inner, depthLeft)));
  return { text, fragments: writer.fragments, tree, levels };
}
