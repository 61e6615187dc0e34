// Makes messages of google.protobuf, which have their own meaning.
import { create, fromJson, type DescMessage, type JsonValue, type Registry } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import type { AnyRules, FieldMaskRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { FieldRules } from "@roundtrip/contract/declared-rules";
import { isPossibleMessage } from "./least-depth.ts";
import { Made } from "./limits.ts";
import type { Draw, MakeMessage, MessageSource, Purpose } from "./draw.ts";
import { durationValue, timestampValue } from "./values/time-value.ts";

function json(draw: Draw): JsonValue {
  const { words } = draw;
  const makers: readonly (() => JsonValue)[] = [() => words.word.noun(), () => draw.int(1, 100), () => true];
  return draw.pick(makers)();
}

function jsonObject(draw: Draw): JsonValue {
  const { words } = draw;
  return { [words.word.noun()]: words.word.adjective(), [`${words.word.noun()}_count`]: draw.int(1, 100) };
}

/** Types that an `Any` may contain: those of the contract. */
function packable(registry: Registry): readonly DescMessage[] {
  return [...registry].filter(
    (type): type is DescMessage =>
      type.kind === "message" &&
      isPossibleMessage(type) &&
      !/^(?:google\.(?:api|protobuf)|buf\.validate)\./.test(type.typeName),
  );
}

function nameOf(typeUrl: string): string {
  return typeUrl.slice(typeUrl.lastIndexOf("/") + 1);
}

function anyValue(desc: DescMessage, source: MessageSource, rules: AnyRules | undefined): MakeMessage {
  const { registry } = source;
  let candidates: readonly DescMessage[] | undefined;
  const find = (): readonly DescMessage[] => {
    const excluded = new Set(rules?.notIn.map(nameOf));
    const named = (rules?.in ?? []).map((url) => registry.getMessage(nameOf(url))).filter((type) => type !== undefined);
    return (named.length > 0 ? named : packable(registry)).filter(({ typeName }) => !excluded.has(typeName));
  };
  return ({ draw, depth, maxDepth }) => {
    candidates ??= find();
    if (candidates.length === 0) return create(desc, { typeUrl: rules?.in[0] ?? "" });
    const type = draw.pick(candidates);
    // Has its own count, so that recursion inside does not use up the allowance of other members.
    const content = source.make(type, { draw, allowance: 1, maxDepth, depth: depth + 1, made: new Made() });
    return create(desc, anyPack(type, content));
  };
}

function maskValue(desc: DescMessage, rules: FieldMaskRules | undefined): MakeMessage {
  const paths = rules?.const?.paths ?? (rules !== undefined && rules.in.length > 0 ? rules.in.slice(0, 1) : ["name"]);
  const allowed = paths.filter(
    (path) => rules?.notIn.every((not) => path !== not && !path.startsWith(`${not}.`)) ?? true,
  );
  return () => create(desc, { paths: [...allowed] });
}

/** A maker for messages with their own rules, spelling or meaning; undefined for other types. */
export function wellKnownValue(
  desc: DescMessage,
  source: MessageSource,
  purpose: Purpose,
  rules: FieldRules["type"] | undefined,
): MakeMessage | undefined {
  switch (desc.typeName) {
    case "google.protobuf.Timestamp": {
      const make = timestampValue(purpose, rules?.case === "timestamp" ? rules.value : undefined);
      return ({ draw }) => create(desc, { ...make(draw) });
    }
    case "google.protobuf.Duration": {
      const make = durationValue(rules?.case === "duration" ? rules.value : undefined);
      return ({ draw }) => create(desc, { ...make(draw) });
    }
    case "google.protobuf.FieldMask":
      return maskValue(desc, rules?.case === "fieldMask" ? rules.value : undefined);
    case "google.protobuf.Any":
      return anyValue(desc, source, rules?.case === "any" ? rules.value : undefined);
    case "google.protobuf.Struct":
      return ({ draw }) => fromJson(desc, jsonObject(draw));
    case "google.protobuf.Value":
      return ({ draw }) => fromJson(desc, json(draw));
    case "google.protobuf.ListValue":
      return ({ draw }) => fromJson(desc, [json(draw), json(draw)]);
    default:
      return undefined;
  }
}
