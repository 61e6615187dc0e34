// The WSDL 1.1 description of a contract: document/literal wrapped, one port type for each service, with a port for SOAP 1.1 and one for 1.2.
import type { DescMessage } from "@bufbuild/protobuf";
import { commentAbove, type Contract, type Operation, memoize } from "@roundtrip/contract";
import {
  errorNamespace,
  httpTransport,
  wsdlNamespace,
  wsdlSoap11Namespace,
  wsdlSoap12Namespace,
  xsdNamespace,
  escapedAnyText,
} from "../xml.ts";
import { errorSchema, isInline, SchemaWriter, typesOf } from "./xsd.ts";
import { actionOf, answerElement, packageNamespace, requestElement, serviceNamespace } from "./names.ts";

const targetNamespace = "urn:protobuf:contract";

/** The operations of one service, of which there is at least one. */
interface ServicePart {
  /** `package.Service`, which is valid in XML, and unique. */
  readonly name: string;
  readonly operations: readonly [Operation, ...Operation[]];
}

class Wsdl {
  readonly #services: readonly ServicePart[];
  readonly #prefixes: ReadonlyMap<string, string>;
  readonly #schemas: SchemaWriter;
  readonly #types: ReturnType<typeof typesOf>;

  constructor({ operations }: Contract) {
    const unary = operations.filter(({ kind }) => kind === "unary");
    const byService = Map.groupBy(unary, ({ method }) => method.parent.typeName);
    this.#services = [...byService].map(([name, own]) => ({ name, operations: own as [Operation, ...Operation[]] }));
    this.#types = typesOf(unary);
    const namespaces = new Set([
      ...this.#services.map((service) => serviceNamespace(service.operations[0])),
      ...this.#types.map(({ file }) => packageNamespace(file.proto.package)),
    ]);
    this.#prefixes = new Map([...namespaces].map((namespace, index) => [namespace, `ns${index + 1}`]));
    this.#schemas = new SchemaWriter((namespace) => this.#prefixOf(namespace));
  }

  text(location: string): string {
    const declared = [...this.#prefixes].map(([namespace, prefix]) => `xmlns:${prefix}="${namespace}"`);
    const head = [
      "<wsdl:definitions",
      `name="Contract" targetNamespace="${targetNamespace}"`,
      `xmlns:tns="${targetNamespace}" xmlns:wsdl="${wsdlNamespace}" xmlns:xs="${xsdNamespace}"`,
      `xmlns:soap11="${wsdlSoap11Namespace}" xmlns:soap12="${wsdlSoap12Namespace}" xmlns:err="${errorNamespace}"`,
      ...declared,
    ].join(" ");
    const parts = [
      `<?xml version="1.0" encoding="utf-8"?>`,
      `${head}>`,
      `<wsdl:types>${this.#schemasText()}</wsdl:types>`,
      '<wsdl:message name="Error"><wsdl:part name="error" element="err:Error"/></wsdl:message>',
      ...this.#services.flatMap(({ operations }) => operations.map((operation) => this.#messages(operation))),
      ...this.#services.map(portType),
      ...this.#services.flatMap((service) => [binding(service, "soap11"), binding(service, "soap12")]),
      ...this.#services.map(({ name }) => serviceText(name, escapedAnyText(location))),
      "</wsdl:definitions>",
    ];
    return `${parts.join("\n")}\n`;
  }

  #prefixOf(namespace: string): string {
    return this.#prefixes.get(namespace) ?? "tns";
  }

  #schemasText(): string {
    const packages = Map.groupBy(this.#types, ({ file }) => packageNamespace(file.proto.package));
    const imports = (own: string): string =>
      [...packages.keys()]
        .filter((namespace) => namespace !== own)
        .map((namespace) => `<xs:import namespace="${namespace}"/>`)
        .join("");
    const schema = (namespace: string, content: string): string =>
      `<xs:schema targetNamespace="${namespace}">${imports(namespace)}${content}</xs:schema>`;
    const types = [...packages].map(([namespace, own]) =>
      schema(namespace, own.map((type) => this.#schemas.declaration(type)).join("\n")),
    );
    const elements = this.#services.map(({ operations }) =>
      schema(serviceNamespace(operations[0]), operations.map((operation) => this.#elements(operation)).join("\n")),
    );
    return [errorSchema, ...types, ...elements].join("\n");
  }

  #elements(operation: Operation): string {
    const { input, output } = operation;
    return this.#element(requestElement(operation), input) + this.#element(answerElement(operation), output);
  }

  #element(name: string, message: DescMessage): string {
    if (!isInline(message)) return `<xs:element name="${name}" type="${this.#schemas.reference(message)}"/>`;
    const sequence = this.#schemas.sequence(message);
    return `<xs:element name="${name}"><xs:complexType>${sequence}</xs:complexType></xs:element>`;
  }

  #messages(operation: Operation): string {
    const { parent, name } = operation.method;
    const prefix = this.#prefixOf(serviceNamespace(operation));
    const message = (suffix: string, element: string): string =>
      `<wsdl:message name="${parent.typeName}.${name}.${suffix}"><wsdl:part name="parameters" element="${prefix}:${element}"/></wsdl:message>`;
    return message("Input", requestElement(operation)) + message("Output", answerElement(operation));
  }
}

function portType({ name, operations: [first, ...others] }: ServicePart): string {
  const operations = [first, ...others].map(({ method }) => {
    const message = `tns:${name}.${method.name}`;
    const comment = commentAbove(method);
    const parts = [
      comment === "" ? "" : `<wsdl:documentation>${escapedAnyText(comment)}</wsdl:documentation>`,
      `<wsdl:input message="${message}.Input"/>`,
      `<wsdl:output message="${message}.Output"/>`,
      '<wsdl:fault name="Error" message="tns:Error"/>',
    ];
    return `<wsdl:operation name="${method.name}">${parts.join("")}</wsdl:operation>`;
  });
  return `<wsdl:portType name="${name}">${operations.join("\n")}</wsdl:portType>`;
}

function binding({ name, operations: [first, ...others] }: ServicePart, soap: "soap11" | "soap12"): string {
  const body = `<${soap}:body use="literal"/>`;
  const operations = [first, ...others].map((operation) => {
    const parts = [
      `<${soap}:operation soapAction="${actionOf(operation)}" style="document"/>`,
      `<wsdl:input>${body}</wsdl:input><wsdl:output>${body}</wsdl:output>`,
      `<wsdl:fault name="Error"><${soap}:fault name="Error" use="literal"/></wsdl:fault>`,
    ];
    return `<wsdl:operation name="${operation.method.name}">${parts.join("")}</wsdl:operation>`;
  });
  const transport = `<${soap}:binding style="document" transport="${httpTransport}"/>`;
  return `<wsdl:binding name="${name}.${soap}" type="tns:${name}">${transport}${operations.join("\n")}</wsdl:binding>`;
}

function serviceText(name: string, location: string): string {
  const ports = (["soap11", "soap12"] as const).map(
    (soap) =>
      `<wsdl:port name="${name}.${soap}" binding="tns:${name}.${soap}"><${soap}:address location="${location}"/></wsdl:port>`,
  );
  return `<wsdl:service name="${name}">${ports.join("")}</wsdl:service>`;
}

const partsOf = memoize((contract: Contract) => new Wsdl(contract));

/** The description of a contract. @param location the address of the endpoint */
export function wsdlOf(contract: Contract, location: string): string {
  return partsOf(contract).text(location);
}
