const NUMBER = /-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const QUOTE = '"'
const BACKSLASH = '\\'
const [ZERO, NINE, MINUS, QUOTE_CODE] = [0x30, 0x39, 0x2d, 0x22]

/** `JSON.parse` that returns each number as its text, without floating point. */
export function parseExactJson(text: string): unknown {
  const parts: string[] = []
  let copied = 0
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    const end = code === QUOTE_CODE ? endOfString(text, at) : endOfNumber(text, at, code)
    if (code !== QUOTE_CODE && end > at) {
      parts.push(text.slice(copied, at), text.slice(at, end))
      copied = end
    }
    at = Math.max(end, at + 1)
  }
  parts.push(text.slice(copied))
  // Quotes every number.
  return JSON.parse(parts.join(QUOTE))
}

/** Skips a string, whose digits are not numbers. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf(QUOTE, start + 1); end > 0; end = text.indexOf(QUOTE, end + 1)) {
    let escapes = 0
    while (text[end - 1 - escapes] === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return end + 1
  }
  return text.length
}

/** The end of a number; `start` if there is no number. */
function endOfNumber(text: string, start: number, code: number): number {
  if (code !== MINUS && (code < ZERO || code > NINE)) return start
  NUMBER.lastIndex = start
  return NUMBER.test(text) ? NUMBER.lastIndex : start
}
