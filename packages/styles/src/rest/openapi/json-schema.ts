// The JSON Schema (2020-12) that OpenAPI 3.1 uses, as far as contracts need it.

/** A schema, or any other object of an OpenAPI document: keywords and their values. */
export type JsonSchema = { readonly [keyword: string]: JsonSchemaValue };

export type JsonSchemaValue = string | number | boolean | null | JsonSchema | readonly JsonSchemaValue[];
