// Likely texts, by the name of their field and of the message with the field.
import type { Faker } from "@faker-js/faker";
import type { Draw } from "../draw.ts";
import { likelyTimes } from "./integer-range.ts";

/** Greetings without a name, since the caller knows who is greeted. */
export const greetings = [
  "Hello, and welcome!",
  "Welcome back!",
  "Good morning!",
  "Nice to meet you.",
  "Good to see you again.",
] as const;

/** Sentences of a message, a note, a comment or a review. */
export const sentences = [
  "Your order is on its way.",
  "The meeting has moved to three o'clock.",
  "Your booking is confirmed.",
  "We will call you back tomorrow morning.",
  "Please ring twice.",
  "The second delivery goes to the warehouse.",
  "Checked, and found in good order.",
  "Good quality for the price.",
  "When will it arrive?",
] as const;

export const reasons = [
  "The item is out of stock.",
  "The card has expired.",
  "The customer asked for it.",
  "The address could not be found.",
  "It was ordered twice.",
] as const;

const descriptions = [
  "For everyday use, in several sizes.",
  "A short overview with all that is needed to begin.",
  "Made for small teams that work in different places.",
  "Replaces the version of last year.",
  "Covers the most common cases.",
] as const;

/** Cities and their countries: few and known, so that a caller who asks for those of a city finds some. */
export const countries = new Map<string, readonly [country: string, code: string]>(
  Object.entries({
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
  } as const),
);

export const cities = [...countries.keys()];

export const cityNames = /(?:^|_)(?:city|town|locality)/;

export type MakeText = (draw: Draw) => string;

/** Field names in snake_case with their makers, the specific before the general. */
type Row = readonly [names: RegExp, make: (words: Faker, draw: Draw) => string];

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function phrase(words: Faker): string {
  return capitalised(`${words.word.adjective()} ${words.word.noun()}`);
}

/** Identifiers of machines. */
function machineName(words: Faker): string {
  return words.helpers.slugify(`${words.word.adjective()} ${words.word.noun()}`).toLowerCase();
}

function address(words: Faker, draw: Draw): string {
  return `${words.location.streetAddress()}, ${draw.pick(cities)}`;
}

/** A time in RFC 3339, in whole seconds. */
function timeText(name: string): MakeText {
  const { low, high } = likelyTimes(name);
  return (draw) => new Date(Number(draw.bigint(low, high) / 1_000_000_000n) * 1_000).toISOString().replace(".000", "");
}

const times = /(?:^|_)(?:time|date|timestamp)$|_at$|birthday|^expires$|(?:^|_)check_?(?:in|out)$/;

const people =
  /(?:^|_)(?:customer|user|person|people|author|employee|contact|member|owner|guest|patient|student|teacher|driver|account|profile|recipient|sender|buyer|seller|admin|player|passenger|host|subscriber|holder|cardholder|payer|payee|reviewer|approver|manager|traveller|traveler|visitor|companion|borrower|reader)s?(?:_|$)/;
const companies =
  /(?:^|_)(?:company|organi[sz]ation|org|vendor|supplier|merchant|employer|publisher|tenant|team|brand|manufacturer)(?:_|$)/;
const goods = /(?:^|_)(?:product|item|article|good|sku|listing|catalog)s?(?:_|$)/;

/** Names of hashes, and their length in bytes. */
const hashes: readonly (readonly [names: RegExp, bytes: number])[] = [
  [/crc_?32|adler_?32/, 4],
  [/(?:^|_)sha_?1(?!\d)/, 20],
  [/(?:^|_)sha_?(?:[23]_?)?224/, 28],
  [/(?:^|_)sha_?(?:[23]_?)?384/, 48],
  [/(?:^|_)sha_?(?:[23]_?)?512|blake2b/, 64],
  [/(?:^|_)sha_?(?:(?:[23]_?)?256|[23]?(?:_|sum|$))|blake/, 32],
];

/** The length of a hash with this name; undefined for what is none, or of an unknown kind. */
export function hashBytes(name: string): number | undefined {
  return hashes.find(([names]) => names.test(name))?.[1];
}

function hexadecimal(length: number): (words: Faker) => string {
  return (words) => words.string.hexadecimal({ length, casing: "lower", prefix: "" });
}

/** An ISBN with its check digit, which makes the sum of digits times 1, 3, 1, 3 … a multiple of ten. */
function isbn(draw: Draw): string {
  const digits = `978${draw.int(100_000_000, 999_999_999)}`;
  const sum = Array.from(digits, Number).reduce((total, digit, at) => total + digit * (at % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const rows: readonly Row[] = [
  [/^map_key$/, (words) => words.word.noun()],
  ...hashes.map(([names, bytes]): Row => [names, hexadecimal(2 * bytes)]),
  [/e_?mail|^mail$|_mail$/, (words) => words.internet.exampleEmail()],
  [/(?:first|given|fore)_?name/, (words) => words.person.firstName()],
  [/(?:last|family|sur)_?name/, (words) => words.person.lastName()],
  [/user_?name|login|nick_?name|handle|screen_?name/, (words) => words.internet.username()],
  [
    /full_?name|author|assignee|reporter|recipient|sender|creator|(?:created|updated|modified|owned|assigned)_by|^owner$/,
    (words) => words.person.fullName(),
  ],
  [
    /(?:company|organi[sz]ation|vendor|supplier|merchant|publisher|manufacturer|tenant)(?:_?name)?$/,
    (words) => words.company.name(),
  ],
  [/product(?:_?name)?$/, (words) => words.commerce.productName()],
  [/host_?name|^host$|domain|fqdn/, (words) => words.internet.domainName()],
  [/file_?name|attachment/, (words) => words.system.commonFileName()],
  [/(?:^|_)(?:file_?)?path$|directory|folder/, (words) => words.system.filePath()],
  [/isbn/, (words, draw) => isbn(draw)],
  [/phone|mobile|fax|^tel$/, (words) => words.phone.number({ style: "international" })],
  [/ip_?v6/, (words) => words.internet.ipv6()],
  [/(?:^|_)ip(?:_?v4)?(?:_|$)|ip_?address/, (words) => words.internet.ipv4()],
  [/street|address_?line(?:_?1)?$|line_?1$/, (words) => words.location.streetAddress()],
  [/address/, address],
  [cityNames, (words, draw) => draw.pick(cities)],
  [/^state$|province|administrative_?area/, (words) => words.location.state()],
  [/zip|post(?:al)?_?code/, (words) => words.location.zipCode()],
  [/country_?code|region_?code/, (words) => words.location.countryCode()],
  [/country|nationality/, (words) => words.location.country()],
  [/region|zone$/, (words, draw) => draw.pick(["europe-west1", "us-east1", "us-west2", "asia-south1"])],
  [/time_?zone|^tz$/, (words) => words.location.timeZone()],
  [/lang(?:uage)?(?:_?code)?$|locale/, (words, draw) => draw.pick(["en", "de", "fr", "es", "it", "nl", "pl", "pt"])],
  [/currency/, (words) => words.finance.currencyCode()],
  [/price|amount|cost|total|balance|salary/, (words, draw) => (draw.int(100, 99_999) / 100).toFixed(2)],
  [
    /(?:avatar|image|photo|picture|thumbnail|icon|logo)(?:_?(?:url|uri))?$/,
    (words, draw) => `https://images.example.com/${draw.int(1, 9_999)}.jpg`,
  ],
  [
    /ur[li]|link|website|homepage|web_?site|endpoint|href/,
    (words) => `https://${words.helpers.slugify(words.word.noun())}.example.com/${words.word.noun()}`,
  ],
  [
    /(?:^|_)(?:bucket|table|queue|cluster|database|dataset|namespace|instance|node|index|server|service|project|branch|repository|function|key)(?:_?name)?$/,
    machineName,
  ],
  [/uu?ids?$|guid|(?:^|_)ids?$|_ref$|correlation|trace|session/, (words) => words.string.uuid()],
  [/etag|hash|digest|checksum|md5|fingerprint|signature/, hexadecimal(32)],
  [/token|secret|password|api_?key|credential/, (words) => words.string.alphanumeric(24)],
  [/version|revision/, (words) => words.system.semver()],
  [/mime|content_?type|media_?type/, (words) => words.system.mimeType()],
  [/user_?agent/, (words) => words.internet.userAgent()],
  [
    /sku|serial|part_?number|barcode|(?:^|_)(?:code|reference|number)$/,
    (words) => words.string.alphanumeric({ length: 8, casing: "upper" }),
  ],
  [/colou?r/, (words) => words.color.human()],
  [/job|position|occupation|role/, (words) => words.person.jobTitle()],
  [/department|category/, (words) => words.commerce.department()],
  [/genre|^theme$/, (words) => words.book.genre()],
  [/(?:^|_)(?:tags?|labels?|keywords?|topics?)$/, (words) => words.word.noun()],
  [/status|^state_/, (words, draw) => draw.pick(["active", "pending", "done"])],
  [/title|subject|headline|heading/, phrase],
  [/greeting/, (words, draw) => draw.pick(greetings)],
  [/error|reason/, (words, draw) => draw.pick(reasons)],
  [
    /message|answer|reply|text|body|content|note|comment|remark|memo|instruction|question|review|feedback/,
    (words, draw) => draw.pick(sentences),
  ],
  [/description|details|bio|about|abstract|summary|caption|snippet/, (words, draw) => draw.pick(descriptions)],
];

/** The same for fields whose meaning depends on their message. */
type OwnedRow = readonly [owners: RegExp, names: RegExp, make: (words: Faker, draw: Draw) => string];

const anyName = /^(?:display_?)?name$/;

const ownedRows: readonly OwnedRow[] = [
  [/hello|greet|welcome/, anyName, (words) => words.person.firstName()],
  [/hello|greet|welcome/, /message|reply|answer|text/, (words, draw) => draw.pick(greetings)],
  [people, anyName, (words) => words.person.fullName()],
  [companies, anyName, (words) => words.company.name()],
  [/(?:^|_)(?:hotel|hostel|resort)s?(?:_|$)/, anyName, (words) => `Hotel ${words.person.lastName()}`],
  [/(?:^|_)(?:book|novel)s?(?:_|$)/, /^(?:title|(?:display_)?name)$/, (words) => words.book.title()],
  [goods, anyName, (words) => words.commerce.productName()],
];

/** @param name the name of the field, and of its message, in snake_case */
export function textByName(name: string, owner: string): MakeText {
  const owned = ownedRows.find(([owners, names]) => owners.test(owner) && names.test(name))?.[2];
  if (owned !== undefined) return (draw) => owned(draw.words, draw);
  if (people.test(name) && /name/.test(name) && !/host_?name/.test(name)) return ({ words }) => words.person.fullName();
  if (times.test(name)) return timeText(name);
  const make = anyName.test(name) ? phrase : rows.find(([names]) => names.test(name))?.[1];
  return make === undefined ? ({ words }) => phrase(words) : (draw) => make(draw.words, draw);
}
