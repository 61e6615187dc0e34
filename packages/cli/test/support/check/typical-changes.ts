// Changes that contracts typically go through.
import { fieldChanges } from "./typical-field-changes.ts";
import { messageChanges } from "./typical-message-changes.ts";
import { operationChanges } from "./typical-operation-changes.ts";
import { typeChanges } from "./typical-type-changes.ts";
import type { TypicalChange } from "./typical-change.ts";

export const typicalChanges: readonly TypicalChange[] = [
  ...fieldChanges,
  ...typeChanges,
  ...operationChanges,
  ...messageChanges,
];
