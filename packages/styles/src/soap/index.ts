// SOAP 1.1 and 1.2: document/literal wrapped, described by a WSDL.
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { type Contract, extensionsIn, memoize, type Operation, typesIn } from "@roundtrip/contract";
import type { Limitation, OperationView, Style } from "../basics/style.ts";
import { lostStreams } from "../shared/limitations.ts";
import { answerElement, fieldsOf, particlesOf, requestElement } from "./schema/names.ts";

const oneForOne = "over HTTP, SOAP answers one envelope with one envelope, each a whole document";

export const limitations = [
  {
    feature: "together",
    reason:
      "a body of document/literal has one element, the call of one operation (WS-I Basic Profile 1.1, R2201); SOAP has no batches",
  },
  { feature: "serverStream", reason: oneForOne },
  { feature: "clientStream", reason: oneForOne },
  { feature: "bidiStream", reason: oneForOne },
] as const satisfies readonly Limitation[];

/** The same for every field, so that it is listed once. */
const controlCharacters = "text: control characters, which XML 1.0 does not have";

function lossesOf(message: DescMessage, field: DescField): readonly string[] {
  if (field.enum?.open === true)
    return [`${message.name}.${field.name}: numbers that ${field.enum.name} does not name`];
  const holdsText =
    field.scalar === ScalarType.STRING || (field.fieldKind === "map" && field.mapKey === ScalarType.STRING);
  return holdsText ? [controlCharacters] : [];
}

const lossesOfType = memoize((contract: Contract) =>
  memoize((message: DescMessage): readonly string[] => [
    ...(extensionsIn(contract.registry).get(message.typeName) ?? []).map(
      ({ typeName }) => `${message.name}.[${typeName}]: an extension; a type has the elements that it is declared with`,
    ),
    ...message.fields.flatMap((field) => lossesOf(message, field)),
  ]),
);

function lossesIn(contract: Contract, { input, output }: Operation): readonly string[] {
  const losses = new Set<string>();
  const ofType = lossesOfType(contract);
  for (const message of typesIn([input, output])) for (const loss of ofType(message)) losses.add(loss);
  return [...losses];
}

function elementsText(message: DescMessage): string {
  const names = particlesOf(message).map((particle) =>
    fieldsOf(particle)
      .map(({ name }) => name)
      .join("|"),
  );
  return names.length === 0 ? "" : ` {${names.join(", ")}}`;
}

/** For example `SayHello {name} → SayHelloResponse {message}`: the elements of the bodies, with their children. */
export function viewOf(operation: Operation, contract: Contract): OperationView {
  if (operation.kind !== "unary") return { signature: "", lost: lostStreams(operation) };
  const { input, output } = operation;
  const answer = `${answerElement(operation)}${elementsText(output)}`;
  return {
    signature: `${requestElement(operation)}${elementsText(input)} → ${answer}`,
    lost: lossesIn(contract, operation),
  };
}

// SOAP 1.1 and 1.2 over HTTP/1.1, document/literal wrapped, with a WSDL description.

const noControls = "XML 1.0 has no control characters, not even escaped";

export const style: Style = {
  name: "soap",
  title: "SOAP",
  role: "style",
  libraries: ["saxes", "@bufbuild/protobuf"],
  limitations,
  serverSettings: [],
  deviations: [
    { caseId: "RT-0106", reason: noControls },
    { caseId: "RT-0152", reason: noControls },
    { caseId: "RT-0155", reason: "an enumeration of XML Schema has only its declared names" },
  ],
  missingOperationReasons: [],
  autocannon: true,
  k6: "xml",
  endpoint: "/soap",
  health: { protocol: "http", path: "/soap?wsdl", headers: {} },
  documentPaths: ["/soap", "/soap?wsdl"],
  inspection: { kind: "page", title: "SOAP page", path: "" },
  view: viewOf,
  async documents(contract) {
    const { wsdlOf } = await import("./schema/wsdl.ts");
    return [{ fileName: "service.wsdl", text: wsdlOf(contract, "http://localhost/soap") }];
  },
};
