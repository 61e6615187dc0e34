// Matches buf's findings, by their sentences, to contract changes. A test checks the sentence forms.
import type { DescField } from "@bufbuild/protobuf";
import type { Change, ChangeKind } from "@roundtrip/contract/changes";
import type { BufFinding } from "@roundtrip/styles";

/** Rules about the binary format, and two about the existence of methods, which are in none of buf's wire categories. */
const wireRules: ReadonlySet<string> = new Set([
  "FIELD_SAME_DEFAULT",
  "FIELD_SAME_ONEOF",
  "MESSAGE_SAME_REQUIRED_FIELDS",
  "RESERVED_ENUM_NO_DELETE",
  "RESERVED_MESSAGE_NO_DELETE",
  "RPC_SAME_CLIENT_STREAMING",
  "RPC_SAME_IDEMPOTENCY_LEVEL",
  "RPC_SAME_REQUEST_TYPE",
  "RPC_SAME_RESPONSE_TYPE",
  "RPC_SAME_SERVER_STREAMING",
  "ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED",
  "FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED",
  "FIELD_WIRE_COMPATIBLE_CARDINALITY",
  "FIELD_WIRE_COMPATIBLE_TYPE",
  "RPC_NO_DELETE",
  "PACKAGE_SERVICE_NO_DELETE",
]);

/** Rules of PACKAGE, WIRE_JSON and WIRE. The category FILE, about generated source, has its own rules for the same changes, and one about bytes. */
const notInSource = /^PACKAGE_|_UNLESS_|^FIELD_WIRE_|^MESSAGE_SAME_REQUIRED_FIELDS$/;

/** Rules for which buf also reports each operation or type. */
const derived: ReadonlySet<string> = new Set(["FILE_SAME_PACKAGE", "PACKAGE_SERVICE_NO_DELETE", "SERVICE_NO_DELETE"]);

const kindsOf: readonly (readonly [rule: RegExp, kinds: readonly ChangeKind[]])[] = [
  [/^(?:RPC|SERVICE|PACKAGE_SERVICE)_NO_DELETE$/, ["operation-removed", "operation-moved"]],
  [/^RPC_SAME_(?:CLIENT|SERVER)_STREAMING$/, ["streaming-changed"]],
  [/^RPC_SAME_IDEMPOTENCY_LEVEL$/, ["side-effects-changed"]],
  [/^RPC_SAME_(?:REQUEST|RESPONSE)_TYPE$/, ["type-moved"]],
  [/^FIELD_NO_DELETE/, ["field-removed", "field-renumbered"]],
  [/^FIELD_SAME_(?:JSON_)?NAME$/, ["field-renamed", "field-removed", "field-renumbered"]],
  [
    /^FIELD_(?:SAME|WIRE_COMPATIBLE|WIRE_JSON_COMPATIBLE)_TYPE$/,
    ["field-type-changed", "type-moved", "field-cardinality-changed", "field-removed", "field-renumbered"],
  ],
  [
    /^FIELD_(?:SAME|WIRE_COMPATIBLE|WIRE_JSON_COMPATIBLE)_CARDINALITY$/,
    [
      "field-cardinality-changed",
      "field-presence-changed",
      "field-oneof-changed",
      "field-removed",
      "field-renumbered",
      "field-type-changed",
    ],
  ],
  [/^FIELD_SAME_ONEOF$/, ["field-oneof-changed", "field-removed", "field-renumbered"]],
  [/^ONEOF_NO_DELETE$/, ["field-oneof-changed", "field-removed"]],
  [/^FIELD_SAME_DEFAULT$/, ["field-default-changed"]],
  [/^MESSAGE_SAME_REQUIRED_FIELDS$/, ["field-added", "field-removed", "field-presence-changed"]],
  [/^ENUM_VALUE_NO_DELETE/, ["enum-value-removed", "enum-value-renumbered"]],
  [/^ENUM_VALUE_SAME_NAME$/, ["enum-value-renamed", "enum-value-removed", "enum-value-renumbered"]],
  [/^(?:PACKAGE_)?(?:MESSAGE|ENUM)_NO_DELETE$/, ["type-moved", "type-removed"]],
];

/** The last part of a full name, as in buf's sentences. */
function lastWord(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** protoc's name for the entry message of a map. */
function entryName({ name }: DescField): string {
  return `${name.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}Entry`;
}

interface Named {
  readonly rpc: string | undefined;
  readonly service: string | undefined;
  readonly field: number | undefined;
  readonly message: string | undefined;
  readonly value: number | undefined;
  readonly enum: string | undefined;
  readonly oneof: string | undefined;
  readonly from: string | undefined;
}

function namesIn(text: string): Named {
  const named = (pattern: RegExp): string | undefined => pattern.exec(text)?.[1];
  const number = (pattern: RegExp): number | undefined => {
    const digits = named(pattern);
    return digits === undefined ? undefined : Number(digits);
  };
  return {
    rpc: named(/\bRPC "([^"]+)"/),
    service: named(/\bservice "([^"]+)"/),
    field: number(/\bfield "(\d+)"/i),
    message: named(/\bmessage "([^"]+)"/i),
    value: number(/\benum value "(-?\d+)"/i),
    enum: named(/\bon enum "([^"]+)"/) ?? named(/\benum "([^"]+)" was deleted/),
    oneof: named(/\boneof "([^"]+)"/),
    from: named(/ type from "\.?([^"]+)"/),
  };
}

function isMeant(change: Change, named: Named): boolean {
  switch (change.kind) {
    case "operation-removed":
      return isOperation(change.operation.method, named);
    case "operation-moved":
    case "streaming-changed":
    case "side-effects-changed":
      return isOperation(change.before.method, named);
    case "type-moved": {
      const { typeName, name } = change.before;
      if (named.from !== undefined) return named.from === typeName || lastWord(named.from) === name;
      return named.field === undefined && (named.message === undefined ? named.enum : lastWord(named.message)) === name;
    }
    case "field-added":
    case "field-removed": {
      const { parent, number, oneof } = change.field;
      if (named.message !== undefined && lastWord(named.message) !== parent.name) return false;
      if (named.oneof !== undefined && named.field === undefined) return oneof?.name === named.oneof;
      return named.field === undefined || named.field === number;
    }
    case "enum-value-removed":
      return named.enum === change.value.parent.name && named.value === change.value.number;
    case "enum-value-renamed":
    case "enum-value-renumbered":
    case "enum-value-alias-first":
      return named.enum === change.before.parent.name && named.value === change.before.number;
    case "type-removed":
      return named.field === undefined && named.message !== undefined && lastWord(named.message) === change.type.name;
    case "operation-added":
    case "type-added":
    case "binding-added":
    case "binding-removed":
    case "binding-changed":
    case "enum-value-added":
    case "message-rules-changed":
    case "enum-closed":
    case "enum-opened":
      return false;
    default: {
      const { parent, number, oneof } = change.before;
      if (change.before.fieldKind === "map" && named.message === entryName(change.before)) return true;
      if (named.message === undefined || lastWord(named.message) !== parent.name) return false;
      if (named.oneof !== undefined && named.field === undefined) return oneof?.name === named.oneof;
      return named.field === number;
    }
  }
}

function isOperation(
  method: { readonly name: string; readonly parent: { readonly name: string } },
  { rpc, service }: Named,
): boolean {
  return (
    (rpc === undefined || rpc === method.name) && service !== undefined && lastWord(service) === method.parent.name
  );
}

/** Converts a violation that buf reports to a finding. */
export function bufFinding(rule: string, text: string, where: string): BufFinding {
  const named = namesIn(text);
  const kinds = kindsOf.find(([pattern]) => pattern.test(rule))?.[1] ?? [];
  return {
    tool: "buf",
    rule,
    text: text.replace(/ See https:.*$/, ""),
    where,
    isDerived: derived.has(rule),
    isOnWire: wireRules.has(rule),
    isInSource: !notInSource.test(rule),
    isAbout: (change) => kinds.includes(change.kind) && isMeant(change, named),
  };
}
