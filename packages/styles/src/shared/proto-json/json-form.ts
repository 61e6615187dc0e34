// The forms of a message's ProtoJSON. All readers accept each.

export interface MessageJsonForm {
  /** Field names of the contract instead of those of ProtoJSON. */
  readonly hasContractNames: boolean;
  /** Writes fields without a value too: zero values, empty lists and maps, and null, as Go's `EmitUnpopulated`. */
  readonly hasUnsetFields: boolean;
}

/** ProtoJSON's default. */
export const shortForm: MessageJsonForm = { hasContractNames: false, hasUnsetFields: false };
