// The resources of a contract, their parents, their initial content and keys for examples: shared by all sessions.
import { type DescField, type Message, ScalarType } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { type Contract, memoize } from "@roundtrip/contract";
import { rulesOfField } from "@roundtrip/contract/declared-rules";
import { hasBehavior, isExclusive } from "@roundtrip/contract/field-rules";
import { type Resource, resourceOption } from "@roundtrip/contract/resources";
import type { AnswerMaker } from "../answers/answer-maker.ts";
import { Draw } from "../answers/draw.ts";
import { exampleName } from "../basics/names.ts";
import { hasFreeRules } from "../answers/rules.ts";
import { integerFits, integerRange } from "../answers/values/number-value.ts";
import { type Belonging, type ChildCount, childCounts, markOf, meanOf, setChildCounts } from "./child-counts.ts";
import { type Keyed, ownPart, writeKey } from "./keys.ts";
import {
  type Key,
  keyText,
  messagesInSeeded,
  nameBelow,
  numberedText,
  parentKey,
  seededAtTheTop,
  seededBelowEach,
} from "./resource.ts";
import { type ReferredTo, referredIn } from "./references.ts";
import { Unreadable } from "./reread.ts";
import { crc32 } from "node:zlib";

function keyForm({ pattern, key }: Pick<Resource, "pattern" | "key">): string {
  return pattern?.join("/") ?? JSON.stringify(key.map(({ scalar, field }) => [scalar, field?.name]));
}

/** Whether a name has the form of a pattern. */
export function fits(pattern: readonly string[], name: string): boolean {
  const segments = name.split("/");
  return segments.length === pattern.length && pattern.every((part, at) => part === "*" || part === segments[at]);
}

/** Whether a key with this number is allowed. */
function takesNumber({ pattern, key }: Resource, number: number): boolean {
  const last = key.at(-1);
  const rules = pattern !== undefined || last?.field === undefined ? undefined : rulesOfField(last.field);
  const range = integerRange(last?.scalar ?? ScalarType.STRING);
  return rules === undefined || (range !== undefined && integerFits(range, rules.type.value)(BigInt(number)));
}

/** The numbers of the initial resources below each parent, or at the top; undefined where rules leave fewer keys. */
function seededNumbers(resource: Resource, count = seededBelowEach): readonly number[] | undefined {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  return numbers.every((number) => takesNumber(resource, number)) ? numbers : undefined;
}

/** Whether every message that is made up can have a reference in this field, whatever its other fields have. */
function isPlainReference(field: DescField): boolean {
  const isAlone = field.oneof === undefined && !isExclusive(field) && !hasFreeRules(field.parent);
  return field.fieldKind === "scalar" && isAlone && !hasBehavior(field, "input-only");
}

export class ResourceModel {
  readonly contract: Contract;
  readonly maker: AnswerMaker;
  readonly resources: readonly Resource[];
  readonly #referred: ReferredTo;
  #parents: ReadonlyMap<Resource, Resource | undefined> | undefined;
  #referring: ReadonlyMap<Resource, readonly Belonging[]> | undefined;
  readonly #top = new Map<Resource, readonly Keyed[]>();
  readonly childrenOf = memoize((resource: Resource): readonly Resource[] =>
    this.resources.filter(
      (child) =>
        this.parentOf(child) === resource ||
        this.#otherParents(child).some((pattern) => this.#withPattern(pattern) === resource),
    ),
  );

  /** The fields of a resource that count its children or what refers to it, or are a mean of theirs. */
  readonly countsOf = memoize((resource: Resource) => {
    const children = this.childrenOf(resource).map((child): Belonging => ({ child }));
    return childCounts(resource, [...children, ...(this.#referringBy().get(resource) ?? [])]);
  });

  /** The resources that count this one by its references, each with the field that refers to them. */
  readonly countedAt = memoize((resource: Resource): readonly { readonly above: Resource; readonly by: DescField }[] =>
    this.resources.flatMap((above) =>
      this.countsOf(above).flatMap(({ child, by }) => (child === resource && by !== undefined ? [{ above, by }] : [])),
    ),
  );

  /** The fields whose initial values are drawn by themselves, so that counts and means of them need no whole resource, also those of a later contract. */
  readonly #drawnApart = memoize((resource: Resource): readonly DescField[] => {
    const references = [...this.#referringBy()].flatMap(([, all]) =>
      all.flatMap(({ child, by }) => (child === resource && by !== undefined ? [by] : [])),
    );
    const mark = this.parentOf(resource) && markOf(resource);
    return mark === undefined ? references : [...references, mark];
  });

  /** How often initial resources refer to each other one, by its key. */
  readonly #references = memoize((by: DescField): ReadonlyMap<string, number> => {
    const tally = new Map<string, number>();
    for (let number = 1; number <= seededAtTheTop; number++) {
      const key = String(this.#drawn(by, "", number));
      tally.set(key, (tally.get(key) ?? 0) + 1);
    }
    return tally;
  });

  constructor(contract: Contract, maker: AnswerMaker, resources: readonly Resource[]) {
    this.contract = contract;
    this.maker = maker;
    this.resources = resources;
    this.#referred = memoize(
      referredIn(
        contract,
        resources.filter(({ key }) => key.length === 1),
      ),
    );
  }

  /** The resource with one key to which a field refers; undefined for other fields, and for those of the resource itself that are its key. */
  referred(field: DescField): Resource | undefined {
    const resource = this.#referred(field);
    return resource?.key[0]?.field === field ? undefined : resource;
  }

  /** The resource of an earlier contract in this one. Throws Unreadable. */
  sameAs({ message, ...earlier }: Resource): Resource {
    const named = this.resources.filter((resource) => resource.message.typeName === message.typeName);
    const same = named.find((resource) => keyForm(resource) === keyForm(earlier));
    if (same !== undefined) return same;
    throw new Unreadable(
      named.length === 0 ? `${message.name} is no longer a resource` : "their names have another form",
    );
  }

  /** The parent of a resource, if it is a resource itself. */
  parentOf(resource: Resource): Resource | undefined {
    this.#parents ??= new Map(this.resources.map((child) => [child, this.#findParent(child)]));
    return this.#parents.get(resource);
  }

  /** The resource that a parent with this name is, if it is one: a type may have several patterns, each with another parent. */
  parentNamed(resource: Resource, parent: string): Resource | undefined {
    const above = this.#otherParents(resource).find((pattern) => fits(pattern, parent));
    return above === undefined ? this.parentOf(resource) : this.#withPattern(above);
  }

  /** All forms of a resource's names; its own comes first. */
  patternsOf({ message, pattern }: Resource): readonly (readonly string[])[] {
    return pattern === undefined ? [] : [pattern, ...(resourceOption(this.contract, message)?.patterns ?? [])];
  }

  #otherParents(resource: Resource): readonly (readonly string[])[] {
    return this.patternsOf(resource)
      .slice(1)
      .map((pattern) => pattern.slice(0, -2));
  }

  #withPattern(segments: readonly string[]): Resource | undefined {
    return this.resources.find(({ pattern }) => pattern?.join("/") === segments.join("/"));
  }

  #findParent({ pattern, key }: Resource): Resource | undefined {
    if (pattern !== undefined) {
      return this.#withPattern(pattern.slice(0, -2));
    }
    const part = key.at(-2);
    if (part === undefined) return undefined;
    return this.resources.find(
      (candidate) =>
        candidate.key.length === key.length - 1 &&
        // An id is never a name with segments.
        (candidate.pattern === undefined || !part.name.endsWith("_id")) &&
        new RegExp(`^${candidate.singular}(?:_(?:id|name|uuid))?$`).test(part.name),
    );
  }

  /** Whether keys are numbers; lists are ordered by these. */
  hasIntegers({ key }: Resource): boolean {
    return integerRange(key.at(-1)?.scalar ?? ScalarType.STRING) !== undefined;
  }

  /** The key of the resource with this number. @param message the resource so far: if rules forbid plain numbers, its own key counts */
  numberedKey(resource: Resource, parent: string, number: number, message: Message): Key {
    const id = numberedText(resource, parent, number);
    if (resource.pattern !== undefined) return [id];
    const last = resource.key.at(-1);
    const own = last === undefined ? undefined : ownPart(last, message);
    const text = !takesNumber(resource, number) ? String(own) : this.hasIntegers(resource) ? String(number) : id;
    return [...parentKey(resource, parent), text];
  }

  /** The initial resources below a parent. All sessions share the messages, so they must not be changed. */
  seeded(resource: Resource, parent: string): readonly Keyed[] {
    const known = parent === "" ? this.#top.get(resource) : undefined;
    if (known !== undefined) return known;
    const made = this.#populate(resource, parent);
    if (parent === "") this.#top.set(resource, made);
    return made;
  }

  /** One of the initial resources below a parent, by its number from 1. */
  seed(resource: Resource, parent: string, number: number): Keyed {
    const { message: desc } = resource;
    const draw = new Draw([this.maker.seed, crc32(desc.typeName), crc32(parent), number]);
    const message = this.maker.message(desc, draw, messagesInSeeded);
    const key = this.numberedKey(resource, parent, number, message);
    writeKey(resource, message, key);
    setChildCounts(resource, message, this.countsOf(resource), (count) => this.#seededCount(count, keyText(key)));
    const target = reflect(desc, message, false);
    for (const field of this.#drawnApart(resource)) target.set(field, this.#drawn(field, parent, number));
    return { key, message };
  }

  #drawn(field: DescField, parent: string, number: number): unknown {
    return this.maker.value(field, new Draw([this.maker.seed, crc32(String(field)), crc32(parent), number]));
  }

  #seededCount({ child, mark, by }: ChildCount, key: string): number | undefined {
    if (by !== undefined) return this.#references(by).get(key) ?? 0;
    const numbers = seededNumbers(child);
    if (mark === undefined) return numbers?.length;
    return numbers && meanOf(numbers.map((number) => Number(this.#drawn(mark, key, number))));
  }

  /** What is at the top and refers to a resource by one field, by that resource. */
  #referringBy(): ReadonlyMap<Resource, readonly Belonging[]> {
    return (this.#referring ??= this.#findReferring());
  }

  #findReferring(): ReadonlyMap<Resource, readonly Belonging[]> {
    const found = this.resources.flatMap((child) => {
      const levels = child.pattern === undefined ? child.key.length : child.pattern.length / 2;
      if (levels !== 1 || seededNumbers(child, seededAtTheTop) === undefined) return [];
      const fields = child.message.fields.filter(isPlainReference);
      const byTarget = Map.groupBy(fields, (field) => this.referred(field));
      return [...byTarget].flatMap(([target, [by, ...more]]) =>
        target === undefined || target === child || more.length > 0 ? [] : [{ target, belonging: { child, by } }],
      );
    });
    const groups = Map.groupBy(found, ({ target }) => target);
    return new Map([...groups].map(([target, all]) => [target, all.map(({ belonging }) => belonging)]));
  }

  #populate(resource: Resource, parent: string): readonly Keyed[] {
    const count = parent === "" ? seededAtTheTop : seededBelowEach;
    const byKey = new Map<string, Keyed>();
    for (let number = 1; number <= count; number++) {
      const seeded = this.seed(resource, parent, number);
      byKey.set(keyText(seeded.key), seeded);
    }
    return [...byKey.values()];
  }
}

/** The parent of the first resource; empty if it has none. */
export function firstParent(model: ResourceModel, resource: Resource): string {
  const above = model.parentOf(resource);
  if (above !== undefined) return keyText(firstKey(model, above));
  const { pattern, key } = resource;
  if (pattern !== undefined) return exampleName(pattern.slice(0, -2));
  // A parent that is not a resource itself: any value will do.
  const parts = key.slice(0, -1).map(({ name, scalar }) => {
    const isText = integerRange(scalar) === undefined;
    return isText ? `${name.replace(/_(?:id|name|uuid|key)$/, "").replaceAll("_", "-")}-1` : "1";
  });
  return keyText(parts);
}

/** The key of the first resource of this kind. */
export function firstKey(model: ResourceModel, resource: Resource): Key {
  const parent = firstParent(model, resource);
  // A name can be built without its resource.
  if (resource.pattern !== undefined) return [numberedText(resource, parent, 1)];
  return model.seed(resource, parent, 1).key;
}

export function firstKeys(model: ResourceModel, resource: Resource, count: number): readonly Key[] {
  const parent = firstParent(model, resource);
  return Array.from({ length: count }, (_, at) => model.seed(resource, parent, at + 1).key);
}

/** An id that a caller could choose. */
export function ownId({ singular }: Resource): string {
  return `my-${singular.replaceAll("_", "-")}`;
}

/** A key that no resource has yet. */
export function freshKey(model: ResourceModel, resource: Resource): Key {
  const parent = firstParent(model, resource);
  const { pattern, key } = resource;
  if (pattern !== undefined) return [nameBelow(resource, parent, ownId(resource))];
  const isText = integerRange(key.at(-1)?.scalar ?? ScalarType.STRING) === undefined;
  return [...parentKey(resource, parent), isText ? ownId(resource) : String(seededAtTheTop + 1)];
}
