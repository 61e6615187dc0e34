// Places on HTTP that a contract gives to two operations, by the same path or by paths that some names fit alike.
import {
  httpBindings,
  oddBindings,
  routeKey,
  type Contract,
  type HttpBinding,
  type Operation,
} from "@roundtrip/contract";
import { Router } from "./router.ts";

interface Places {
  /** The first operation that declares a place, by the place. */
  readonly owners: ReadonlyMap<string, Operation>;
  readonly router: Router<Operation>;
}

const known = new WeakMap<Contract, Places>();

function placesOf(contract: Contract): Places {
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
  const places = { owners, router };
  known.set(contract, places);
  return places;
}

/** Paths that fit a template: with nothing, one segment and two for `**`. */
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

/** What of an operation's places is another's, each with the reason. */
export function lostPlaces(operation: Operation, contract: Contract): readonly string[] {
  const { owners, router } = placesOf(contract);
  const [main] = operation.bindings;
  const taken = httpBindings(operation.method).flatMap((binding) => {
    const owner = owners.get(routeKey(binding));
    if (owner === undefined || owner === operation) return [];
    return [`${binding.method} ${binding.path.source}: the place of ${owner.id}, which the contract declares first`];
  });
  const others = samplePaths(main).flatMap((path) => {
    const target = router.match(main.method, path)?.target;
    return target === undefined || target === operation ? [] : [target.id];
  });
  return [
    ...oddBindings(operation.method),
    ...taken,
    ...[...new Set(others)].map(
      (id) => `${main.path.source}: names that fit the path of ${id} too, which gets those calls`,
    ),
  ];
}
