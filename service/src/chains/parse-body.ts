import { parseExactJson } from './exact-json.ts'
import { Unfinished } from './http.ts'

/** Shorter ones cost little, whatever they hold. */
const DENSE_FROM_BYTES = 1_000_000
/**
 * Objects and lists cost memory for their number more than for their length: `[{},{},…]` takes 22
 * bytes of heap for each of its own, one with 16 bytes to an object or list below 4, which is no
 * more than long texts do (measured). True answers have far fewer. Measured were 113 bytes to one
 * in the densest XRP ledger (an old one, as JSON), 150 in verbose blocks of Bitcoin, 200 in
 * trace_block, 256 with callTracer, 300 in logs, 380 in receipts and 565 in blocks of EVM chains,
 * 97 in blocks of TRON and 62 in what plain transfers did there. The least that the formats allow
 * is 37: outputs without a script, or an access list of addresses alone.
 */
const BYTES_PER_BRACKET_MIN = 16
/** Asked again at once, the node would send as much again. */
const DENSE_PAUSE_MS = 1_000
const [QUOTE, BACKSLASH, OPEN_LIST, OPEN_OBJECT] = [0x22, 0x5c, 0x5b, 0x7b]

/**
 * What the body of a node's answer says; undefined where it is no JSON. Unfinished, as a body above
 * its limit is, where it holds more objects and lists than a true one can: parsed, they would take
 * many times its length (N09).
 */
export function parseBody(node: string, body: Buffer): unknown {
  demandSparse(node, body)
  return undefinedIfNone(() => JSON.parse(textOf(body)))
}

/** The same, the numbers as the texts that stand there. */
export function parseBodyExactly(node: string, body: Buffer): unknown {
  demandSparse(node, body)
  return undefinedIfNone(() => parseExactJson(textOf(body)))
}

/** Without a byte order mark (RFC 8259, 8.1: a parser may ignore one). */
function textOf(body: Buffer): string {
  return body.toString('utf8').replace(/^\uFEFF/, '')
}

function undefinedIfNone(parse: () => unknown): unknown {
  try {
    return parse()
  } catch {
    return undefined
  }
}

function demandSparse(node: string, body: Buffer): void {
  if (body.length <= DENSE_FROM_BYTES || !isDense(body)) return
  const says = `answered ${body.length} bytes with more objects and lists than a true answer has`
  throw new Unfinished(node, says, { retryAfterMs: DENSE_PAUSE_MS })
}

/** Brackets in texts are no objects: what a stranger's contract says may be full of them. */
function isDense(body: Buffer): boolean {
  let left = Math.floor(body.length / BYTES_PER_BRACKET_MIN)
  let isText = false
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]
    if (isText && byte === BACKSLASH) at += 1
    else if (byte === QUOTE) isText = !isText
    else if (!isText && (byte === OPEN_OBJECT || byte === OPEN_LIST)) left -= 1
    if (left < 0) return true
  }
  return false
}
