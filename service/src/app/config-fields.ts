import { isAbsolute } from 'node:path'
import type { Explorer } from '../catalogue/chains.ts'

/** A parsed value of the configuration file, or what is wrong with it. */
type Reading<T> = { value: T } | { wrong: string }

/** One key below a chain's id or in a token of the configuration file. */
export interface Field<T> {
  read: (input: unknown) => Reading<T>
  /** The default; without one the key is required. */
  default?: T
  doc: string
  /** Its JSON text. */
  example: string
}

export interface NodeConfig {
  url: string
  /** TRON: the URL of the solidity interface, if it differs. */
  solidity?: string
  /** XRP Ledger: the WebSocket URL. */
  ws?: string
  headers: Readonly<Record<string, string>>
  /** Bitcoin: the file with the user and password of the node. */
  cookieFile?: string
}

/** Prevents the default from widening the type of `read`. */
const field = <const T>(one: Field<T>): Field<T> => one

const text = (input: unknown): Reading<string> =>
  typeof input === 'string' ? { value: input } : { wrong: 'must be text' }

const whole =
  (from: number, to: number) =>
  (input: unknown): Reading<number> => {
    const fits = typeof input === 'number' && Number.isInteger(input) && input >= from
    return fits && input <= to
      ? { value: input }
      : { wrong: `must be a whole number from ${from} to ${to}` }
  }

const oneOf =
  <const T extends string>(...values: readonly T[]) =>
  (input: unknown): Reading<T> => {
    const value = values.find((one) => one === input)
    return value === undefined ? { wrong: `must be ${values.join(' or ')}` } : { value }
  }

const orNull =
  <T>(read: (input: unknown) => Reading<T>) =>
  (input: unknown): Reading<T | null> =>
    input === null ? { value: null } : read(input)

const amount = (input: unknown): Reading<bigint> =>
  typeof input === 'string' && /^[1-9][0-9]{0,77}$/.test(input)
    ? { value: BigInt(input) }
    : { wrong: 'must be base units above zero, as text' }

const blockId = (input: unknown): Reading<string> =>
  typeof input === 'string' && /^0{4}[0-9a-f]{60}$/.test(input)
    ? { value: input }
    : { wrong: 'must be the id of a TRON block, 64 hexadecimal digits' }

function nodes(input: unknown): Reading<readonly NodeConfig[]> {
  const wrong = 'must be a list of HTTP or HTTPS addresses, or of objects with url and headers'
  if (!Array.isArray(input)) return { wrong }
  const read = input.flatMap((item: unknown) => readNode(item) ?? [])
  return read.length === input.length ? { value: read } : { wrong }
}

function readNode(input: unknown): NodeConfig | null {
  if (typeof input === 'string') return isHttp(input) ? { url: input, headers: {} } : null
  if (!isRecord(input)) return null
  const { url, solidity, cookieFile, ws, headers = {}, ...others } = input
  if (typeof url !== 'string' || !isHttp(url) || Object.keys(others).length > 0) return null
  if (!isTexts(headers)) return null
  if (cookieFile !== undefined) {
    const isFile = typeof cookieFile === 'string' && isAbsolute(cookieFile)
    return isFile && new URL(url).username === '' ? { url, headers, cookieFile } : null
  }
  if (ws !== undefined) return isAddress(ws, 'ws:', 'wss:') ? { url, ws, headers } : null
  if (solidity === undefined) return { url, headers }
  return typeof solidity === 'string' && isHttp(solidity) ? { url, solidity, headers } : null
}

function isHttp(url: string): boolean {
  return isAddress(url, 'http:', 'https:')
}

function isAddress(input: unknown, ...protocols: readonly string[]): input is string {
  if (typeof input !== 'string' || !URL.canParse(input)) return false
  return protocols.includes(new URL(input).protocol)
}

function explorer(input: unknown): Reading<Explorer | 'catalogue' | null> {
  if (input === null || input === 'catalogue') return { value: input }
  const { tx, address, ...others } = isRecord(input) ? input : {}
  const fits = isTemplate(tx, '{hash}') && isTemplate(address, '{address}')
  return fits && Object.keys(others).length === 0
    ? { value: { tx, address } }
    : {
        wrong:
          'must be null, "catalogue", or HTTPS addresses tx with {hash}, address with {address}',
      }
}

/** Whether a text is an HTTPS address, without credentials, with one place for a value. */
function isTemplate(input: unknown, place: string): input is string {
  if (typeof input !== 'string' || input.split(place).length !== 2) return false
  const filled = input.replace(place, 'x')
  if (/[{}\s]/.test(filled) || !isAddress(filled, 'https:')) return false
  const { host, username, password } = new URL(filled)
  const isFixed = new URL(input.replace(place, 'y')).host === host
  return isFixed && username === '' && password === ''
}

/** Whether a value of a JSON text is an object. */
export function isRecord(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

function isTexts(input: unknown): input is Record<string, string> {
  return isRecord(input) && Object.values(input).every((value) => typeof value === 'string')
}

/** The keys of a chain. */
export const CHAIN_FIELDS = {
  nodes: field({
    read: nodes,
    default: [],
    doc: 'URLs of nodes, the first one preferred. Empty: the chain is not followed.',
    example: '["http://127.0.0.1:8545"]',
  }),
  confirmations: field({
    read: orNull(whole(0, 100_000)),
    default: null,
    doc:
      'Confirmations that settle a deposit. null: the default of ' +
      '[the catalogue](#defaults-of-the-catalogue), which also lists chains settled by a final ' +
      'block.',
    example: '3',
  }),
  startHeight: field({
    read: orNull(whole(0, Number.MAX_SAFE_INTEGER)),
    default: null,
    doc: 'The first block to read on first contact. null: the head.',
    example: '19000000',
  }),
  traces: field({
    read: oneOf('auto', 'trace', 'debug', 'off'),
    default: 'auto',
    doc:
      'How payments in internal calls are detected. `trace`: by `trace_block`; `debug`: by ' +
      '`debug_traceBlockByHash`; `off`: not at all; `auto`: as the nodes can.',
    example: '"auto"',
  }),
  completeness: field({
    read: oneOf('receipts', 'logs'),
    default: 'receipts',
    doc: '`receipts`: blocks are proved complete. `logs`: the node is trusted; less work.',
    example: '"receipts"',
  }),
  pollMs: field({
    read: orNull(whole(50, 60_000)),
    default: null,
    doc: 'Milliseconds between two queries for a new block. null: the setting `pollMs`.',
    example: '1000',
  }),
  feeCap: field({
    read: orNull(amount),
    default: null,
    doc:
      'The maximum fee of one transaction, in base units. null: as ' +
      '[the catalogue](#defaults-of-the-catalogue) says.',
    example: '"50000000000000000"',
  }),
  feePercent: field({
    read: whole(1, 100),
    default: 10,
    doc:
      'The maximum fee of a withdrawal of the native currency, in percent of its amount, if that ' +
      'is less than `feeCap`. XRP Ledger: a replacement may cost the amount held for its fee if ' +
      'higher. Bitcoin: a child that pays for its parent is limited by `feeCap` only.',
    example: '10',
  }),
  gasLimit: field({
    read: orNull(amount),
    default: null,
    doc: 'The maximum gas of a payment to a contract. null: 100000.',
    example: '"100000"',
  }),
  tokenGasLimit: field({
    read: orNull(amount),
    default: null,
    doc: 'The maximum gas of a token payment. null: 300000.',
    example: '"300000"',
  }),
  feeBumpAfterBlocks: field({
    read: orNull(whole(1, 100_000)),
    default: null,
    doc:
      'Blocks after which a transaction is replaced with a higher fee. null: two minutes of ' +
      'blocks, at least 3.',
    example: '10',
  }),
  withdrawalBatchMax: field({
    read: whole(1, 100),
    default: 100,
    doc: 'Bitcoin: the maximum number of withdrawals in one transaction. 1: no batches.',
    example: '20',
  }),
  consolidateFromCoins: field({
    read: orNull(whole(2, 100_000)),
    default: null,
    doc:
      'Number of unspent outputs above which the smaller half is consolidated; outputs worth ' +
      'less than their fee do not count. null: never.',
    example: '200',
  }),
  consolidateBelowPerKvb: field({
    read: orNull(amount),
    default: null,
    doc:
      'The fee rate for 1000 virtual bytes, in base units, below which outputs are consolidated ' +
      'and stuck consolidations replaced. null: never.',
    example: '"3000"',
  }),
  addressType: field({
    read: orNull(oneOf('p2wpkh', 'p2tr')),
    default: null,
    doc: 'Bitcoin: type of new addresses, `p2wpkh` (BIP-84) or `p2tr` (BIP-86). null: `p2wpkh`.',
    example: '"p2tr"',
  }),
  genesis: field({
    read: orNull(blockId),
    default: null,
    doc:
      'TRON: the id of the first block of a private network, or of a later one if its nodes lack ' +
      'the first. Set it before first contact. null: the public network.',
    example: '"0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc"',
  }),
  explorer: field({
    read: explorer,
    default: 'catalogue',
    doc:
      'URLs of a block explorer for links in user interfaces: `tx` with `{hash}`, `address` with ' +
      '`{address}`. null: no links, for private networks. `"catalogue"`: the public explorer of ' +
      'the chain.',
    example:
      '{"tx": "https://explorer.example/tx/{hash}", ' +
      '"address": "https://explorer.example/address/{address}"}',
  }),
  tickets: field({
    read: whole(0, 200),
    default: 8,
    doc: 'XRP Ledger: how many payments of a base account can be pending at once. 0: one.',
    example: '8',
  }),
} as const

/** The keys of a token. */
export const TOKEN_FIELDS = {
  id: field({
    read: text,
    doc: 'Its CAIP-19 id: chain, standard and contract.',
    example: '"eip155:11155111/erc20:0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238"',
  }),
  name: field({ read: text, doc: 'Its display name.', example: '"USD Coin"' }),
  symbol: field({ read: text, doc: 'Its symbol, as reported by the contract.', example: '"USDC"' }),
  decimals: field({
    read: whole(0, 77),
    doc: 'Its decimals, as reported by the contract.',
    example: '6',
  }),
  minimumAmount: field({
    read: orNull(amount),
    default: null,
    doc:
      'The smallest deposit and withdrawal, in base units. null: 1. If it is lowered, waiting ' +
      'deposits that reach it are credited after a restart.',
    example: '"1000000"',
  }),
  maximumWithdrawalAmount: field({
    read: orNull(amount),
    default: null,
    doc: 'The largest withdrawal, in base units. null: no limit.',
    example: '"1000000000000"',
  }),
  sweepAmount: field({
    read: orNull(amount),
    default: null,
    doc: 'The balance from which it is swept. null: ten times the minimum, or ten whole units.',
    example: '"50000000"',
  }),
} as const

type Fields = Record<string, Field<unknown>>
export type Values<F extends Fields> = {
  readonly [N in keyof F]: F[N] extends Field<infer T> ? T : never
}

/** Reads an object by its table. Adds errors to `problems` and returns null then. */
export function readFields<F extends Fields>(
  fields: F,
  input: unknown,
  where: string,
  problems: string[],
): Values<F> | null {
  if (!isRecord(input)) {
    problems.push(`${where}: must be an object with ${Object.keys(fields).join(', ')}`)
    return null
  }
  const before = problems.length
  for (const name of Object.keys(input)) {
    if (Object.hasOwn(fields, name)) continue
    problems.push(`${where}.${name}: no such key; there are ${Object.keys(fields).join(', ')}`)
  }
  const values: [string, unknown][] = []
  for (const [name, one] of Object.entries(fields)) {
    const reading = readField(one, input[name])
    if ('value' in reading) values.push([name, reading.value])
    else problems.push(`${where}.${name}: ${reading.wrong}, such as ${one.example}`)
  }
  return problems.length > before ? null : (Object.fromEntries(values) as Values<F>)
}

function readField({ read, ...one }: Field<unknown>, input: unknown): Reading<unknown> {
  if (input !== undefined) return read(input)
  return 'default' in one ? { value: one.default } : { wrong: 'must be given' }
}
