// Which message types hold themselves, directly or through others: no document can ask for all of such a type.
import type { DescMessage } from "@bufbuild/protobuf";
import type { Model } from "./model.ts";

/** Types that all hold each other, so that each of them holds itself. */
export type Cycle = ReadonlySet<DescMessage>;

function innerTypes(model: Model, message: DescMessage): readonly DescMessage[] {
  return model.shapes(message).flatMap(({ value }) => (value.kind === "message" ? [value.message] : []));
}

function reachableFrom(model: Model, message: DescMessage): ReadonlySet<DescMessage> {
  const reached = new Set<DescMessage>();
  const ahead = [...innerTypes(model, message)];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    ahead.push(...innerTypes(model, next));
  }
  return reached;
}

/** The cycle of each message type; undefined for a type that does not hold itself. */
export function cyclesOf(model: Model): (message: DescMessage) => Cycle | undefined {
  const known = new Map<DescMessage, Cycle | undefined>();
  return (message) => {
    if (known.has(message)) return known.get(message);
    const reached = reachableFrom(model, message);
    const holdsItself = reached.has(message);
    const cycle = new Set([...reached].filter((other) => reachableFrom(model, other).has(message)));
    for (const member of holdsItself ? cycle : [message]) known.set(member, holdsItself ? cycle : undefined);
    return known.get(message);
  };
}
