// The names that a value's likely content is guessed from.

/** Both names in snake_case. */
export interface Purpose {
  readonly name: string;
  /** The name of the message with the field. */
  readonly owner: string;
}
