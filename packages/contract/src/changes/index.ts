// The differences between two contracts, for `roundtrip check` and for what styles say about them.
export {
  isReceived,
  isSent,
  streamsAnswers,
  streamsRequests,
  type Change,
  type ChangeKind,
  type FieldAddedOrRemoved,
  type FieldChange,
  type ValueAddedOrRemoved,
  type ValueChange,
  type MessageRulesChange,
  type OperationChange,
  type TypeAddedOrRemoved,
  type TypeMoved,
  type ValueLocation,
} from "./change.ts";
export { hasOwnJson, isBeyondUrls } from "../descriptors/http-binding.ts";
export { hasOwnRules } from "../validation/has-rules.ts";
export { tendency } from "./changed-rules.ts";
export { isOfExtension } from "./extensions.ts";
export { contractChanges, keyOf } from "./contract-changes.ts";
export { operationPairs } from "./operation-changes.ts";
export { travels } from "./reached-types.ts";
export { renamedPackages, type PackageRenaming, type RenamedPackages } from "./renamed-packages.ts";
export { isSameOnTheWire, isWithin, typeText, valueTypeOf, type JsonForm, type ValueType } from "./value-type.ts";
