// The page of a fake in a real browser, in light and dark mode.
import { builtInContract } from "@roundtrip/contract";
import { loadServe, serveDefaults, type RunningServer } from "@roundtrip/stacks";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inBrowser, launchBrowser, openPage, type OpenedPage } from "../../../report/test/support/browser.ts";
import { noFaults, stackWatch } from "../../src/index.ts";
import { serveControl, standaloneFake, type StandaloneFake } from "../../src/standalone/index.ts";

let browser: Browser;
let standalone: StandaloneFake;
let rest: RunningServer;
let graphql: RunningServer;
let control: RunningServer;
let opened: OpenedPage;
let page: Page;

beforeAll(async () => {
  const contract = builtInContract();
  standalone = standaloneFake({ contract, stubs: [], faults: noFaults });
  const watch = await stackWatch(standalone.fake, "rest-express");
  rest = await (await loadServe("rest-express"))(standalone.fake.service, { ...serveDefaults, watch });
  graphql = await (await loadServe("graphql-apollo"))(standalone.fake.service, serveDefaults);
  const urls = { "rest-express": rest.url, "graphql-apollo": graphql.url };
  control = await serveControl(standalone, { urls, settingsOf: () => ({}), ca: undefined, port: 0, shared: undefined });
  browser = await launchBrowser();
  opened = await openPage(browser, control.url, { colorScheme: "light", viewport: { width: 1400, height: 900 } });
  ({ page } = opened);
  await page.waitForSelector("body[data-ready]");
});
afterAll(async () => {
  await browser.close();
  await control.close();
  await rest.close();
  await graphql.close();
});
beforeEach(async () => {
  standalone.fake.reset();
  for (const { id } of standalone.stubs.all) standalone.stubs.remove(id);
  await page.getByRole("navigation").getByRole("link", { name: "SayHello" }).click();
});

async function greeting(session = ""): Promise<string> {
  const answer = await fetch(`${rest.url}/v1/hello?name=Ada`, { headers: { "x-roundtrip-session": session } });
  return ((await answer.json()) as { readonly message: string }).message;
}

const calls = () => page.getByRole("complementary").getByRole("listitem");

/** Clears the list. Resolves once the fake has none: a list that was empty before says nothing of that. */
async function clearCalls(): Promise<void> {
  const cleared = page.waitForResponse((response) => response.request().method() === "DELETE");
  await page.getByRole("button", { name: "Clear" }).click();
  await cleared;
  await page.getByText("No calls yet").waitFor();
}

describe("the page", inBrowser, () => {
  test("lists operations by service, finds them by name, and shows their form in each style", async () => {
    const links = page.locator("#operations a");
    await expect.poll(() => links.count()).toBe(standalone.fake.contract.operations.length);
    await page.getByLabel("Find an operation").fill("phone");
    await expect.poll(() => links.allInnerTexts()).toEqual(["GetCustomerPhoneNumber", "SetCustomerPhoneNumber"]);
    await page.getByLabel("Find an operation").fill("");
    await expect.poll(() => page.getByRole("main").getByRole("heading", { level: 2 }).innerText()).toBe("SayHello");
    await expect.poll(() => page.getByRole("main").locator("dl").innerText()).toContain("GET /v1/hello?name=");
    await expect.poll(() => page.locator("#operations a[aria-current]").innerText()).toBe("SayHello");
  });

  test("sends a call, shows its outcome, and makes a stub of it", async () => {
    await page.getByLabel("Request in JSON").fill('{ "name": "Ada" }');
    await page.getByLabel("Request in JSON").press("Control+Enter");
    await page.getByText(/^OK/).waitFor();
    await page.getByRole("button", { name: "Make a stub of this" }).click();
    const editor = page.getByLabel("New stub in YAML");
    await expect.poll(() => editor.inputValue()).toContain("name: Ada");
    const text = await editor.inputValue();
    await editor.fill(text.replace(/message: .*/, "message: from the page"));
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("added here").waitFor();
    await expect.poll(() => page.locator(":focus").innerText()).toBe("Add a stub");
    expect(await greeting()).toBe("from the page");
  });

  test("starts from a request that is answered, and can restore it", async () => {
    await page.getByRole("navigation").getByRole("link", { name: "GetCustomer", exact: true }).click();
    await page.getByRole("heading", { name: /GetCustomer/ }).waitFor();
    const request = page.getByLabel("Request in JSON");
    await expect.poll(() => request.inputValue()).toContain("id");
    const example = await request.inputValue();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText(/^OK/).waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Start over" }).isVisible()).toBe(false);
    await request.fill("{}");
    await page.getByRole("button", { name: "Start over" }).click();
    await expect.poll(() => request.inputValue()).toBe(example);
  });

  test("offers only styles that can carry the call, and lists the losses of the others", async () => {
    await page.getByRole("navigation").getByRole("link", { name: "Upload" }).click();
    await page.getByText(/^GraphQL cannot carry it: /).waitFor();
    await expect
      .poll(() => page.getByLabel("over", { exact: true }).locator("option").allInnerTexts())
      .toEqual(["REST"]);
  });

  test("shows what became of changed files", async () => {
    await greeting();
    await calls().first().waitFor();
    standalone.report("files not applied: stubs.yaml:1:1: no operation");
    const status = page.getByRole("status");
    await expect.poll(() => status.textContent()).toBe("files not applied: stubs.yaml:1:1: no operation");
    standalone.takeFiles({ stubs: [] });
    await expect.poll(() => status.textContent()).toBe("Applied: 0 stubs.");
  });

  test("shows a contract's comments as prose, with links and code but without markup", async () => {
    const html = await page.evaluate<string>(`import("./prose.js").then(({ proseView }) =>
      proseView("See [the\\nrules]\\n(https://example.com/a) of \`CODE\`,\\n<b>now</b>.\\n\\nMore [there](javascript:x).").outerHTML)`);
    expect(html).toContain('See <a href="https://example.com/a" target="_blank" rel="noreferrer">the rules</a> of');
    expect(html).toContain("<code>CODE</code>, &lt;b&gt;now&lt;/b&gt;.</p>");
    expect(html).toMatch(/<summary>Read on<\/summary><p>More there\.<\/p>/);
  });

  test("links to the pages of servers", async () => {
    const links = page.getByLabel("Addresses").getByRole("link");
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(hrefs).toEqual([`${rest.url}/docs`, graphql.url]);
  });

  test("makes a stub of a failed call, with its error details", async () => {
    await page.getByLabel("Request in JSON").fill('{ "name": "" }');
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("INVALID_ARGUMENT").first().waitFor();
    await page.getByRole("button", { name: "Make a stub of this" }).click();
    const editor = page.getByLabel("New stub in YAML");
    await expect.poll(() => editor.inputValue()).toContain("code: INVALID_ARGUMENT\n");
    expect(await editor.inputValue()).toContain("      violations:\n        - field: name\n");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Start over" }).click();
  });

  test("shows the line of a mistake in a stub while typing, and saves it once it is right", async () => {
    await page.getByRole("button", { name: "Add a stub" }).click();
    const editor = page.getByLabel("New stub in YAML");
    await editor.fill("operation: SayHello\nwhen: {}\nrespons: { message: x }\n");
    await page.getByText(/^Line 3: .*did you mean "response"\?/).waitFor();
    await expect.poll(() => editor.getAttribute("aria-invalid")).toBe("true");
    await page.getByRole("button", { name: "Save" }).click();
    expect(standalone.stubs.all).toEqual([]);
    await editor.fill("operation: SayHello\nwhen: {}\nresponse: { message: right }\n");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Edit" }).click();
    expect(await greeting()).toBe("right");
    await page
      .getByLabel("Stub in YAML", { exact: true })
      .fill("operation: SayHello\nresponse: { message: changed }\n");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Remove" }).waitFor();
    await expect.poll(() => page.locator(":focus").innerText()).toBe("Edit");
    expect(await greeting()).toBe("changed");
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Add a stub" }).waitFor();
    await page.getByText("added here").waitFor({ state: "detached" });
    expect(standalone.stubs.all).toEqual([]);
  });

  test("shows calls as they arrive, of one session if selected, with messages", async () => {
    await clearCalls();
    const message = await greeting("checkout");
    await greeting("other");
    await calls().nth(1).waitFor();
    await page.getByLabel("Session", { exact: true }).selectOption("checkout");
    await calls().nth(1).waitFor({ state: "detached" });
    await calls().locator("summary").click();
    await calls().getByText(message).waitFor();
    await expect.poll(() => calls().innerText()).toContain('"name": "Ada"');
    await page.getByRole("button", { name: "Reset" }).click();
    await page.getByText("No calls yet").waitFor();
    expect(standalone.fake.log.records).toMatchObject([{ session: "other" }]);
    await page.getByLabel("Session", { exact: true }).selectOption("all");
  });

  test("keeps calls that arrive while the list is read", async () => {
    await clearCalls();
    await page.route(
      "**/calls?summary*",
      async (route) => {
        const listBefore = await route.fetch();
        await greeting();
        // The page has the call before it has the list.
        await page.waitForTimeout(300);
        await route.fulfill({ response: listBefore });
      },
      { times: 1 },
    );
    const read = page.waitForEvent("requestfinished", (request) => request.url().includes("calls?summary"));
    await page.getByRole("button", { name: "Clear" }).click();
    await read;
    await page.waitForTimeout(100);
    await expect.poll(() => calls().count(), { timeout: 30_000 }).toBe(1);
  });

  test("shows requests that reached no operation, with a link to the nearest one", async () => {
    await clearCalls();
    await fetch(`${rest.url}/v1/custmers/7`);
    await calls().getByText("GET /v1/custmers/7", { exact: true }).click();
    await calls().getByText("UNIMPLEMENTED: there is nothing at /v1/custmers/7").waitFor();
    await calls().getByRole("link", { name: "GET /v1/customers/{id}" }).click();
    await expect.poll(() => page.getByRole("main").getByRole("heading", { level: 2 }).innerText()).toBe("GetCustomer");
    await page.reload();
    await calls().getByText("refused", { exact: true }).waitFor();
    await clearCalls();
  });

  test("adds a stub for one session, and shows why it did not match a call", async () => {
    await page.getByRole("button", { name: "Add a stub" }).click();
    await page
      .getByLabel("New stub in YAML")
      .fill("operation: SayHello\nwhen: { name: { glob: B* } }\nresponse: { message: x }\n");
    await page.getByLabel("only in session").fill("mine");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("only in session mine").waitFor();
    await clearCalls();
    await greeting("mine");
    await calls().locator("summary").click();
    await calls().getByText("Stub 1 did not match:").waitFor();
    await calls().getByText('name expected {"glob":"B*"}, got "Ada"').waitFor();
    await page.getByRole("main").getByRole("button", { name: "Remove" }).click();
    await page.getByText("only in session mine").waitFor({ state: "detached" });
    expect(standalone.stubs.all).toEqual([]);
  });

  test("shows and saves fault plans", async () => {
    await page.getByRole("link", { name: "Faults" }).click();
    await page.getByRole("button", { name: "flaky" }).click();
    await expect.poll(() => page.getByLabel("Fault plan").inputValue()).toBe("presets: [flaky]\n");
    await page.getByLabel("Fault plan").fill("faults: [{ operation: SayHelo, drop: true }]");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText('did you mean "SayHello"?').waitFor();
    await page.getByLabel("Fault plan").fill("faults: [{ operation: SayHello, error: { code: ABORTED } }]");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator("#fault-count").getByText("1").waitFor();
    expect((await fetch(`${rest.url}/v1/hello?name=Ada`)).status).toBe(409);
    await page.getByRole("button", { name: "No faults" }).click();
    await page.locator("#fault-count").getByText("1").waitFor({ state: "detached" });
    await greeting();
  });

  test("shows changes of stub files", async () => {
    standalone.takeFiles({
      stubs: [{ operation: "roundtrip.v1.HelloService.SayHello", "made-up": true }],
    });
    await page.getByText("from a file").waitFor();
    await expect.poll(() => page.locator("#stub-count").innerText()).toBe("1");
    standalone.takeFiles({ stubs: [] });
    await page.getByText("from a file").waitFor({ state: "detached" });
  });

  test.each(["light", "dark"] as const)("meets accessibility rules, in %s colours", async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.locator(".outcome").waitFor();
    await calls().first().locator("summary").click();
    await page.getByRole("button", { name: "Add a stub" }).click();
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<axe.AxeResults>("axe.run({ resultTypes: ['violations'] })");
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    await page.getByRole("button", { name: "Cancel" }).click();
  });

  test("names the style of each call and refused request", async () => {
    await clearCalls();
    await greeting();
    await fetch(`${rest.url}/v1/helo`);
    await calls().getByText("refused").waitFor();
    expect(await calls().locator(".style").allInnerTexts()).toEqual(["REST", "REST"]);
  });

  test("shows calls before stubs on a narrow screen, and 30 stubs in 2,000 pixels", async () => {
    const stubs = Array.from({ length: 30 }, (_, index) => [
      {
        operation: "roundtrip.v1.HelloService.SayHello",
        when: { name: `name ${index}` },
        response: { message: `hello ${index}` },
      },
      {
        operation: "roundtrip.v1.InvoiceService.CreateInvoice",
        when: { invoice: { customerId: index + 1 } },
        response: {},
      },
    ]);
    standalone.takeFiles({ stubs: stubs.flat() });
    await page.setViewportSize({ width: 360, height: 700 });
    const stub = page.getByRole("main").getByText(/^SayHello when: name: name 29 /);
    const ofLongRequest = page.getByRole("main").getByText(/^CreateInvoice when: invoice: customer_?[iI]d: 30 /);
    for (const [name, shown] of [
      ["CreateInvoice", ofLongRequest],
      ["SayHello", stub],
      ["All stubs", ofLongRequest],
    ] as const) {
      await page.getByRole("navigation").getByRole("link", { name }).click();
      await shown.waitFor();
      expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThanOrEqual(2_000);
      const [callsBox, stubsBox] = await Promise.all([
        page.getByRole("complementary").boundingBox(),
        page.getByRole("main").boundingBox(),
      ]);
      expect(callsBox?.y).toBeLessThan(stubsBox?.y ?? 0);
    }
    await stub.click();
    await page.getByLabel("Stub", { exact: true }).getByText("message: hello 29").waitFor();
    standalone.takeFiles({ stubs: [] });
    await page.setViewportSize({ width: 1400, height: 900 });
  });

  test("fits a narrow screen, loads nothing from other origins, and logs no other errors", async () => {
    await page.setViewportSize({ width: 360, height: 700 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    expect(opened.requests.filter((url) => !url.startsWith(control.url))).toEqual([]);
    expect(opened.complaints.filter((text) => !text.includes("400 (Bad Request)"))).toEqual([]);
  });
});
