// Sentences for text fields, by the purpose of the field, so that made-up texts are plausible.

/** Greetings without a name, since the caller knows who is greeted. */
export const greetings = [
  "Hello, and welcome!",
  "Welcome back!",
  "Good morning!",
  "Nice to meet you.",
  "Good to see you again.",
] as const;

export const messages = [
  "Your order is on its way.",
  "The meeting has moved to three o'clock.",
  "Thank you, we have received your request.",
  "Your booking is confirmed.",
  "The report is ready.",
  "We will call you back tomorrow morning.",
  "Your appointment is on Thursday at ten.",
  "The invoice was sent to your address.",
] as const;

export const notes = [
  "Please ring twice.",
  "Leave it with the neighbour if nobody is at home.",
  "Asked for an invoice by post.",
  "Prefers to be called in the afternoon.",
  "The second delivery goes to the warehouse.",
  "Checked, and found in good order.",
  "To be looked at again next week.",
  "Paid in advance.",
] as const;

export const reasons = [
  "The item is out of stock.",
  "The card has expired.",
  "The customer asked for it.",
  "The address could not be found.",
  "It was ordered twice.",
  "The time for it is over.",
] as const;

export const questions = [
  "When will it arrive?",
  "Can it be returned?",
  "Does it come in other colours?",
  "How long does it take?",
  "Who can I talk to about it?",
] as const;

export const reviews = [
  "Does what it should, and arrived on time.",
  "Good quality for the price.",
  "Smaller than I had thought, but very useful.",
  "We have used it every day since.",
  "The instructions could be clearer.",
] as const;

export const descriptions = [
  "For everyday use, in several sizes.",
  "A short overview with all that is needed to begin.",
  "Made for small teams that work in different places.",
  "Everything that belongs to the spring edition.",
  "Replaces the version of last year.",
  "Covers the most common cases.",
] as const;
