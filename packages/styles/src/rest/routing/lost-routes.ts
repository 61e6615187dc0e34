// Routes that a contract assigns to two operations: equal paths, or paths that match the same values.
import {
  httpBindings,
  ignoredBindings,
  routeKey,
  type Contract,
  type HttpBinding,
  type Operation,
} from "@roundtrip/contract";
import { Router } from "./router.ts";

interface RouteOwners {
  readonly owners: ReadonlyMap<string, Operation>;
  readonly router: Router<Operation>;
}

const known = new WeakMap<Contract, RouteOwners>();

function ownersOf(contract: Contract): RouteOwners {
  const found = known.get(contract);
  if (found !== undefined) return found;
  const owners = new Map<string, Operation>();
  const router = new Router<Operation>();
  for (const operation of contract.operations) {
    for (const binding of operation.bindings) {
      owners.set(routeKey(binding), operation);
      router.add(binding, operation);
    }
  }
  const routes = { owners, router };
  known.set(contract, routes);
  return routes;
}

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
