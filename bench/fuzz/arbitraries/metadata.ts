// Metadata that every style must carry unchanged, including names with a special meaning in HTTP.
import { binaryMetadata, metadataFault, type Metadata } from "@roundtrip/contract";
import * as fc from "fast-check";

/** Names with a meaning in HTTP. */
const httpNames = `
  age authorization cache-control constructor cookie etag expires forwarded if-match if-modified-since if-none-match last-modified
  link pragma range referer retry-after server set-cookie to-string vary via warning x-forwarded-for
  x-http-method-override x-request-id
`;

const names = fc.oneof(
  fc.constantFrom("x-tenant", "a", "0", "a.b", "a_b", "-", "."),
  fc.constantFrom(...httpNames.trim().split(/\s+/)),
  fc.stringMatching(/^[0-9a-z_.-]{1,12}$/),
);

const binaryNames = fc.oneof(
  fc.constantFrom("x-bin", "-bin", "trace-bin"),
  fc.stringMatching(/^[0-9a-z_.-]{1,6}-bin$/),
);

/** Printable ASCII, including separators of values or of their parts. */
const texts = fc.oneof(
  fc.constantFrom(
    "",
    "a",
    "a, b",
    "a; b=c",
    '"a"',
    "a,b,,",
    "%41%0A",
    "=?utf-8?q?a?=",
    'W/"1"',
    "null",
    "true",
    "~!@#$^&*()",
  ),
  fc.stringMatching(/^[ -~]{0,20}$/).map((text) => text.trim()),
);

const bytes = fc.tuple(fc.uint8Array({ maxLength: 12 }), fc.boolean()).map(([value, isPadded]) => {
  return isPadded ? Buffer.from(value).toString("base64") : binaryMetadata.encode(value);
});

const entry = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(names, texts) },
  { weight: 1, arbitrary: fc.tuple(binaryNames, bytes) },
);

/** Empty in half of all cases, otherwise up to three entries. */
export const metadataArbitrary: fc.Arbitrary<Metadata> = fc.oneof(
  fc.constant<Metadata>(new Map()),
  fc
    .array(
      entry.filter(([name, value]) => metadataFault(name, value) === undefined),
      { minLength: 1, maxLength: 3 },
    )
    .map((entries) => new Map(entries)),
);
