// Finds the route of a request by method and path, and the operations that no request reaches.
import {
  type Contract,
  type HttpBinding,
  httpBindings,
  ignoredBindings,
  type Operation,
  routeKey,
  memoize,
} from "@roundtrip/contract";

// Routes a method and path. Express's own router lacks `**` and `:verb`, decodes paths differently, and tries routes one by one; this is a tree.

/** The target of a request, and the segments of its path as received, without the verb. */
export interface RouteMatch<T> {
  readonly target: T;
  readonly segments: readonly string[];
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  one: Node<T> | undefined;
  rest: Node<T> | undefined;
  /** Verb (empty for none) → method → target. */
  readonly ends: Map<string, Map<string, T>>;
}

/** The segments of a path as received; `verb` is empty if there is none. */
interface ParsedPath {
  readonly segments: readonly string[];
  readonly verb: string;
}

function emptyNode<T>(): Node<T> {
  return { literals: new Map(), one: undefined, rest: undefined, ends: new Map() };
}

function literalOf(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function segmentsOf(path: string): readonly string[] {
  return path.slice(1).split("/");
}

/** Visits every matching template, the most literal first, until `visit` returns a value. */
function search<T, R>(
  node: Node<T>,
  path: ParsedPath,
  at: number,
  visit: (methods: ReadonlyMap<string, T>) => R | undefined,
): R | undefined {
  const { segments, verb } = path;
  if (at === segments.length) {
    const methods = node.ends.get(verb);
    const found = methods === undefined ? undefined : visit(methods);
    if (found !== undefined) return found;
  } else {
    const segment = segments[at] as string;
    const literal = node.literals.get(literalOf(segment));
    let found = literal === undefined ? undefined : search(literal, path, at + 1, visit);
    // A variable segment is never empty.
    if (found === undefined && node.one !== undefined && segment !== "") found = search(node.one, path, at + 1, visit);
    if (found !== undefined) return found;
  }
  return node.rest === undefined ? undefined : searchRest(node.rest, path, at, visit);
}

/** The segments after `**` must match the end of the path. */
function searchRest<T, R>(
  node: Node<T>,
  path: ParsedPath,
  at: number,
  visit: (methods: ReadonlyMap<string, T>) => R | undefined,
): R | undefined {
  const end = path.segments.length;
  const goesOn = node.literals.size > 0 || node.one !== undefined;
  for (let from = goesOn ? at : end; from <= end; from += 1) {
    const found = search(node, path, from, visit);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Targets by method and path template. Literal segments precede `*`, and `*` precedes `**`, from left to right. */
export class Router<T> {
  readonly #root: Node<T> = emptyNode();
  readonly #verbs = new Set<string>();

  /** Adds a target. If another one has the same method and path shape, returns that one instead. */
  add({ method, path }: HttpBinding, target: T): T | undefined {
    let node = this.#root;
    for (const segment of path.segments) {
      if (segment.kind === "literal") {
        let next = node.literals.get(segment.text);
        if (next === undefined) node.literals.set(segment.text, (next = emptyNode()));
        node = next;
      } else if (segment.kind === "one") node = node.one ??= emptyNode();
      else node = node.rest ??= emptyNode();
    }
    if (path.verb !== "") this.#verbs.add(path.verb);
    let methods = node.ends.get(path.verb);
    if (methods === undefined) node.ends.set(path.verb, (methods = new Map()));
    const taken = methods.get(method);
    if (taken === undefined) methods.set(method, target);
    return taken;
  }

  /** The target of a method and a path without its query, or undefined. The method `*` matches any. */
  match(method: string, path: string): RouteMatch<T> | undefined {
    const parsed = this.#parse(path);
    const target = search(this.#root, parsed, 0, (methods) => methods.get(method) ?? methods.get("*"));
    return target === undefined ? undefined : { target, segments: parsed.segments };
  }

  /** The methods of a path, in alphabetical order; empty for an unknown path. */
  methodsOf(path: string): readonly string[] {
    const all = new Set<string>();
    const note = (methods: ReadonlyMap<string, T>): undefined => {
      for (const method of methods.keys()) all.add(method);
    };
    search(this.#root, this.#parse(path), 0, note);
    return [...all].toSorted();
  }

  /** The segments and verb of a path. Only verbs of templates count, for every method; a value that ends like a verb must use `%3A`. */
  #parse(path: string): ParsedPath {
    const segments = segmentsOf(path);
    if (this.#verbs.size > 0) {
      const last = segments.at(-1) as string;
      // A verb may contain colons: the longest verb of a template wins.
      for (let colon = last.indexOf(":"); colon !== -1; colon = last.indexOf(":", colon + 1)) {
        const verb = literalOf(last.slice(colon + 1));
        if (!this.#verbs.has(verb)) continue;
        const shorter = { segments: [...segments.slice(0, -1), last.slice(0, colon)], verb };
        if (search(this.#root, shorter, 0, () => true) === true) return shorter;
      }
    }
    return { segments, verb: "" };
  }
}

// Routes that a contract assigns to two operations: equal paths, or paths that match the same values.

interface RouteOwners {
  readonly owners: ReadonlyMap<string, Operation>;
  readonly router: Router<Operation>;
}

const ownersOf = memoize((contract: Contract): RouteOwners => {
  const owners = new Map<string, Operation>();
  const router = new Router<Operation>();
  for (const operation of contract.operations) {
    for (const binding of operation.bindings) {
      owners.set(routeKey(binding), operation);
      router.add(binding, operation);
    }
  }
  return { owners, router };
});

/** Paths that match a template, with zero, one and two segments for `**`. */
function samplePaths({ path }: HttpBinding): readonly string[] {
  const verb = path.verb === "" ? "" : `:${path.verb}`;
  const texts = [[], ["x"], ["x", "x"]].map((rest) =>
    path.segments.flatMap((segment) => {
      if (segment.kind === "literal") return [encodeURI(segment.text)];
      return segment.kind === "one" ? ["x"] : rest;
    }),
  );
  return [...new Set(texts.map((parts) => `/${parts.join("/")}${verb}`))];
}

/** The routes of an operation that lead to another operation, with the reason. */
export function lostRoutes(operation: Operation, contract: Contract): readonly string[] {
  const { owners, router } = ownersOf(contract);
  const [main] = operation.bindings;
  const shared = httpBindings(operation.method).flatMap((binding) => {
    const owner = owners.get(routeKey(binding));
    if (owner === undefined || owner === operation) return [];
    return [
      `${binding.method} ${binding.path.source}: the same route as ${owner.id}, which the contract declares first`,
    ];
  });
  const others = samplePaths(main).flatMap((path) => {
    const target = router.match(main.method, path)?.target;
    return target === undefined || target === operation ? [] : [target.id];
  });
  return [
    ...ignoredBindings(operation.method),
    ...shared,
    ...[...new Set(others)].map(
      (id) => `${main.path.source}: values that also match the path of ${id}, which gets those calls`,
    ),
  ];
}
