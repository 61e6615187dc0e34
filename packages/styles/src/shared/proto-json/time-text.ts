// Times and durations as text. Date.parse would read an invalid day as the next one.

const time = /^\d{4}-(\d\d)-(\d\d)T(\d\d):\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-](\d\d):(\d\d))$/;
const duration = /^(-?)(\d+)(?:\.(\d{1,9}))?s$/;
const onlyZeros = /^0*$/;

const daysIn = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDayOf(year: number, month: number, day: number): boolean {
  const isLeapDay = month === 2 && day === 29 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return isLeapDay || (day >= 1 && day <= (daysIn[month - 1] ?? 0));
}

/** Whether a text is an RFC 3339 time with an existing day and hour. Does not check the range of years. */
export function isTimeText(text: string): boolean {
  const [matched, month, day, hour, offsetHour = "0", offsetMinute = "0"] = time.exec(text) ?? [];
  if (matched === undefined) return false;
  return (
    isDayOf(Number(text.slice(0, 4)), Number(month), Number(day)) &&
    Number(hour) < 24 &&
    Number(offsetHour) < 24 &&
    Number(offsetMinute) < 60
  );
}

/** Normalises a duration: a zero loses its sign. Undefined for invalid text. */
export function durationText(text: string): string | undefined {
  const [matched, sign, seconds, fraction = ""] = duration.exec(text) ?? [];
  if (matched === undefined || seconds === undefined) return undefined;
  if (sign === "" || !onlyZeros.test(fraction)) return text;
  return onlyZeros.test(seconds) ? "0s" : `-${seconds}s`;
}
