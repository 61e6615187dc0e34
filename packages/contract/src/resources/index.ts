// Resources of a contract. A separate entry, `@roundtrip/contract/resources`, because a measured client process does not need it.
export { contractDomain, findResources } from "./find-resources.ts";
export { hasKeys, isKeyField, isPluralOf, nounAfter, snakeCase, soleMessageField, type Verb } from "./names.ts";
export { fieldOfPart, type KeyPart, type Resource } from "./resource.ts";
export { referenceOption, resourceOption } from "./resource-options.ts";
export {
  type BatchLookup,
  type Edges,
  findEdges,
  keyTest,
  type ListEdge,
  type Lookup,
  type PlainReference,
  type ReferenceEdge,
} from "./find-edges.ts";
