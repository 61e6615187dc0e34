// What a fake threw itself: in the log and in the terminal, and not in the answer of its caller.
import { create } from "@bufbuild/protobuf";
import { builtInContract, ServerCall } from "@roundtrip/contract";
import { createFake } from "@roundtrip/fakes";
import { expect, it } from "vitest";
import { printInternalErrors } from "../src/serving/serving.ts";

const contract = builtInContract();
const sayHello = contract.operation("roundtrip.v1.HelloService.SayHello");

/** What is written to the terminal meanwhile. */
async function terminalOf(work: () => Promise<void>): Promise<string> {
  const { stderr } = process;
  const write = stderr.write.bind(stderr);
  let text = "";
  stderr.write = (written: string) => {
    text += written;
    return true;
  };
  try {
    await work();
  } finally {
    stderr.write = write;
  }
  return text;
}

it("is printed with the operation and its stack, and kept in the log", async () => {
  const handlers = new Map([
    [
      sayHello.id,
      () => {
        throw new TypeError("the tea is cold");
      },
    ],
  ]);
  const fake = createFake({ contract, handlers });
  const call = async (): Promise<void> => {
    using printing = new DisposableStack();
    printing.use(printInternalErrors());
    const answer = fake.service.call(sayHello, create(sayHello.input, { name: "Ada" }), new ServerCall());
    await answer;
  };
  const text = await terminalOf(async () => {
    await expect(call()).rejects.toThrow("internal error");
  });
  expect(text).toMatch(
    /^roundtrip: INTERNAL in roundtrip\.v1\.HelloService\.SayHello: TypeError: the tea is cold\n +at /,
  );
  const [record] = fake.log.records;
  expect(record).toMatchObject({ outcome: "INTERNAL", message: "internal error" });
  expect(record?.cause).toMatch(/^TypeError: the tea is cold\n +at /);
});
