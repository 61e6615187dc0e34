// Follows the edges of a contract in answers of its fake.
import { create, type DescField, type Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { CallError, type Contract, type Operation, ServerCall } from "@roundtrip/contract";
import { findEdges, keyTest, type Lookup, resourceOption } from "@roundtrip/contract/resources";
import { generatedService } from "../../src/generated/generated-service.ts";
import { exampleRequests } from "../../src/parts.ts";
import { fits } from "../../src/resources/resource-model.ts";

export interface FollowedEdges {
  /** How many keys led to a resource. */
  readonly found: number;
  /** Edges that led nowhere, as `Shipment.origin_site shippers/1/sites/2: NOT_FOUND`. */
  readonly lost: readonly string[];
  /** Edges of which no answer had a key. */
  readonly unseen: readonly string[];
}

interface Followed extends Lookup {
  readonly isList: boolean;
}

interface KeyFound {
  readonly field: DescField;
  readonly lookup: Followed;
  readonly key: unknown;
}

function* keysIn(message: ReflectMessage, edges: ReadonlyMap<DescField, readonly Followed[]>): Generator<KeyFound> {
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    const value: unknown = message.get(field);
    const values = (
      field.fieldKind === "list" || field.fieldKind === "map" ? [...(value as Iterable<unknown>)] : [value]
    ).map((item) => (field.fieldKind === "map" ? (item as [unknown, unknown])[1] : item));
    for (const item of values) {
      if (field.message !== undefined && typeof item === "object" && item !== null && "desc" in item)
        yield* keysIn(item as ReflectMessage, edges);
      for (const lookup of edges.get(field) ?? []) yield { field, lookup, key: item };
    }
  }
}

/** Follows each edge in the answers to the example requests of all operations without side effects. */
export async function followedEdges(contract: Contract, seed = 1): Promise<FollowedEdges> {
  const { references, lists } = findEdges(contract);
  const lookups = [
    ...references.map(({ field, get }) => [field, { ...get, isList: false }] as const),
    ...lists.map(({ ownKey, list }) => [ownKey, { ...list, isList: true }] as const),
  ];
  const edges = new Map<DescField, readonly Followed[]>();
  for (const [field, lookup] of lookups) edges.set(field, [...(edges.get(field) ?? []), lookup]);
  const service = generatedService(contract, seed);
  const call = async (operation: Operation, request: Message): Promise<Message> =>
    service.call(operation, request, new ServerCall());
  const examples = exampleRequests(contract);
  const unseen = new Set(lookups.map(([field]) => field.toString()));
  const lost = new Set<string>();
  let found = 0;
  for (const operation of contract.operations) {
    if (operation.kind !== "unary" || operation.sideEffects !== "none") continue;
    // oxlint-disable no-await-in-loop -- one after the other
    // Not every example is about a resource that there is.
    const answer = await call(operation, examples(operation)).catch(() => create(operation.output));
    for (const { field, lookup, key } of keysIn(reflect(operation.output, answer, false), edges)) {
      if (!keyTest(lookup)(String(key))) {
        // Resources with names of several forms may have a list below one of them.
        const { patterns = [] } = resourceOption(contract, field.parent) ?? {};
        const isName = patterns.some((pattern) => fits(pattern, String(key)));
        if (lookup.isList && patterns.length > 1 && isName) continue;
        lost.add(`${field.toString()} ${String(key)}: no key of ${lookup.operation.method.name}`);
        continue;
      }
      unseen.delete(field.toString());
      const wanted = create(lookup.operation.input);
      reflect(lookup.operation.input, wanted, false).set(lookup.key, key);
      try {
        await call(lookup.operation, wanted);
        found += 1;
      } catch (thrown) {
        lost.add(
          `${field.toString()} ${String(key)} by ${lookup.operation.method.name}: ${CallError.from(thrown).code}`,
        );
      }
    }
    // oxlint-enable no-await-in-loop
  }
  return { found, lost: [...lost], unseen: [...unseen] };
}
