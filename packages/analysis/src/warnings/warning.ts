/** What the reader of a figure has to know; `armId` when it concerns one arm. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly armId?: string;
}
