// A sentence of the verdict, and how certain it is.

export interface Finding {
  readonly code: string;
  readonly study: string;
  readonly sentence: string;
  /**
   * `clear`: the interval supports it. `likely`: it does, if noise is normal (few rounds). `none`: no difference was found. `inconclusive`: the data
   * do not decide. `measured`: figures side by side. `fact`: counted.
   */
  readonly strength: "clear" | "likely" | "none" | "inconclusive" | "measured" | "fact";
  readonly armIds: readonly string[];
}
