// Resources of a contract. A separate entry, `@roundtrip/contract/resources`, because a measured client process does not need it.
export { findResources } from "./find-resources.ts";
export { isKeyField, isPluralOf, nounAfter, snakeCase, soleMessageField, type Verb } from "./names.ts";
export { fieldOfPart, type KeyPart, type Resource } from "./resource.ts";
