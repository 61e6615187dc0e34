// Likely numbers, by the name of their field.
import type { Draw } from "../draw.ts";

/** Makes a number; a whole one unless the type has fractions. */
export type MakeNumber = (draw: Draw) => number;

type Row = readonly [names: RegExp, make: MakeNumber];

const dayMs = 86_400_000;
const year2024Ms = Date.UTC(2024, 0, 1);

const between =
  (low: number, high: number): MakeNumber =>
  (draw) =>
    draw.int(low, high);

/** Hundredths between two whole numbers. */
const hundredths =
  (low: number, high: number): MakeNumber =>
  (draw) =>
    draw.int(low * 100, high * 100) / 100;

const rows: readonly Row[] = [
  [/lat(?:itude)?$/, (draw) => draw.int(-8_500_000, 8_500_000) / 100_000],
  [/(?:lng|lon|long|longitude)$/, (draw) => draw.int(-18_000_000, 17_999_999) / 100_000],
  [/(?:_ms|_millis|milliseconds)$/, between(1, 5_000)],
  [/(?:_seconds|_secs|_ttl|^ttl|timeout)$|elapsed|duration|latency|uptime/, between(1, 3_600)],
  [/(?:_time|_at|timestamp|_date)$/, (draw) => Math.floor((year2024Ms + draw.int(0, 365 * dayMs)) / 1_000)],
  [/nanos$/, (draw) => draw.int(0, 99) * 10_000_000],
  [/(?:^|_)age$/, between(18, 90)],
  [/year$/, between(1990, 2025)],
  [/month$/, between(1, 12)],
  [/day(?:_of_month)?$/, between(1, 28)],
  [/hours?$/, between(0, 23)],
  [/(?:minutes?|seconds?)$/, between(0, 59)],
  [/port$/, between(1_024, 65_535)],
  [/percent|(?:^|_)(?:rate|ratio|share|score|probability|confidence|progress)$/, hundredths(0, 1)],
  [/rating|stars/, between(1, 5)],
  [/price|amount|cost|total_?(?:price|amount)|balance|salary|fee|tax|discount/, hundredths(1, 999)],
  [/bytes|(?:^|_)size$|length/, between(1, 1_048_576)],
  [/count|quantity|qty|total|stock|number_of|^num_|items|pages/, between(1, 100)],
  [/width|height|depth/, between(1, 2_000)],
  [/weight|distance|temperature|volume|speed/, hundredths(1, 100)],
  [/version|revision|generation/, between(1, 9)],
  [/(?:index|position|rank|order|priority|level)$/, between(1, 10)],
];

/** @param name the name of the field, in snake_case */
export function numberByName(name: string): MakeNumber {
  return rows.find(([names]) => names.test(name))?.[1] ?? between(1, 1_000);
}
