const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g

/**
 * Parses JSON so that no number passes through floating point: each comes as the text that stands
 * there, in the place of a number. Throws a SyntaxError as `JSON.parse` does.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text.replaceAll(STRING_OR_NUMBER, quoteNumber))
}

/** Whatever stands in a string is left alone. */
function quoteNumber(token: string): string {
  return token.startsWith('"') ? token : `"${token}"`
}
