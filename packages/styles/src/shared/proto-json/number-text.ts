// Numbers as text. ProtoJSON accepts a number as a JSON number or as text, with or without an exponent. The text must be a valid JSON number
// (RFC 8259, section 6): no plus sign, no leading zero, no space, no other base.

const alreadyPlain = /^(?:0|-?[1-9]\d{0,17})$/;
const jsonNumber = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The digits of the largest 64-bit integer. */
const maxDigits = 20;

/** Whether the text is a valid JSON number. */
export function isNumberText(text: string): boolean {
  return jsonNumber.test(text);
}

/**
 * The decimal digits of an integer, exact: `1e3` and `1000.0` are `1000`. Undefined for any other text, and for more digits than 64 bits can
 * have. The time is linear in the length of the text.
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
