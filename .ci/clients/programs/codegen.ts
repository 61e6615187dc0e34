// Scalars of the schema are text in JSON, except Double.
const text = Object.fromEntries(["Int64", "UInt64", "Base64", "DateTime", "Duration"].map((name) => [name, "string"]));
const scalars = { ...text, Double: "number", UInt32: "number" };

export default {
  schema: process.env["SCHEMA"],
  documents: process.env["DOCUMENTS"] ?? "programs/graphql.ts",
  ignoreNoDocuments: true,
  generates: {
    "programs/documents/": {
      preset: "client",
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        emitLegacyCommonJSImports: false,
        enumsAsTypes: true,
        importExtension: ".ts",
        scalars,
      },
    },
  },
};
