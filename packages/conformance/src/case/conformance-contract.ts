// The contract of the cases that start their own server: every kind of value, binding and stream.
import { contractFromImage, type Contract } from "@roundtrip/contract";
import { readFileSync } from "node:fs";

/** The contract `roundtrip.conformance.v1`, compiled from `proto/` of this package. */
export function conformanceContract(): Contract {
  return contractFromImage(readFileSync(new URL("../gen/conformance.binpb", import.meta.url)));
}
