// A real browser for tests of pages: Chromium, headless, from where the machine has it.
import { browserHere, needing } from "../../../../.ci/needs/needing.ts";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

export const inBrowser = await needing("browser");

export async function launchBrowser(): Promise<Browser> {
  const executablePath = browserHere();
  if (executablePath === undefined) throw new Error("no Chromium: give tests that start it the options `inBrowser`");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
}

/** A page with what it said and asked for while it was open. */
export interface OpenedPage {
  readonly page: Page;
  /** Console messages, errors and violations of the content security policy. */
  readonly complaints: readonly string[];
  /** Every address that was asked for, the document's own first. */
  readonly requests: readonly string[];
}

export async function openPage(browser: Browser, url: string, options: BrowserContextOptions): Promise<OpenedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(url);
  return { page, complaints, requests };
}
