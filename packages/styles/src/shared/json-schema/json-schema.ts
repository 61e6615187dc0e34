// The JSON Schema (2020-12) that OpenAPI 3.1 uses, reduced to what contracts need.

/** A schema, or any other object of an OpenAPI document: keywords and their values. */
export type JsonSchema = { readonly [keyword: string]: JsonSchemaValue };

export type JsonSchemaValue = string | number | boolean | null | JsonSchema | readonly JsonSchemaValue[];
