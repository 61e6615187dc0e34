// Cities and their countries: few and known, so that a caller who asks for those of a city finds some.
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";
import { snakeCase } from "@roundtrip/contract/resources";
import { rulesOfField } from "../rules.ts";
import { textPattern } from "./text-from-pattern.ts";

const countries: Readonly<Record<string, readonly [country: string, code: string]>> = {
  Amsterdam: ["Netherlands", "NL"],
  Athens: ["Greece", "GR"],
  Barcelona: ["Spain", "ES"],
  Basel: ["Switzerland", "CH"],
  Berlin: ["Germany", "DE"],
  Boston: ["United States", "US"],
  Chicago: ["United States", "US"],
  Copenhagen: ["Denmark", "DK"],
  Dublin: ["Ireland", "IE"],
  Hamburg: ["Germany", "DE"],
  Lisbon: ["Portugal", "PT"],
  London: ["United Kingdom", "GB"],
  Madrid: ["Spain", "ES"],
  Melbourne: ["Australia", "AU"],
  Milan: ["Italy", "IT"],
  Munich: ["Germany", "DE"],
  Nairobi: ["Kenya", "KE"],
  "New York": ["United States", "US"],
  Osaka: ["Japan", "JP"],
  Oslo: ["Norway", "NO"],
  Paris: ["France", "FR"],
  Prague: ["Czechia", "CZ"],
  Rome: ["Italy", "IT"],
  "San Francisco": ["United States", "US"],
  Seattle: ["United States", "US"],
  Singapore: ["Singapore", "SG"],
  Stockholm: ["Sweden", "SE"],
  Sydney: ["Australia", "AU"],
  Tokyo: ["Japan", "JP"],
  Toronto: ["Canada", "CA"],
  Vienna: ["Austria", "AT"],
  Warsaw: ["Poland", "PL"],
  Zurich: ["Switzerland", "CH"],
};

export const cities = Object.keys(countries);

export const cityNames = /(?:^|_)(?:city|town|locality)/;
const countryNames = /(?:^|_)(?:country|region)_?code|(?:^|_)country/;

/** Whether a field with rules may have a text in place of one of the same length. */
function mayHold(field: DescField, text: string): boolean {
  const rules = rulesOfField(field);
  if (rules === undefined) return true;
  const own = rules.type;
  if (own.case !== "string" || rules.cel.length > 0 || own.value.wellKnown.case !== undefined) return false;
  const { pattern, in: listed, notIn } = own.value;
  const isFree = listed.length + notIn.length === 0 && !Object.hasOwn(own.value, "const");
  return isFree && (pattern === "" || textPattern(pattern)?.matches(text) === true);
}

function stemOf({ name }: DescField, names: RegExp): string | undefined {
  return snakeCase(name).split(names, 1)[0];
}

/** Puts a city that was made up into its country, by the fields beside it whose names have the same beginning; undefined without such fields. */
export function placesIn({ fields }: DescMessage): ((message: ReflectMessage) => void) | undefined {
  const texts = fields.filter(({ fieldKind, scalar }) => fieldKind === "scalar" && scalar === ScalarType.STRING);
  const pairs = texts
    .filter(({ name }) => cityNames.test(snakeCase(name)))
    .flatMap((city) =>
      texts
        .filter(({ name }) => countryNames.test(snakeCase(name)))
        .filter((country) => stemOf(country, countryNames) === stemOf(city, cityNames))
        .map((country) => ({ city, country })),
    );
  if (pairs.length === 0) return undefined;
  return (message) => {
    for (const { city, country } of pairs) {
      const [name, code] = countries[message.get(city) as string] ?? [];
      const value = /code/.test(country.name) ? code : name;
      if (value === undefined || !message.isSet(country)) continue;
      const hasRules = rulesOfField(country) !== undefined;
      if (hasRules && (message.get(country) as string).length !== value.length) continue;
      if (mayHold(country, value)) message.set(country, value);
    }
  };
}
