// How contract changes affect source code of callers with regenerated types. Only what operations use is compared: for unused types, names of files
// and options, run `buf breaking` itself.
import { type BreakingChanges, breaks, safe } from "./judgement.ts";
import { judgeBy, withoutBindings } from "./shared/change-table.ts";

const compiles = safe("existing source still compiles");
const numbersInSource = safe("source has names, not numbers");
const rules = safe("rules are not in source");

export const ofGeneratedCode: BreakingChanges = {
  notCarried: [],
  judge: judgeBy({
    ...withoutBindings("HTTP bindings are not in source"),
    "operation-added": compiles,
    "operation-removed": breaks("its method is gone"),
    "operation-moved": breaks("its name in source changes"),
    "streaming-changed": breaks("its method has other parameters or results"),
    "side-effects-changed": compiles,
    "type-added": compiles,
    "type-removed": breaks("its type is gone"),
    "type-moved": breaks("its name in source changes"),
    "message-rules-changed": rules,
    "field-added": compiles,
    "field-removed": breaks("source that uses the field does not compile"),
    "field-renamed": ({ before, after }) =>
      before.name === after.name ? safe("its name in source is the same") : breaks("its name in source changes"),
    "field-renumbered": numbersInSource,
    "field-type-changed": breaks("its type in source changes"),
    "field-cardinality-changed": breaks("one value became several, or several one"),
    "field-presence-changed": breaks("whether it may be absent changes in source"),
    "field-oneof-changed": breaks("members of a oneof are in another place in source"),
    "field-default-changed": compiles,
    "field-utf8-changed": compiles,
    "field-rules-changed": rules,
    "enum-value-added": compiles,
    "enum-value-removed": breaks("its name in source is gone"),
    "enum-value-renamed": breaks("its name in source changes"),
    "enum-value-renumbered": numbersInSource,
    "enum-value-alias-first": compiles,
    "enum-closed": compiles,
    "enum-opened": compiles,
  }),
  leftOver: () => [],
};
