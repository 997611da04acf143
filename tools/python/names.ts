/** Words that cannot name a variable in Python. */
const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except ' +
    'finally for from global if import in is lambda nonlocal not or pass raise return try while ' +
    'with yield self'
  ).split(' '),
)

/** Whether Python accepts the text as the name of a field. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !KEYWORDS.has(text)
}

/** `externalUserId` as `external_user_id`; a keyword gets an underscore at its end. */
export function snakeCase(text: string): string {
  const words = text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()
  return KEYWORDS.has(words) ? `${words}_` : words.replace(/^(?=[0-9])/, '_')
}

/** `externalUserId` and `webhook-id` as `ExternalUserId` and `WebhookId`. */
export function pascalCase(text: string): string {
  return text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, letter: string) =>
    letter.toUpperCase(),
  )
}

/** A text as a literal of Python. */
export function quoted(text: string): string {
  return JSON.stringify(text)
}
