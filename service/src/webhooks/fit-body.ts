/** Standard Webhooks 1.0, "Payload": receivers may refuse larger payloads. In bytes. */
const BODY_BYTES_MAX = 20_000
/** The most bytes of a character. */
const BYTES_EACH_MAX = 3
/**
 * The length of a truncated text. Amounts and addresses are shorter, and an end user's id is at
 * most 255 characters of two units each.
 */
const TEXT_KEPT = 510

/**
 * The text of an event that is stored, signed and sent. If it would exceed the size that a receiver
 * must accept, long texts are truncated; only reasons and references are that long.
 */
export function fitBody(envelope: object): string {
  const body = JSON.stringify(envelope)
  const isSurelySmall = body.length * BYTES_EACH_MAX <= BODY_BYTES_MAX
  if (isSurelySmall || Buffer.byteLength(body) <= BODY_BYTES_MAX) return body
  return JSON.stringify(envelope, (_key, value: unknown) =>
    typeof value === 'string' && value.length > TEXT_KEPT ? cut(value) : value,
  )
}

/** Whole characters only: a lone surrogate is not valid text. */
function cut(text: string): string {
  return `${text.slice(0, TEXT_KEPT).replace(/[\ud800-\udbff]$/, '')}…`
}
