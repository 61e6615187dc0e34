// The details of an error for logs and recordings, without empty members. Details about hidden fields are masked.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { ErrorDetails } from "@roundtrip/contract";
import { isRedacted, redactedText } from "./redacted.ts";

function fieldNamed(desc: DescMessage | undefined, name: string): DescField | undefined {
  return desc?.fields.find((field) => field.name === name || field.jsonName === name);
}

/** Whether a path such as `cards[2].number` leads to a hidden field, or through one. */
function isHidden(input: DescMessage, path: string): boolean {
  let desc: DescMessage | undefined = input;
  for (const step of path.split(".")) {
    const field = fieldNamed(desc, step.replace(/\[.*$/, ""));
    if (field === undefined) return false;
    if (isRedacted(field)) return true;
    desc = field.message;
  }
  return false;
}

/** The details that are present. Descriptions of violations of hidden fields are masked, and so is metadata that has the name of a hidden field. */
export function keptDetails(input: DescMessage, details: ErrorDetails): Partial<ErrorDetails> {
  const metadata = Object.entries(details.metadata).map(([name, value]): [string, string] => [
    name,
    isHidden(input, name) ? redactedText : value,
  ]);
  const violations = details.violations.map((violation) =>
    isHidden(input, violation.field) ? { ...violation, description: redactedText } : violation,
  );
  const masked = { ...details, metadata: Object.fromEntries(metadata), violations };
  const said = Object.entries(masked).filter(([, value]) => Object.keys(value as object | string).length > 0);
  return Object.fromEntries(said);
}
