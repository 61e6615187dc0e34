// A oneof that got a member: callers from before may find none of those that they know in it.
import { isReceived, type FieldAddedOrRemoved } from "../change.ts";

export const unknownChoice = "callers may find none of the members that they know in the oneof";

/** True for a member that was added to a oneof of answers which has others. */
export function isUnknownChoice({ kind, field, places }: FieldAddedOrRemoved): boolean {
  return kind === "field-added" && field.oneof !== undefined && field.oneof.fields.length > 1 && isReceived(places);
}
