// Makes enum values, other than the unspecified value if possible.
import type { DescEnum } from "@bufbuild/protobuf";
import type { EnumRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { Draw } from "../draw.ts";

const saysNothing = /(?:^|_)(?:UNSPECIFIED|UNKNOWN|INVALID|NONE|UNDEFINED|UNSET)$/i;

/** A maker of numbers for an enum field. */
export function enumValue(desc: DescEnum, rules: EnumRules | undefined): (draw: Draw) => number {
  if (rules !== undefined && Object.hasOwn(rules, "const")) return () => rules.const;
  const allowed = desc.values.filter(({ number }) => {
    if (rules === undefined) return true;
    return (rules.in.length === 0 || rules.in.includes(number)) && !rules.notIn.includes(number);
  });
  const telling = allowed.filter(
    ({ number, name, deprecated }) => number !== 0 && !saysNothing.test(name) && !deprecated,
  );
  const numbers = [telling, allowed.filter(({ number }) => number !== 0), allowed]
    .find((some) => some.length > 0)
    ?.map(({ number }) => number) ??
    rules?.in ?? [0];
  return (draw) => draw.pick(numbers);
}
