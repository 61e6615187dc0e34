// What happens to the URLs of earlier callers: paths made from their templates are routed as servers before and after do.
import { type Contract, type HttpBinding, memoize, type Operation } from "@roundtrip/contract";
import { operationPairs } from "../diff/operation-changes.ts";
import type { DescMessage } from "@bufbuild/protobuf";
import { breaks, gravest, mayBreak, perContracts, type ComparedContracts, safe, type Judgement } from "../judgement.ts";
import { textReader, Router } from "@roundtrip/styles/rest/server";

interface Target {
  readonly operation: Operation;
  readonly binding: HttpBinding;
}

function routerOf({ operations }: Contract): Router<Target> {
  const router = new Router<Target>();
  for (const operation of operations) {
    if (operation.kind === "bidi_streaming") continue;
    for (const binding of operation.bindings) router.add(binding, { operation, binding });
  }
  return router;
}

/** The numbers of the fields along a path of names: they stay when names change. */
function numbersOf(message: DescMessage, names: readonly string[]): string {
  let inner: DescMessage | undefined = message;
  return names
    .map((name) => {
      const field: DescMessage["fields"][number] | undefined = inner?.fields.find((member) => member.name === name);
      inner = field?.message;
      return field?.number ?? name;
    })
    .join(".");
}

/** The literals and verbs of all paths: values of earlier callers may be equal to them. */
function wordsOf({ operations }: Contract): readonly string[] {
  const paths = operations.flatMap(({ bindings }) => bindings.map(({ path }) => path));
  const literals = paths.flatMap(({ segments }) =>
    segments.flatMap((segment) => (segment.kind === "literal" ? segment.text : [])),
  );
  return [...new Set([...literals, ...paths.flatMap(({ verb }) => (verb === "" ? [] : `value:${verb}`))])];
}

/** About how many paths of a template are tried: a thousand operations have thousands of words, and a path may have fifty variables. */
const maxTriedPaths = 5_000;

/**
 * Paths of a template: one with ordinary values, then those in which one value is a word or covers several segments. None has an encoded slash: where a
 * variable comes to take several segments, the URL still matches, and the slash stays encoded in the value (google/api/http.proto).
 */
function pathsOf({ path }: HttpBinding, words: readonly string[]): readonly string[] {
  const verb = path.verb === "" ? "" : `:${path.verb}`;
  const ordinary = path.segments.map((segment, index) => (segment.kind === "literal" ? segment.text : `value${index}`));
  const variables = path.segments.filter(({ kind }) => kind !== "literal").length;
  const tried = words.slice(0, Math.ceil(maxTriedPaths / Math.max(1, variables)));
  const variants = path.segments.flatMap((segment, index) => {
    if (segment.kind === "literal") return [];
    const values = [...tried, ...(segment.kind === "many" ? ["value/value"] : [])];
    return values.map((value) => ordinary.with(index, value));
  });
  return [ordinary, ...variants].map((segments) => `/${segments.join("/")}${verb}`);
}

/** What the server takes from a path, by the numbers of the fields that variables fill. */
function captured({ operation, binding }: Target, segments: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    binding.path.variables.map((variable) => [
      numbersOf(operation.input, variable.fieldPath),
      textReader(binding, variable)(segments),
    ]),
  );
}

function bodyOf({ operation: { input, output }, binding: { body, responseBody } }: Target): string {
  const asked = body === "" || body === "*" ? body : numbersOf(input, [body]);
  return `${asked} ${responseBody === "" ? "" : numbersOf(output, [responseBody])}`;
}

/** Judges one URL; undefined if it arrives as before. */
function judgePath(
  older: { readonly target: Target; readonly segments: readonly string[] },
  newer: { readonly target: Target; readonly segments: readonly string[] } | undefined,
  { pairs }: Routers,
): string | undefined {
  if (newer === undefined) return "404 or 405: the path is gone";
  if (pairs.get(older.target.operation) !== newer.target.operation)
    return `${newer.target.operation.id} takes the call`;
  const [had, has] = [captured(older.target, older.segments), captured(newer.target, newer.segments)];
  const isSameBody = bodyOf(older.target) === bodyOf(newer.target);
  if (!isSameBody || had.size !== has.size || [...had.keys()].some((field) => !has.has(field)))
    return "the server reads other parts of body, path or query";
  const changed = [...had].find(([field, value]) => has.get(field) !== value);
  return changed === undefined ? undefined : `the server reads ${has.get(changed[0])} instead of ${changed[1]}`;
}

interface Routers {
  readonly before: Router<Target>;
  readonly after: Router<Target>;
  readonly words: readonly string[];
  /** The operation after for each before that stays, under its name or a new one. */
  readonly pairs: ReadonlyMap<Operation, Operation>;
}

const routersOf = perContracts(({ before, after }): Routers => ({
  before: routerOf(before),
  after: routerOf(after),
  words: wordsOf(after),
  pairs: new Map(operationPairs(before, after)),
}));

/** The methods that callers of a binding for any method use. */
const anyMethod = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Judges what happens to calls of an earlier binding: `breaks` for ordinary values, `may break` for values that are words of other paths. */
export function judgeRoute(binding: HttpBinding, contracts: ComparedContracts): Judgement {
  return routeJudgements(contracts)(binding);
}

/** Each route is judged once: every added or removed operation asks for all. */
const routeJudgements = perContracts((contracts) => memoize((binding: HttpBinding) => judgedRoute(binding, contracts)));

function judgedRoute(binding: HttpBinding, contracts: ComparedContracts): Judgement {
  const routers = routersOf(contracts);
  const [ordinary = "", ...others] = pathsOf(binding, routers.words);
  const methods = binding.method === "*" ? anyMethod : [binding.method];
  const judged = (path: string, method: string): string | undefined => {
    const older = routers.before.match(method, path);
    if (older === undefined) return undefined;
    const newer =
      routers.after.match(method, path) ?? (method === "HEAD" ? routers.after.match("GET", path) : undefined);
    return judgePath(older, newer, routers);
  };
  const wrong = methods.flatMap((method) => {
    const why = judged(ordinary, method);
    return why === undefined ? [] : [{ method, why }];
  });
  const [first] = wrong;
  if (first !== undefined)
    return wrong.length === methods.length ? breaks(first.why) : mayBreak(`for ${first.method}: ${first.why}`);
  for (const path of others)
    for (const method of methods) {
      const why = judged(path, method);
      if (why !== undefined) return mayBreak(`for paths such as ${path}: ${why}`);
    }
  return safe("every earlier URL still matches");
}

/** Judges new paths: those of an operation may take the calls of others. */
export function judgeNewRoutes(operation: Operation, contracts: ComparedContracts): Judgement {
  const added = `${operation.id} takes the call`;
  const taken = contracts.before.operations
    .flatMap(({ bindings }) => bindings.map((binding) => judgeRoute(binding, contracts)))
    .filter(({ reason }) => reason.endsWith(added));
  return gravest(taken, safe("the earlier paths remain"));
}

export function judgeRemoved({ bindings }: Operation, contracts: ComparedContracts): Judgement {
  const gone = breaks("404 or 405: the path is gone");
  return gravest(
    bindings.map((binding) => judgeRoute(binding, contracts)),
    gone,
  );
}
