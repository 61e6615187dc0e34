// Numbers in text. ProtoJSON takes a number as JSON writes it or as text, with or without an exponent; the text of a number is spelled as
// JSON spells it (RFC 8259, section 6): no plus sign, no leading zero, no space, no other base.

const alreadyPlain = /^(?:0|-?[1-9]\d{0,17})$/;
const jsonNumber = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** As many as the largest integer of 64 bits has. */
const maxDigits = 20;

/** Whether JSON would take this text for a number. */
export function isNumberText(text: string): boolean {
  return jsonNumber.test(text);
}

/**
 * The decimal digits of an integer, exact: `1e3` and `1000.0` are `1000`. Undefined for what is none, or has more digits than 64 bits
 * can. A text of any length takes time in proportion to it.
 */
export function integerIn(text: string): string | undefined {
  if (alreadyPlain.test(text)) return text;
  const [, sign, whole, fraction = "", exponent = "0"] = jsonNumber.exec(text) ?? [];
  if (sign === undefined || whole === undefined) return undefined;
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  while (start < end && digits[start] === "0") start += 1;
  while (end > start && digits[end - 1] === "0") end -= 1;
  if (start === end) return "0";
  const zeros = Number(exponent) - fraction.length + digits.length - end;
  if (zeros < 0 || end - start + zeros > maxDigits) return undefined;
  return `${sign}${digits.slice(start, end)}${"0".repeat(zeros)}`;
}
