// Clients of other projects against a fake: how each is generated, compiled and called, and what it cannot do by itself.

/** What is asked of every client. */
export const cells = ["generates", "connects", "typed", "errors", "streams"] as const;
export type Cell = (typeof cells)[number];

/** What the machine needs: each is installed once, for all of its clients. */
export type Kit = "shell" | "npm" | "python" | "go" | "java" | "browser";

export interface Client {
  readonly name: string;
  readonly kit: Kit;
  /** What it uses of another kit. */
  readonly also?: Kit;
  /** Makes code from `$OPENAPI`, `$SCHEMA` or `$PROTO`; empty for a client that needs none. Run by bash in the kit's folder. */
  readonly generate: string;
  /** Whether the code is made from a document of ours: also of public contracts. */
  readonly fromDocument: boolean;
  /** Compiles what was made. */
  readonly compile: string;
  readonly call: string;
  /** Whether it speaks REST, so that another style is asked for what it has created. */
  readonly isRest: boolean;
  /** What it says of its own state or of any document: no complaint about ours. */
  readonly says?: RegExp;
  /** Public contracts that it has no code for, and why. */
  readonly cannot?: Readonly<Record<string, string>>;
  /** Cells that are the client's own limit, and why. */
  readonly limits: Readonly<Partial<Record<Cell, string>>>;
}

/** Kits, with versions: figures stay comparable. Run by bash in an empty folder of the kit. */
export const kits: Readonly<Record<Kit, { readonly needs: string; readonly install: string }>> = {
  shell: {
    needs: "command -v curl && command -v go",
    install: "GOBIN=$PWD go install github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.3",
  },
  npm: {
    needs: "command -v npm",
    install: [
      "npm init --yes && npm pkg set type=module",
      "npm install --no-audit --no-fund --ignore-scripts typescript@5.9.3 @types/node@24 openapi-typescript@7.13.0 openapi-fetch@0.17.0" +
        " orval@8.38.0 graphql@16.15.0 @graphql-codegen/cli@7.4.3 @graphql-codegen/client-preset@6.2.0 @apollo/client@4.3.8" +
        " @urql/core@6.0.3 rxjs@7.8.2 newman@6.2.2 openapi-to-postmanv2@6.3.3 soap@1.13.0 @connectrpc/connect@2.3.0 @connectrpc/connect-node@2.3.0" +
        " @connectrpc/connect-web@2.3.0 grpc-web@2.1.1 @bufbuild/protobuf@2.17.0 @bufbuild/protoc-gen-es@2.17.0",
    ].join(" && "),
  },
  python: {
    needs: "python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))'",
    install:
      "python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check grpcio==1.85.3 grpcio-tools==1.85.1" +
      " grpcio-status==1.85.3 openapi-python-client==0.29.1 ruff pydantic==2.14.4 python-dateutil urllib3 lazy-imports mypy",
  },
  go: {
    needs: "command -v go",
    install: [
      "export GOBIN=$PWD/bin",
      "go install google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.12",
      "go install google.golang.org/grpc/cmd/protoc-gen-go-grpc@latest",
      "go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@latest",
      "go mod init example.com/booking",
    ].join(" && "),
  },
  browser: { needs: "command -v chromium", install: ":" },
  java: {
    needs: "command -v javac && command -v mvn",
    install:
      "mvn -q -B dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.17.0 -DoutputDirectory=. && mv openapi-generator-cli-*.jar generator.jar",
  },
};

const tsc =
  "node node_modules/typescript/bin/tsc --noEmit --strict --skipLibCheck --target es2023 --module nodenext --allowImportingTsExtensions";

const typescript = (program: string): Pick<Client, "compile" | "call" | "kit"> => ({
  kit: "npm",
  compile: `${tsc} programs/${program}.ts`,
  // Some makers write enums, which Node.js does not read without a transformation.
  call: `node --no-warnings --experimental-transform-types programs/${program}.ts`,
});

const chromium = (program: string): Pick<Client, "compile" | "call" | "kit" | "also"> => ({
  ...typescript(program),
  also: "browser",
  call: `node --no-warnings "$ROOT/.ci/clients/in-chromium.ts" programs/${program}.ts`,
});

const shell = (name: string, isRest = false): Client => ({
  name,
  kit: "shell",
  generate: "",
  fromDocument: false,
  compile: "",
  call: 'PATH="$PWD:$PATH" bash programs/shell.sh',
  isRest,
  limits: {},
});

const grpc = { fromDocument: false, isRest: false, limits: {} } as const;
const rest = { fromDocument: true, isRest: true, limits: {} } as const;
const es =
  'rm -rf programs/gen && "$ROOT/node_modules/.bin/buf" generate "$PROTO" --template programs/buf.gen.es.yaml -o .';
const connect = (name: string): Client => ({ name, ...typescript("connect"), ...grpc, generate: es });
/** Lines of JSON have no examples, an `Any` or `{}` has no name, and OpenAPI 3.1 is new to it. */
const ofGenerator =
  /3\.1 support is still in beta|No application\/json content|schema name: null|reserved word|matches existing language type|Codegen property is null/;
const openapiTypescript = 'node node_modules/.bin/openapi-typescript "$OPENAPI" -o programs/api.ts';
const generator = 'java -jar "$KITS/java/generator.jar" generate -i "$OPENAPI"';
const compiledGo = (program: string): string =>
  `mkdir -p report cmd/${program} && cp programs/report.go report/ && cp programs/${program}.go cmd/${program}/main.go && ` +
  `go get ./report ./cmd/${program} && go build -o cmd/${program}/called ./cmd/${program}`;
const codegen = 'SCHEMA="$SCHEMA" node node_modules/.bin/graphql-codegen --config programs/codegen.ts';

export const clients: readonly Client[] = [
  shell("curl", true),
  shell("grpcurl"),
  { ...shell("buf curl"), limits: { errors: "it prints details of gRPC's errors as Base64" } },
  shell("buf curl Connect"),
  connect("connect-es gRPC"),
  connect("connect-es Connect"),
  connect("connect-web"),
  connect("connect-web gRPC-Web"),
  { ...connect("connect-web in Chromium"), ...chromium("connect") },
  { ...connect("connect-web gRPC-Web in Chromium"), ...chromium("connect") },
  { ...connect("grpc-web in Chromium"), ...chromium("grpc-web") },
  { name: "openapi-fetch", ...typescript("openapi-fetch"), ...rest, generate: openapiTypescript },
  {
    name: "openapi-fetch in Chromium",
    ...chromium("openapi-fetch"),
    ...rest,
    fromDocument: false,
    generate: openapiTypescript,
  },
  {
    name: "newman",
    kit: "npm",
    ...rest,
    generate: 'node node_modules/.bin/openapi2postmanv2 -s "$OPENAPI" -o programs/collection.json',
    compile: "",
    call: "node programs/newman.mjs",
  },
  {
    name: "orval",
    ...typescript("orval"),
    ...rest,
    generate: "node node_modules/.bin/orval --config programs/orval.config.ts",
  },
  {
    name: "openapi-generator typescript-fetch",
    ...typescript("typescript-fetch"),
    ...rest,
    also: "java",
    says: ofGenerator,
    generate: `${generator} -g typescript-fetch -o programs/typescript-fetch --additional-properties importFileExtension=.ts`,
  },
  { name: "Apollo Client", ...typescript("graphql"), ...grpc, fromDocument: true, generate: codegen },
  { name: "urql", ...typescript("graphql"), ...grpc, fromDocument: true, generate: codegen },
  {
    name: "node-soap",
    ...typescript("soap"),
    ...grpc,
    generate: "",
    limits: { streams: "SOAP has no streams" },
  },
  {
    name: "grpcio",
    kit: "python",
    ...grpc,
    generate:
      'cd programs && ../venv/bin/python -m grpc_tools.protoc -I "$PROTO" --python_out=. --grpc_python_out=. --pyi_out=. $(cd "$PROTO" && ls booking/v1/*.proto buf/validate/*.proto)' +
      ' && ../venv/bin/python -m grpc_tools.protoc -I "$PROTO" --python_out=. google/longrunning/operations.proto',
    compile: "",
    call: "venv/bin/python programs/grpc_client.py",
  },
  {
    name: "openapi-python-client",
    kit: "python",
    ...rest,
    // Answers of any media type are left to its callers.
    says: /within stream/,
    cannot: { "grpc-gateway": "it writes no valid Python for a body that is a single value, such as a BoolValue" },
    generate:
      'rm -rf programs/made && PATH="$PWD/venv/bin:$PATH" openapi-python-client generate --overwrite --path "$OPENAPI" --output-path programs/made --config programs/openapi-python-client.yaml',
    compile: "venv/bin/python -m compileall -q programs/made",
    call: "venv/bin/python programs/openapi_python_client.py",
  },
  {
    name: "openapi-generator python",
    kit: "python",
    also: "java",
    ...rest,
    says: ofGenerator,
    generate: `${generator} -g python -o programs/generator && cp -r programs/generator/openapi_client programs/`,
    compile:
      "venv/bin/python -c 'import sys; sys.path.insert(0, \"programs\"); import openapi_client.api, openapi_client.models'",
    call: "venv/bin/python programs/openapi_generator.py",
  },
  {
    name: "openapi-generator java",
    kit: "java",
    ...rest,
    says: ofGenerator,
    generate: `${generator} -g java -o programs/java`,
    compile:
      "cp programs/Called.java programs/java/src/main/java/ && mvn -q -B -f programs/java/pom.xml compile dependency:build-classpath -Dmdep.outputFile=classpath",
    call: 'java -cp "programs/java/target/classes:$(cat programs/java/classpath)" Called',
  },
  {
    name: "grpc-go",
    kit: "go",
    ...grpc,
    generate:
      'PATH="$PWD/bin:$PATH" "$ROOT/node_modules/.bin/buf" generate "$PROTO" --template programs/buf.gen.go.yaml -o .' +
      ["booking", "buf", "google/type/money.proto", "google/longrunning"]
        .map((path) => ` --path "$PROTO/${path}"`)
        .join(""),
    compile: compiledGo("grpc"),
    call: "cmd/grpc/called",
  },
  {
    name: "oapi-codegen",
    kit: "go",
    ...rest,
    generate: 'mkdir -p api && bin/oapi-codegen --config programs/oapi-codegen.yaml -o api/api.go "$OPENAPI"',
    compile: `go get github.com/oapi-codegen/runtime && go vet ./api && ${compiledGo("oapi")}`,
    call: "cmd/oapi/called",
  },
];
