// Makes counts and totals match their lists, cities their countries, and the times of a message its state and each other: nothing is deleted before its
// state says so, what runs has not ended, and nothing ends before it starts.
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";
import { rulesOfField } from "@roundtrip/contract/declared-rules";
import { isPluralOf, snakeCase } from "@roundtrip/contract/resources";
import { stateFields } from "../resources/states.ts";
import { isSameType } from "./echoed.ts";
import {
  eventOf,
  hasReached,
  hasTimeName,
  inOrderOfStages,
  limitsAmong,
  passLimit,
  stateEvents,
} from "./life-cycle.ts";
import { isRequiredField } from "./rules.ts";
import { totalsIn } from "./totals.ts";

import { integerRange } from "./values/number-value.ts";
import { cityNames, countries } from "./values/text-by-name.ts";
import { textFits } from "./values/text-value.ts";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";

/** Changes a message that was made up. */
export type Adjust = (message: ReflectMessage) => void;

/** Events that most messages have not had; the state after one has the same stem. */
const rareEvents = /delet|purg|tombston|destroy|remov|cancel|archiv|suspend|revok|retir|disabl|fail|reject|terminat/;

const endEvents = /(?:^|_)end|finish|complet|clos|stop/;
const startEvents = /start|begin|began|launch/;

/** States before the start, and before the end. */
const waiting = /PENDING|QUEUED|SCHEDULED|WAITING|NOT_STARTED|NOT_RUNNING|NEW$|UNSTARTED/;
const lasting = /RUN|ACTIVE|PROGRESS|CREATING|PROVISION|INITIAL|STARTING|UPDATING|OPEN|PAUS|ENABLED|SERVING|READY/;
const inactive = /INACTIVE|NOT_/;

/** Whether a time may be set beside a state; `state` is empty without one. */
function isPossible(event: string, state: string): boolean {
  const rare = rareEvents.exec(event)?.[0];
  if (rare !== undefined) return state.toLowerCase().includes(rare);
  if (state === "") return true;
  if (endEvents.test(event)) return !waiting.test(state) && (!lasting.test(state) || inactive.test(state));
  return !startEvents.test(event) || !waiting.test(state);
}

function isTime(field: DescField): boolean {
  if (field.fieldKind === "message") return field.message.typeName === TimestampSchema.typeName;
  return field.fieldKind === "scalar" && hasTimeName(field);
}

/** A limit beside another: `min_price` and `max_price`. */
function isLimit({ fieldKind, name, scalar }: DescField): boolean {
  const isNumber = fieldKind === "scalar" && ![ScalarType.STRING, ScalarType.BYTES, ScalarType.BOOL].includes(scalar);
  return isNumber && /(?:^|_)(?:min|max)(?:_|$)/.test(snakeCase(name));
}

/** Words for the earlier and the later of two times, or the lower and the upper of two limits. */
const pairs = [
  [/check_?in/, /check_?out/],
  [/pick_?up/, /drop_?off|return/],
  [/start|begin|began/, /end|finish|stop/],
  [/(?<=^|_)(?:from|since|after|not_before)(?=_|$)/, /(?<=^|_)(?:to|until|till|before|not_after)(?=_|$)/],
  [/open(?:ing)?/, /clos(?:e|ing)/],
  [/depart(?:ure)?/, /arriv(?:al|e)/],
  [/(?<=^|_)min(?=_|$)|earliest/, /(?<=^|_)max(?=_|$)|latest/],
] as const;

/** Fields whose names differ only in such words: `check_in_time` and `check_out_time`. Values obey the rules of their own field alone. */
function pairsAmong(fields: readonly DescField[]): readonly (readonly [DescField, DescField])[] {
  const free = fields.filter((field) => rulesOfField(field) === undefined);
  return pairs.flatMap(([before, after]) =>
    free.flatMap((earlier) => {
      const [stem, ...rest] = snakeCase(earlier.name).split(before);
      if (stem === undefined || rest.length !== 1) return [];
      const later = free.find((field) => {
        const [start, ...end] = snakeCase(field.name).split(after);
        return start === stem && end.length === 1 && end[0] === rest[0] && isSameType(field, earlier);
      });
      return later === undefined ? [] : [[earlier, later] as const];
    }),
  );
}

/** In the unit of the field; as text for times in texts. */
function comparable(value: unknown): bigint | number | string {
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "string") return value;
  const { seconds, nanos } = (value as { readonly message: Timestamp }).message;
  return seconds * 1_000_000_000n + BigInt(nanos);
}

function swapIfReversed(message: ReflectMessage, [earlier, later]: readonly [DescField, DescField]): void {
  if (!message.isSet(earlier) || !message.isSet(later)) return;
  const [first, second] = [message.get(earlier), message.get(later)];
  if (comparable(first) <= comparable(second)) return;
  message.set(earlier, second);
  message.set(later, first);
}

const created = /^creat(?:e|ed|ion)(?:_|$)/;
/** Events that can have been before a message was created. */
export const earlierEvents = /birth|born|found|establish|built|since|origin|previous|history/;

/** The time of a message's creation. */
export function creationField({ fields }: DescMessage): DescField | undefined {
  return fields.find(({ name, message }) => message?.typeName === TimestampSchema.typeName && created.test(name));
}

/** The time of a message's creation, and each other time that is not before it by its name. Values obey the rules of their own field alone. */
function afterCreation(times: readonly DescField[]): readonly (readonly [DescField, DescField])[] {
  const free = times.filter((field) => rulesOfField(field) === undefined);
  const first = free.find(({ name }) => created.test(snakeCase(name)));
  if (first === undefined) return [];
  const later = free.filter((field) => field !== first && isSameType(field, first) && !earlierEvents.test(field.name));
  return later.map((field) => [first, field] as const);
}

/** Puts the times of these fields that are set into the order of the fields. */
function putInOrder(message: ReflectMessage, fields: readonly DescField[]): void {
  const set = fields.filter((field) => message.isSet(field));
  // Few enough to exchange neighbours until all are in order.
  for (let last = set.length - 1; last > 0; last -= 1)
    for (let at = 0; at < last; at += 1) swapIfReversed(message, [set[at], set[at + 1]] as [DescField, DescField]);
}

interface LifeCycle {
  readonly stages: readonly (readonly DescField[])[];
  readonly pairs: readonly (readonly [DescField, DescField])[];
}

/** The free times of one type in the order of their events, and each before what limits it. */
function lifeCycleOf(times: readonly DescField[]): LifeCycle {
  const free = times.filter((field) => rulesOfField(field) === undefined);
  const inOrder = inOrderOfStages(free);
  const stages = [...Map.groupBy(inOrder, (field) => field.message?.typeName ?? field.scalar).values()];
  const limited = limitsAmong(free).flatMap((limit) =>
    inOrder
      .filter((field) => isSameType(field, limit))
      .slice(0, 1)
      .map((first) => [first, limit] as const),
  );
  return { stages: stages.filter(({ length }) => length > 1), pairs: limited };
}

const counts = /^(?:(.+)_(?:count|size)|(?:num|number_of|total)_(.+))$/;

/** What an integer counts by its name: `item` for `item_count`, `items` for `num_items`; undefined for other fields. */
export function countedNoun(field: DescField): string | undefined {
  if (field.fieldKind !== "scalar" || integerRange(field.scalar) === undefined) return undefined;
  const [, before, behind] = counts.exec(snakeCase(field.name)) ?? [];
  return before ?? behind;
}

/** Integers that count a list of another message or of their own, by their names: `item_count` and `items`, or `total_size` and the only list. */
export function countsIn(
  { fields }: DescMessage,
  listed: DescMessage,
): readonly (readonly [count: DescField, list: DescField])[] {
  return fields.flatMap((field) => {
    const noun = countedNoun(field);
    if (noun === undefined) return [];
    const lists = listed.fields.filter(({ fieldKind }) => fieldKind === "list" || fieldKind === "map");
    const isTotal = noun === "total" && lists.length === 1;
    const list = lists.find(({ name }) => isTotal || isPluralOf(snakeCase(name), noun));
    return list === undefined ? [] : [[field, list] as const];
  });
}

/** Integers that count a list beside them and may have any value. */
export function countsAmong(desc: DescMessage): ReturnType<typeof countsIn> {
  return countsIn(desc, desc).filter(([count]) => rulesOfField(count) === undefined);
}

export function setCount(message: ReflectMessage, [count, list]: readonly [DescField, DescField]): void {
  if (list.fieldKind === "list" || list.fieldKind === "map") setInteger(message, count, message.get(list).size);
}

export function setInteger(message: ReflectMessage, field: DescField, value: number): void {
  message.set(field, typeof message.get(field) === "bigint" ? BigInt(value) : value);
}

const countryNames = /(?:^|_)(?:(?:country|region)_?code|country(?:_name)?)$/;

function stemOf({ name }: DescField, names: RegExp): string | undefined {
  return snakeCase(name).split(names, 1)[0];
}

/**
 * Puts a city that was made up into its country, by the fields beside it whose names have the same beginning; undefined without such fields.
 * @param isFree whether values of a field are texts like any other, and no references
 */
function placesIn(
  { fields }: DescMessage,
  isFree: (field: DescField) => boolean,
): ((message: ReflectMessage) => void) | undefined {
  const texts = fields.filter(({ fieldKind, scalar }) => fieldKind === "scalar" && scalar === ScalarType.STRING);
  const named = (names: RegExp): readonly DescField[] =>
    texts.filter((field) => names.test(snakeCase(field.name)) && isFree(field));
  const places = named(cityNames).flatMap((city) =>
    named(countryNames)
      .filter((country) => stemOf(country, countryNames) === stemOf(city, cityNames))
      .map((country) => {
        const rules = rulesOfField(country);
        const fits = rules === undefined || rules.cel.length > 0 ? undefined : textFits(rules.type.value);
        const isAllowed = (text: string): boolean => rules === undefined || fits?.(text) === true;
        return { city, country, isCode: snakeCase(country.name).endsWith("code"), isAllowed };
      }),
  );
  if (places.length === 0) return undefined;
  return (message) => {
    for (const { city, country, isCode, isAllowed } of places) {
      const [name, code] = countries.get(message.get(city) as string) ?? [];
      const value = isCode ? code : name;
      if (value !== undefined && message.isSet(country) && isAllowed(value)) message.set(country, value);
    }
  };
}

/** What makes messages of a type coherent; undefined if nothing in it can contradict the rest. @param isFree whether a field has no known values, such as references */
export function adjustmentOf(desc: DescMessage, isFree: (field: DescField) => boolean): Adjust | undefined {
  const all = desc.fields.filter(isTime);
  const ordered = [...afterCreation(all), ...pairsAmong(all), ...pairsAmong(desc.fields.filter(isLimit))];
  const counted = countsAmong(desc);
  const reached = new Map(stateEvents(desc).map(({ field, value }) => [field, value]));
  const times = all.flatMap((field) => {
    const event = eventOf(field);
    return event !== "" && !isRequiredField(field) ? [{ field, event }] : [];
  });
  const limits = limitsAmong(all.filter((field) => rulesOfField(field) === undefined));
  const lifeCycle = lifeCycleOf(all);
  const setTotals = totalsIn(desc);
  const place = placesIn(desc, isFree);
  const hasNone = setTotals === undefined && place === undefined;
  if (hasNone && times.length + ordered.length + counted.length === 0) return undefined;
  const [state] = stateFields(desc);
  return (message) => {
    const value = state === undefined ? undefined : state.enum.value[message.get(state)];
    for (const { field, event } of times) {
      const leadsTo = reached.get(field);
      const isKept = isPossible(event, value?.name ?? "") && (!value || !leadsTo || hasReached(value, leadsTo));
      if (!isKept) message.clear(field);
    }
    for (const field of limits) passLimit(message, field, value?.name ?? "");
    for (const fields of lifeCycle.stages) putInOrder(message, fields);
    for (const pair of [...lifeCycle.pairs, ...ordered]) swapIfReversed(message, pair);
    for (const pair of counted) setCount(message, pair);
    setTotals?.(message, () => true);
    place?.(message);
  };
}
