import type { BitcoinChain } from '../bitcoin-chain.ts'
import { serializeBlock } from './block.ts'
import { writeJson } from './json.ts'
import { BITCOIN_METHODS } from './methods.ts'

interface RestAnswer {
  status: number
  type: string
  body: string | Buffer
}

/** Core's REST interface, for blocks only: it requires no credentials. */
export function answerRest(chain: BitcoinChain, path: string): RestAnswer {
  if (path === '/rest/chaininfo.json') {
    const info = BITCOIN_METHODS['getblockchaininfo']?.(chain, [])
    return { status: 200, type: 'application/json', body: `${writeJson(info)}\n` }
  }
  const [, hash] = /^\/rest\/block\/([^/]*)\.bin$/.exec(path) ?? []
  if (hash === undefined) return refused(404, '')
  if (!/^[0-9a-fA-F]{64}$/.test(hash)) return refused(400, `Invalid hash: ${hash}`)
  const block = chain.blockAt(hash.toLowerCase())
  if (block === undefined) return refused(404, `${hash} not found`)
  return { status: 200, type: 'application/octet-stream', body: serializeBlock(block) }
}

function refused(status: number, why: string): RestAnswer {
  return { status, type: 'text/plain', body: why === '' ? '' : `${why}\r\n` }
}
