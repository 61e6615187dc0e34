// How contract changes affect existing Connect callers. They may send binary messages or JSON, so a change of names may break some.
import { isBesideOneof, isReceived, isSent, type Change } from "../diff/change.ts";
import { type BreakingChanges, breaks, gravest, mayBreak, type Judgement } from "../judgement.ts";
import { judgeAnyJson, judgeJsonMessage, judgeTypeInBody } from "../shared/json-types.ts";
import { protobufChanges } from "../shared/protobuf.ts";

const ofBinary = protobufChanges(["bidi_streaming"]);

/** What changes for callers that send JSON; undefined for nothing beyond the binary form. */
function ofJson(change: Change): Judgement | undefined {
  switch (change.kind) {
    case "field-renamed":
      return change.before.jsonName === change.after.jsonName
        ? undefined
        : mayBreak(`callers that use JSON know it as ${change.before.jsonName}`);
    case "field-type-changed":
      return judgeTypeInBody(change).verdict === "safe"
        ? undefined
        : mayBreak("callers that use JSON spell its values in another way");
    case "type-moved":
      return judgeJsonMessage(change).verdict === "safe"
        ? undefined
        : mayBreak("callers that use JSON know another form of it");
    case "enum-value-renamed":
      return isSent(change.locations) || isReceived(change.locations)
        ? mayBreak("callers that use JSON know its name")
        : undefined;
    case "enum-value-removed":
      return change.isAlias ? mayBreak("callers that use JSON know this name of its number") : undefined;
    case "enum-value-alias-first":
      return isReceived(change.locations) ? mayBreak("callers that use JSON receive another name") : undefined;
    case "field-oneof-changed":
      return isBesideOneof(change)
        ? mayBreak("callers that use JSON refuse answers with several members of the oneof")
        : undefined;
    case "field-cardinality-changed":
      return judgeAnyJson(change)?.verdict === "safe"
        ? undefined
        : mayBreak("callers that use JSON find one value, an array or an object");
    case "side-effects-changed":
      return change.before.sideEffects === "none" ? mayBreak("callers that use GET get 405") : undefined;
    default:
      return undefined;
  }
}

export const breakingChanges: BreakingChanges = {
  ...ofBinary,
  judge(change, contracts) {
    if (change.kind === "streaming-changed") return breaks("415: streams have a media type of their own");
    const binary = ofBinary.judge(change, contracts);
    const json = ofJson(change);
    return json === undefined ? binary : gravest([json, binary], binary);
  },
};
