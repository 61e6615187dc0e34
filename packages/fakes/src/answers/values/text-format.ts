// Makes texts of the formats that buf.validate defines by name.
import type { StringRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { MakeText } from "./text-by-name.ts";

type Format = Exclude<StringRules["wellKnown"]["case"], undefined>;

const ipv4: MakeText = ({ words }) => words.internet.ipv4();
const ipv6: MakeText = ({ words }) => words.internet.ipv6();
const hostname: MakeText = ({ words }) => words.internet.domainName();

function fqn({ words }: Parameters<MakeText>[0]): string {
  const letters = { length: 6, casing: "lower" } as const;
  return `${words.string.alpha(letters)}.v1.${words.string.alpha({ ...letters, length: 1, casing: "upper" })}${words.string.alpha(letters)}`;
}

const makers: Readonly<Record<Format, MakeText>> = {
  email: ({ words }) => words.internet.exampleEmail(),
  hostname,
  ip: ipv4,
  ipv4,
  ipv6,
  uri: ({ words }) => `https://${words.internet.domainName()}/${words.string.alpha(8)}`,
  uriRef: ({ words }) => `/${words.string.alpha(8)}/${words.string.alpha(5)}`,
  address: hostname,
  uuid: ({ words }) => words.string.uuid(),
  tuuid: ({ words }) => words.string.uuid().replaceAll("-", ""),
  ulid: ({ words }) => words.string.ulid({ refDate: Date.UTC(2024, 0, 1) }),
  ipWithPrefixlen: (draw) => `${ipv4(draw)}/${draw.int(8, 32)}`,
  ipv4WithPrefixlen: (draw) => `${ipv4(draw)}/${draw.int(8, 32)}`,
  ipv6WithPrefixlen: (draw) => `${ipv6(draw)}/${draw.int(32, 128)}`,
  // A prefix has zero bits after its length.
  ipPrefix: (draw) => `10.${draw.int(0, 255)}.0.0/16`,
  ipv4Prefix: (draw) => `10.${draw.int(0, 255)}.0.0/16`,
  ipv6Prefix: (draw) => `2001:db8:${draw.int(1, 9_999)}::/48`,
  hostAndPort: (draw) => `${hostname(draw)}:${draw.int(1_024, 65_535)}`,
  protobufFqn: fqn,
  protobufDotFqn: (draw) => `.${fqn(draw)}`,
  // Header names and values: letters are valid in both.
  wellKnownRegex: ({ words }) => `x-${words.string.alpha({ length: 6, casing: "lower" })}`,
};

/** Undefined if the rules name no format. */
export function textFormat({ wellKnown }: StringRules): MakeText | undefined {
  if (wellKnown.case === undefined || !wellKnown.value) return undefined;
  return makers[wellKnown.case];
}
