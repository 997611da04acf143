const [NEWLINE, COMMA, LETTER_J, OPEN_LIST, CLOSE_LIST] = [10, 44, 106, 91, 93]
const KEY = Buffer.from('jsonrpc":"2.0",')
/** The beginning of an answer: a bracket and a quote, or the id as well. */
const BEFORE = /[[,](\{"(?:id":[0-9]{1,15},")?)$/
/** Answers consist mostly of hexadecimal digits, so the letter is rare. */
const LETTERS_MAX = 10_000
const BEFORE_MAX = ',{"id":,"'.length + 15

/**
 * Splits the body of a batch into its answers by the key that each begins with. A text in an answer
 * cannot contain the key, because its quotes are escaped. Null unless exactly `count` are found. A
 * result may contain an object that looks like an answer, so the reader must parse the whole part
 * and compare the id.
 */
export function splitBatch(body: Buffer, count: number): Buffer[] | null {
  const last = body[body.length - 1] === NEWLINE ? body.length - 2 : body.length - 1
  if (body[0] !== OPEN_LIST || body[last] !== CLOSE_LIST) return null
  const begins = beginsIn(body, count)
  if (begins.length !== count || begins[0] !== 1) return null
  const parts = begins.map((begin, at) => body.subarray(begin, (begins[at + 1] ?? last + 1) - 1))
  const areApart = begins.slice(1).every((begin) => body[begin - 1] === COMMA)
  return areApart ? parts : null
}

/** Offsets of answers, at most one more than `count`. */
function beginsIn(body: Buffer, count: number): number[] {
  const begins: number[] = []
  let at = body.indexOf(LETTER_J)
  for (let met = 0; at !== -1 && begins.length <= count && met < LETTERS_MAX; met += 1) {
    const begin = beginBefore(body, at)
    if (begin !== null) begins.push(begin)
    at = body.indexOf(LETTER_J, at + 1)
  }
  return begins
}

function beginBefore(body: Buffer, at: number): number | null {
  if (!body.subarray(at, at + KEY.length).equals(KEY)) return null
  const text = body.toString('latin1', Math.max(0, at - BEFORE_MAX), at)
  const [, opening] = BEFORE.exec(text) ?? []
  return opening === undefined ? null : at - opening.length
}
