// The addresses of the fake: with links to pages, buttons to copy, and commands for servers without a page.
import { announce, element } from "./element.js";

function copyButton(text, label) {
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    announce("Copied.");
  };
  return element("button", { type: "button", class: "quiet", "aria-label": label, onclick: copy }, "Copy");
}

function addressOf({ url, page, hint }, index) {
  if (page !== undefined) {
    const open = { href: page.url, target: "_blank", rel: "noreferrer", title: `Open: ${page.title}` };
    return [element("a", { class: "address", ...open }, url)];
  }
  if (hint === undefined) return [element("code", { class: "address" }, url)];
  const id = `hint-${index}`;
  return [
    element("button", { type: "button", class: "address", popovertarget: id, title: "Command for tools" }, url),
    element(
      "div",
      { id, popover: "auto", class: "hint" },
      element("p", {}, hint.text),
      element("pre", { tabindex: "0", "aria-label": "Command" }, hint.command),
      copyButton(hint.command, "Copy the command"),
    ),
  ];
}

export function serverItem(server, index) {
  return element(
    "li",
    {},
    element("span", {}, server.title),
    ...addressOf(server, index),
    copyButton(server.url, `Copy the address of ${server.title}`),
  );
}
