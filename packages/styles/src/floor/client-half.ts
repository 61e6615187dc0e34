// The floor, as its client uses it.
export { limitations } from "./limitations.ts";
