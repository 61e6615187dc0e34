// Reports where a client's document may cut an answer: how deep it selects recursive types, and why no deeper.
import type { DescMessage } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { cyclesOf, type Cycle } from "../schema/cycles.ts";
import { maxDepth, maxRecursion } from "./document-limits.ts";
import { keyOf, type Levels, type Position } from "./levels.ts";
import type { Model } from "../schema/model.ts";
import { answerDepth, selectionOf } from "./selection.ts";

/** The minimum nesting of messages of a cycle at the cut, and its cause. */
interface Cut {
  readonly messages: number;
  readonly why: string;
}

const everyLevel = "a client names every level, and ends there";
const tooWide = "a client names every level, and a document may not have more fields";
const tooDeep = `a document is ${maxDepth} fields deep at most`;

function shallower(one: Cut | undefined, other: Cut | undefined): Cut | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.messages < one.messages ? other : one;
}

function wordsOf(cycle: Cycle, { messages, why }: Cut): string {
  const names = [...cycle].map(({ name }) => name).toSorted();
  const [name = ""] = names;
  const inside = names.length === 1 ? `${name} inside ${name}` : `${names.join(", ")} inside each other`;
  const times = messages - 1;
  return `${inside}${times === 0 ? "" : ` deeper than ${times === 1 ? "once" : `${times} times`}`}: ${why}`;
}

/** Walks everything that a client selects in a message. */
class Walk {
  readonly #model: Model;
  readonly #levels: Levels;
  readonly #cycleOf: (message: DescMessage) => Cycle | undefined;
  readonly #known = new Map<string, Cut | undefined>();
  readonly #seen = new Set<string>();
  readonly cuts = new Map<Cycle, Cut>();
  readonly lost = new Set<string>();

  constructor(model: Model, levels: Levels) {
    this.#model = model;
    this.#levels = levels;
    this.#cycleOf = cyclesOf(model);
  }

  /** Walks a message that is not nested in its own cycle, and everything in it. */
  enter(position: Position): void {
    const key = keyOf(position);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const cycle = this.#cycleOf(position.message);
    const cut = cycle === undefined ? undefined : shallower(this.cuts.get(cycle), this.#cut(position, cycle));
    if (cycle !== undefined && cut !== undefined) this.cuts.set(cycle, cut);
    this.#enterOthers(position, cycle);
  }

  #enterOthers(position: Position, cycle: Cycle | undefined): void {
    for (const shape of this.#model.shapes(position.message)) {
      if (shape.value.kind !== "message") continue;
      const { message } = shape.value;
      const inside = this.#levels.inside(position, message, shape);
      if (cycle?.has(message) === true) {
        if (inside !== undefined && !this.#seen.has(keyOf(inside))) {
          this.#seen.add(keyOf(inside));
          this.#enterOthers(inside, cycle);
        }
      } else if (inside === undefined) this.lost.add(`${position.message.name}.${shape.field.name}: ${tooDeep}`);
      else this.enter(inside);
    }
  }

  #cut(position: Position, cycle: Cycle): Cut | undefined {
    const key = keyOf(position);
    if (this.#known.has(key)) return this.#known.get(key);
    let cut: Cut | undefined;
    for (const shape of this.#model.shapes(position.message)) {
      if (shape.value.kind !== "message" || !cycle.has(shape.value.message)) continue;
      const inside = this.#levels.inside(position, shape.value.message, shape);
      const deeper = inside === undefined ? undefined : this.#cut(inside, cycle);
      if (inside === undefined) cut = shallower(cut, { messages: 1, why: this.#reason(position, cycle) });
      else if (deeper !== undefined) cut = shallower(cut, { ...deeper, messages: deeper.messages + 1 });
    }
    this.#known.set(key, cut);
    return cut;
  }

  #reason({ message, left }: Position, cycle: Cycle): string {
    if (left > 1) return tooDeep;
    const most = Math.min((maxRecursion + 1) * cycle.size, maxDepth);
    return (this.#levels.first(message, Number.POSITIVE_INFINITY)?.left ?? 0) < most ? tooWide : everyLevel;
  }
}

function findCuts(model: Model, output: DescMessage): readonly string[] {
  let levels: Levels;
  try {
    ({ levels } = selectionOf(model, { message: output, paths: [], maskName: "", prefix: "", calls: 1 }));
  } catch (thrown) {
    if (thrown instanceof CallError) return [thrown.message];
    throw thrown;
  }
  const root = levels.first(output, answerDepth);
  if (root === undefined) return [`${output.name}: ${tooDeep}`];
  const walk = new Walk(model, levels);
  walk.enter(root);
  return [...[...walk.cuts].map(([cycle, cut]) => wordsOf(cycle, cut)), ...walk.lost];
}

const known = new WeakMap<Model, Map<DescMessage, readonly string[]>>();

/** The parts of an operation's answer that a client does not select even without a read mask. Cached per model. */
export function unselectedParts(model: Model, output: DescMessage): readonly string[] {
  const cuts = known.get(model) ?? new Map<DescMessage, readonly string[]>();
  known.set(model, cuts);
  const found = cuts.get(output) ?? findCuts(model, output);
  cuts.set(output, found);
  return found;
}
