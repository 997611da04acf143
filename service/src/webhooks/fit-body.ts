/** Standard Webhooks 1.0, "Payload": receivers may refuse what is larger. In bytes. */
const BODY_BYTES_MAX = 20_000
/** No character takes more bytes than this. */
const BYTES_EACH_MAX = 3
/**
 * What is left of a text that is cut. Amounts and addresses are shorter, and an end user's id is no
 * longer: 255 characters of two units each.
 */
const TEXT_KEPT = 510

/**
 * An event as the text that is stored, signed and sent. Where that would be larger than a receiver
 * must take, long texts are cut, which only what people wrote can be: reasons and references.
 */
export function fitBody(envelope: object): string {
  const body = JSON.stringify(envelope)
  const isSurelySmall = body.length * BYTES_EACH_MAX <= BODY_BYTES_MAX
  if (isSurelySmall || Buffer.byteLength(body) <= BODY_BYTES_MAX) return body
  return JSON.stringify(envelope, (_key, value: unknown) =>
    typeof value === 'string' && value.length > TEXT_KEPT ? cut(value) : value,
  )
}

/** Whole characters only: half of one is no text. */
function cut(text: string): string {
  return `${text.slice(0, TEXT_KEPT).replace(/[\ud800-\udbff]$/, '')}…`
}
