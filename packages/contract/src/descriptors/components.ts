// Groups of message types that contain each other, the strongly connected components of a graph; how deep messages nest; and values that are computed once for
// each descriptor. Nothing here recurs over types, and each type is visited once: a contract may have ten thousand that all contain each other.
import type { Contract } from "./contract.ts";
import type { DescExtension, DescMessage, Registry } from "@bufbuild/protobuf";

/** The state of a visited node: its index, and the lowest index that is reachable from it. */
interface Visit<Node> {
  readonly node: Node;
  readonly foundAt: number;
  readonly ahead: Iterator<Node>;
  leadsBackTo: number;
}

/**
 * The strongly connected components of all reachable nodes, in reverse topological order (R. Tarjan, "Depth-first search and linear graph
 * algorithms", 1972). Runs in linear time and without recursion, because chains of types can be ten thousand long.
 *
 * @param next nodes that an edge leads to.
 */
export function componentsOf<Node>(from: Iterable<Node>, next: (node: Node) => Iterable<Node>): readonly Node[][] {
  const components: Node[][] = [];
  const visits = new Map<Node, Visit<Node>>();
  const done = new Set<Node>();
  const open: Node[] = [];
  const path: Visit<Node>[] = [];
  const find = (node: Node): void => {
    const visit = { node, foundAt: visits.size, ahead: next(node)[Symbol.iterator](), leadsBackTo: visits.size };
    visits.set(node, visit);
    open.push(node);
    path.push(visit);
  };
  const leave = ({ node, foundAt, leadsBackTo }: Visit<Node>): void => {
    const above = path.at(-1);
    if (above !== undefined) above.leadsBackTo = Math.min(above.leadsBackTo, leadsBackTo);
    if (leadsBackTo < foundAt) return;
    const component = open.splice(open.lastIndexOf(node));
    for (const member of component) done.add(member);
    components.push(component);
  };
  for (const root of from) {
    if (!visits.has(root)) find(root);
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const step = visit.ahead.next();
      if (step.done === true) {
        path.pop();
        leave(visit);
        continue;
      }
      const known = visits.get(step.value);
      if (known === undefined) find(step.value);
      else if (!done.has(step.value)) visit.leadsBackTo = Math.min(visit.leadsBackTo, known.foundAt);
    }
  }
  return components;
}

/** The default recursion limit of protobuf libraries (C++, Java and protobuf-es). */
export const maxNesting = 100;

const inner = ({ fields }: DescMessage): readonly DescMessage[] =>
  fields.flatMap(({ message }) => (message === undefined ? [] : [message]));

/**
 * An error message for the first operation whose messages nest deeper than {@link maxNesting}; undefined if there is none. Types that contain
 * each other count as one level, because their depth depends on the sender.
 */
export function nestingFault({ operations }: Contract): string | undefined {
  const levels = new Map<DescMessage, number>();
  const roots = operations.flatMap(({ input, output }) => [input, output]);
  for (const component of componentsOf(roots, inner)) {
    // The levels of the component's own types are unknown yet and add nothing.
    const below = component.flatMap(inner).reduce((most, message) => Math.max(most, levels.get(message) ?? 0), 0);
    for (const message of component) levels.set(message, below + 1);
  }
  for (const { id, input, output } of operations) {
    const message = [input, output].find((type) => (levels.get(type) ?? 0) > maxNesting);
    if (message === undefined) continue;
    return `messages in ${message.typeName} of ${id} nest ${levels.get(message)} levels deep, but protobuf libraries read at most ${maxNesting}: reduce the nesting`;
  }
  return undefined;
}

/** The most types on a way from one to the next: protobuf-es compiles the codec of a type inside of that which leads to it, until the stack overflows. */
export const maxTypePath = 1_000;

/** The length of the longest way that a visit of all types takes, depth first, as protobuf-es compiles them. */
function longestPath(roots: readonly DescMessage[]): number {
  const seen = new Set<DescMessage>();
  const path: Iterator<DescMessage>[] = [];
  let longest = 0;
  const enter = (type: DescMessage): void => {
    if (seen.has(type)) return;
    seen.add(type);
    path.push(inner(type)[Symbol.iterator]());
    longest = Math.max(longest, path.length);
  };
  for (const root of roots) {
    enter(root);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const step = last.next();
      if (step.done === true) path.pop();
      else enter(step.value);
    }
  }
  return longest;
}

/** Why messages of a contract cannot be written and read; undefined if they can. */
export const codecFault = memoize(({ operations }: Contract): string | undefined => {
  const longest = longestPath(operations.flatMap(({ input, output }) => [input, output]));
  if (longest <= maxTypePath) return undefined;
  return `its types lead from one to the next through ${longest}, but the protobuf library compiles at most ${maxTypePath} inside each other: serve a part of the contract`;
});

/** The same function, which computes its result once for each object. */
export function memoize<K extends object, T>(compute: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, { readonly value: T }>();
  return (key) => {
    let found = known.get(key);
    if (found === undefined) known.set(key, (found = { value: compute(key) }));
    return found.value;
  };
}

/** These message types and all types that they contain, each once. */
export function typesIn(messages: Iterable<DescMessage>): ReadonlySet<DescMessage> {
  const types = new Set(messages);
  // The loop also visits types that it adds.
  for (const { fields } of types) for (const { message } of fields) if (message !== undefined) types.add(message);
  return types;
}

/** The extensions that a contract declares, by the full name of the type that they extend: there can be thousands of both. */
export const extensionsIn = memoize((registry: Registry): ReadonlyMap<string, readonly DescExtension[]> =>
  Map.groupBy(
    [...registry].filter((type) => type.kind === "extension"),
    ({ extendee }) => extendee.typeName,
  ),
);

export type TypesOf = (message: DescMessage) => readonly DescMessage[];

/** A function of message types that is computed for each component of types at once, those that it leads to first. @param next what it leads to */
function byComponent<T>(
  next: TypesOf,
  compute: (component: readonly DescMessage[], valueOf: (type: DescMessage) => T | undefined) => T,
): (message: DescMessage) => T {
  const known = new WeakMap<DescMessage, { readonly value: T }>();
  const valueOf = (type: DescMessage): T | undefined => known.get(type)?.value;
  const ahead: TypesOf = (type) => next(type).filter((below) => !known.has(below));
  return (message) => {
    if (!known.has(message)) {
      for (const component of componentsOf([message], ahead)) {
        const value = compute(component, valueOf);
        for (const type of component) known.set(type, { value });
      }
    }
    return valueOf(message) as T;
  };
}

/**
 * Whether a message type, or one that it contains, passes the test, which is asked once for each type at most.
 * @param next the types that count as contained; all by default.
 */
export function containsType(
  test: (message: DescMessage) => boolean,
  next: TypesOf = inner,
): (message: DescMessage) => boolean {
  return byComponent<boolean>(next, (component, valueOf) =>
    component.some((type) => test(type) || next(type).some((below) => valueOf(below) === true)),
  );
}

/** Types that all lead to each other. */
export type Cycle = ReadonlySet<DescMessage>;

/** Finds the cycle of a message type: undefined for a type that does not lead to itself. */
export function cyclesBy(next: TypesOf): (message: DescMessage) => Cycle | undefined {
  return byComponent<Cycle | undefined>(next, (component) => {
    const [first, ...more] = component;
    const isCycle = more.length > 0 || (first !== undefined && next(first).includes(first));
    return isCycle ? new Set(component) : undefined;
  });
}
