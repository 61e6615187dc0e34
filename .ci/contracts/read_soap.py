"""Reads SOAP answers with zeep, which knows the contract only from a WSDL file, and validates requests and answers by libxml2.

Takes the path of the WSDL. For each line of input, a JSON list of service, operation, request and answer (envelopes of SOAP 1.1),
it prints a JSON list of what is wrong with them.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import zeep
from lxml import etree

XS = "{http://www.w3.org/2001/XMLSchema}"
BODY = "{http://schemas.xmlsoap.org/soap/envelope/}Body"


def schema_in(wsdl: str) -> etree.XMLSchema:
    """The schemas of a WSDL document as one, which refer to each other by namespace only."""
    found = list(etree.parse(wsdl).iter(f"{XS}schema"))
    files = {schema.get("targetNamespace"): f"{index}.xsd" for index, schema in enumerate(found)}
    with tempfile.TemporaryDirectory() as folder:
        for schema in found:
            for reference in schema.iter(f"{XS}import"):
                reference.set("schemaLocation", files[reference.get("namespace")])
            (Path(folder) / files[schema.get("targetNamespace")]).write_bytes(etree.tostring(schema))
        main = etree.Element(f"{XS}schema")
        for namespace, file in files.items():
            etree.SubElement(main, f"{XS}import", namespace=namespace, schemaLocation=file)
        path = Path(folder) / "main.xsd"
        path.write_bytes(etree.tostring(main))
        return etree.XMLSchema(file=str(path))


def faults_in(client: zeep.Client, schema: etree.XMLSchema, call: list[str]) -> list[str]:
    service, operation, *envelopes = call
    read = [etree.fromstring(text.encode()) for text in envelopes]
    faults = []
    for what, envelope in zip(["request", "answer"], read):
        for element in envelope.iterfind(f"{BODY}/*"):
            if not schema.validate(element):
                faults.append(f"the {what}: {schema.error_log.last_error.message}")
    port = client.bind(service, f"{service}.soap11")
    try:
        port._binding.get(operation).process_reply(read[1])
    except Exception as thrown:  # noqa: BLE001 -- whatever zeep meets is a fault
        faults.append(f"zeep: {type(thrown).__name__}: {thrown}")
    return faults


def main() -> None:
    wsdl = sys.argv[1]
    client: Any = zeep.Client(wsdl)
    schema = schema_in(wsdl)
    for line in sys.stdin:
        print(json.dumps([fault[:300] for fault in faults_in(client, schema, json.loads(line))]), flush=True)


if __name__ == "__main__":
    main()
