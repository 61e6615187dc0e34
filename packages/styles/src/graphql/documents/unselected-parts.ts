// Reports where a client's document may cut an answer: how deep it selects recursive types, and why no deeper.
import type { DescMessage } from "@bufbuild/protobuf";
import { CallError, type Cycle, memoize } from "@roundtrip/contract";
import { maxDepth, maxRecursion } from "./document-limits.ts";
import { cyclesOf, type Levels, type Position } from "./levels.ts";
import type { Model } from "../schema/model.ts";
import { answerDepth, selectedLevels } from "./selection.ts";

const everyLevel = "a client names every level, and ends there";
const tooWide = "a client names every level, and a document may not have more fields";
const tooDeep = `a document is ${maxDepth} fields deep at most`;

/** Once for each cycle, which may have thousands of types. */
const insideText = memoize((cycle: Cycle): string => {
  const names = [...cycle].map(({ name }) => name).toSorted();
  const [name = ""] = names;
  return names.length === 1 ? `${name} inside ${name}` : `${names.join(", ")} inside each other`;
});

/** @param position of the cycle's first message, which is in no other one of it */
function wordsOf(cycle: Cycle, { left, depthLeft }: Position): string {
  const inside = insideText(cycle);
  if (Number.isFinite(depthLeft)) return `${inside}: ${tooDeep}`;
  const times = left - 1;
  const deeper = times === 0 ? "" : ` deeper than ${times === 1 ? "once" : `${times} times`}`;
  const most = Math.min((maxRecursion + 1) * cycle.size, maxDepth);
  return `${inside}${deeper}: ${left < most ? tooWide : everyLevel}`;
}

/** What a document does not select below a position. */
function cutsBelow(root: Position, model: Model, levels: Levels): readonly string[] {
  const cycleOf = cyclesOf(model);
  const cuts = new Map<Cycle, string>();
  const lost = new Set<string>();
  const seen = new Set<Position>();
  const enter = (position: Position, around: Cycle | undefined): void => {
    if (seen.has(position)) return;
    seen.add(position);
    const { message, depthLeft } = position;
    const cycle = cycleOf(message);
    // A document that is too deep cuts more than one that is too wide.
    if (cycle !== undefined && cycle !== around && (!cuts.has(cycle) || Number.isFinite(depthLeft)))
      cuts.set(cycle, wordsOf(cycle, position));
    for (const content of levels.contentsOf(position)) {
      if (content.position !== undefined) enter(content.position, cycle);
      else if (cycle?.has(content.message) !== true)
        lost.add(`${message.name}.${content.shape.field.name}: ${tooDeep}`);
    }
  };
  enter(root, undefined);
  return [...cuts.values(), ...lost];
}

function findCuts(model: Model, output: DescMessage): readonly string[] {
  try {
    const { levels } = selectedLevels(model, { message: output, paths: [], maskName: "", prefix: "", calls: 1 });
    const root = levels.first(output, answerDepth);
    return root === undefined ? [`${output.name}: ${tooDeep}`] : cutsBelow(root, model, levels);
  } catch (thrown) {
    if (thrown instanceof CallError) return [thrown.message];
    throw thrown;
  }
}

const cutsOf = memoize((model: Model) => memoize((output: DescMessage) => findCuts(model, output)));

/** The parts of an operation's answer that a client does not select even without a read mask. */
export function unselectedParts(model: Model, output: DescMessage): readonly string[] {
  return cutsOf(model)(output);
}
