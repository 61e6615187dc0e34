// When the events of a resource happen, by the names of their fields: it is created, starts, ends, is updated, and is deleted, in this order.
import type { IntegerRange } from "./integer-range.ts";

const nsPerMs = 1_000_000n;

function span(from: string, to: string): IntegerRange {
  return { low: BigInt(Date.parse(from)) * nsPerMs, high: BigInt(Date.parse(to)) * nsPerMs };
}

const spans: readonly (readonly [names: RegExp, when: IntegerRange])[] = [
  [/birth|born/, span("1950-01-01", "2005-12-31")],
  [/expir|due|valid_?(?:until|to)|not_after|next|renew|deadline|purge/, span("2040-01-01", "2040-12-31")],
  [/delet|destroy|remov|cancel|archiv|revok|retir|terminat/, span("2024-10-01", "2024-12-31")],
  [/updat|modif|chang|edit|seen|login|last/, span("2024-07-01", "2024-09-30")],
  [/creat|regist|join|open|first|publish|issue|submit|insert/, span("2023-01-01", "2023-12-31")],
  [/start|begin|began|from|since|launch/, span("2024-01-01", "2024-03-31")],
  [/(?:^|_)end|finish|complet|until|stop|clos/, span("2024-04-01", "2024-06-30")],
];

/** The likely times of a field without a known event. */
export const usualTimes: IntegerRange = span("2024-01-01", "2024-12-31");

/** Whether the event of a time is known from the name of its field. @param name in snake_case */
export function isEvent(name: string): boolean {
  return spans.some(([names]) => names.test(name));
}

/** The likely times of a field, in nanoseconds since 1970. @param name in snake_case */
export function likelyTimes(name: string): IntegerRange {
  return spans.find(([names]) => names.test(name))?.[1] ?? usualTimes;
}
