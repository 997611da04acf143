const [NEWLINE, OPEN_LIST, CLOSE_LIST] = [10, 91, 93]
/** How nodes begin an answer: the keys in the one order or the other. */
const BEGINNINGS = ['{"jsonrpc":"2.0",', '{"id":'].map((text) => Buffer.from(text))
const COMMA = Buffer.from(',')

/**
 * The answers to a batch, each as it would have come alone: found by how they begin, which no text
 * within an answer can look like, since its quotes are escaped there. Null where they are not
 * plainly as many as were asked for. A part may still be none, where a result holds what looks like
 * an answer: whoever reads it must read it whole, and find the number of its request.
 */
export function splitBatch(body: Buffer, count: number): Buffer[] | null {
  const last = body[body.length - 1] === NEWLINE ? body.length - 2 : body.length - 1
  if (body[0] !== OPEN_LIST || body[last] !== CLOSE_LIST) return null
  const beginning = BEGINNINGS.find((one) => one.equals(body.subarray(1, 1 + one.length)))
  if (beginning === undefined) return null
  const next = Buffer.concat([COMMA, beginning])
  const parts: Buffer[] = []
  for (let begin = 1; begin < last; ) {
    const comma = body.indexOf(next, begin)
    const end = comma === -1 ? last : comma
    if (parts.length === count) return null
    parts.push(body.subarray(begin, end))
    begin = end + 1
  }
  return parts.length === count ? parts : null
}
