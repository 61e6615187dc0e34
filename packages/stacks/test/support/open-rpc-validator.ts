// Validates OpenRPC documents by OpenRPC's own meta-schema.
import * as jsonSchemaPackage from "@json-schema-tools/meta-schema";
import * as openRpcPackage from "@open-rpc/meta-schema";
import { Ajv, type ValidateFunction } from "ajv";

// The packages' types lack their values.
const { jsonSchema } = jsonSchemaPackage as unknown as { readonly jsonSchema: object };
const { openrpcDocument } = openRpcPackage as unknown as { readonly openrpcDocument: object };

/** The compiled meta-schema, which refers to that of JSON Schema by two addresses. */
export function openRpcValidator(): ValidateFunction {
  const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false });
  ajv.addSchema(jsonSchema).addSchema(jsonSchema, "https://meta.json-schema.tools");
  return ajv.compile(openrpcDocument);
}
