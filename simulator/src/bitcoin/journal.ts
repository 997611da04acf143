import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { BitcoinChain } from '../bitcoin-chain.ts'
import { serializeBlock } from './block.ts'

const CAME = '+'
const LEFT = '-'

/**
 * Keeps a simulated chain in a file: replays it at start, then appends a line for every block that
 * is added or invalidated. A truncated line is ignored.
 */
export function keepChain(chain: BitcoinChain, file: string): void {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  for (const line of text.split('\n').slice(0, -1)) replay(chain, line)
  chain.watch({
    came: (block) => appendFileSync(file, `${CAME}${serializeBlock(block).toString('hex')}\n`),
    left: (block) => appendFileSync(file, `${LEFT}${block.hash}\n`),
  })
}

function replay(chain: BitcoinChain, line: string): void {
  const what = line.slice(1)
  if (line.startsWith(CAME)) chain.take(Buffer.from(what, 'hex'))
  const block = line.startsWith(LEFT) ? chain.blockAt(what) : undefined
  if (block !== undefined) chain.invalidate(block)
}
