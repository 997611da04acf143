import { parseExactJson } from './exact-json.ts'
import { Unfinished } from './http.ts'

/** Shorter bodies are cheap to parse. */
const DENSE_FROM_BYTES = 1_000_000
/**
 * Parsed objects and lists need memory by their number: `[{},{},…]` takes 22 bytes of heap per
 * byte, but with 16 bytes per object or list it takes less than 4, as long texts do (measured).
 * Valid answers have more bytes per object: measured were 113 in the densest XRP ledger, 150 in
 * verbose blocks of Bitcoin, 200 in trace_block, 256 with callTracer, 300 in logs, 380 in receipts
 * and 565 in blocks of EVM chains, 97 in blocks of TRON and 62 in the results of its transfers. The
 * formats allow 37 at least: outputs without a script, or an access list of addresses only.
 */
const BYTES_PER_BRACKET_MIN = 16
/** An immediate retry would return as much again. */
const DENSE_PAUSE_MS = 1_000
const [QUOTE, BACKSLASH, OPEN_LIST, OPEN_OBJECT] = [0x22, 0x5c, 0x5b, 0x7b]

/**
 * Parses the body of an answer; undefined if it is not JSON. Throws Unfinished, as for a body above
 * its limit, if it has more objects and lists than a valid answer (N09).
 */
export function parseBody(node: string, body: Buffer): unknown {
  demandSparse(node, body)
  return undefinedIfNone(() => JSON.parse(textOf(body)))
}

/** The same with each number as its text. */
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

/** Counts brackets outside of strings; strings of contracts may be full of them. */
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
