import type { Readable, Writable } from 'node:stream'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { Approval, closed } from './approve/approval.ts'
import { type RefusalCode, Refused } from './base.ts'
import type { LastSigned } from './history.ts'
import { SignedOrder } from './policy/policy.ts'
import type { Signature, SigningRequest } from './request.ts'

/** The two directions of a connection: a socket, or the pipes of a child process. */
export interface Channel {
  input: Readable
  output: Writable
}

const VERSION = 1
const LENGTH_BYTES = 4
/** 500 withdrawals, with some approvals each. */
const FRAME_MAX = 1 << 22
const Text = Type.String({ maxLength: 10_000 })
const WHOLE = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })
const HEX = Type.String({ pattern: '^(?:[0-9a-f]{2})*$' })
const NUMBER = Type.String({ pattern: '^[0-9]{1,78}$' })

const WALLET = {
  namespace: Type.Enum(['eip155', 'bip122', 'tron', 'xrpl']),
  isTestnet: Type.Boolean(),
  wallet: WHOLE,
  addressType: Type.Optional(Type.Enum(['p2wpkh', 'p2tr'])),
}
const Wallet = Type.Object(WALLET, closed)
const Key = Type.Object({ ...WALLET, branch: Type.Enum([0, 1]), index: WHOLE }, closed)

const Withdrawal = Type.Object(
  {
    orgId: Text,
    id: Text,
    chainId: Text,
    tokenId: Text,
    amount: NUMBER,
    recipient: Text,
    memo: Type.Union([Text, Type.Null()]),
    reference: Text,
    createdAt: Text,
    approvals: Type.Optional(Type.Array(Approval, { maxItems: 20 })),
  },
  closed,
)
const Payment = Type.Union([
  Type.Object(
    { kind: Type.Literal('withdrawals'), withdrawals: Type.Array(Withdrawal, { maxItems: 500 }) },
    closed,
  ),
  Type.Object(
    { kind: Type.Literal('inward'), id: Text, to: Type.Union([Key, Type.Null()]) },
    closed,
  ),
])
const Sign = Type.Object(
  {
    call: Type.Literal('sign'),
    orgId: Text,
    chainId: Text,
    payment: Payment,
    from: Key,
    body: HEX,
    inputs: Type.Optional(Type.Array(Type.Object({ path: Key, amount: NUMBER }, closed))),
  },
  closed,
)
const Call = Type.Union([
  Type.Object({ call: Type.Literal('fingerprint') }, closed),
  Type.Object({ call: Type.Literal('accountXpub'), orgId: Text, at: Wallet }, closed),
  Type.Object({ call: Type.Literal('publicKey'), orgId: Text, at: Key }, closed),
  Type.Object({ call: Type.Literal('lastSigned'), orgId: Text, chainId: Text, from: Key }, closed),
  Type.Object({ call: Type.Literal('order'), order: SignedOrder }, closed),
  Sign,
])
export type Call = Static<typeof Call>

const Asked = Type.Object({ version: Type.Literal(VERSION), id: WHOLE, call: Call }, closed)
/** Signatures have decimal numbers. */
export type Result = string | readonly ReturnType<typeof formatSignature>[] | LastSigned | null
export type Answered =
  | { id: number; result: Result }
  | { id: number; refused: RefusalCode; message: string }
  | { id: number; failed: string }

/** A request as a message. */
export function formatCall(id: number, call: Call): Buffer {
  return frame({ version: VERSION, id, call })
}

export function formatAnswer(answer: Answered): Buffer {
  return frame(answer)
}

/** Reads a request. Throws Refused (`malformed`) if it is none of this version. */
export function parseCall(message: unknown): { id: number; call: Call } {
  if (Value.Check(Asked, message)) return message
  throw new Refused('malformed', 'The message is none that this version of the signer knows.')
}

export function signingRequestOf(call: Static<typeof Sign>): SigningRequest {
  const { call: _call, body, inputs, ...rest } = call
  const outputs = inputs?.map(({ path, amount }) => ({ path, amount: BigInt(amount) }))
  return { ...rest, body: Buffer.from(body, 'hex'), ...(outputs && { inputs: outputs }) }
}

export function formatSignature({ r, s, recovery }: Signature) {
  return { r: `${r}`, s: `${s}`, recovery }
}

/**
 * The messages of a stream, until its end. Throws if a frame is too long or not JSON: the other
 * side is no client.
 */
export async function* messagesOf(input: Readable): AsyncGenerator {
  let rest = Buffer.alloc(0)
  for await (const chunk of input) {
    rest = Buffer.concat([rest, parseChunk(chunk)])
    while (rest.length >= LENGTH_BYTES) {
      const length = rest.readUInt32BE(0)
      if (length > FRAME_MAX) throw new Error(`a message of ${length} bytes`)
      if (rest.length < LENGTH_BYTES + length) break
      yield JSON.parse(rest.toString('utf8', LENGTH_BYTES, LENGTH_BYTES + length))
      rest = rest.subarray(LENGTH_BYTES + length)
    }
  }
}

function frame(message: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(message), 'utf8')
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(json.length)
  return Buffer.concat([length, json])
}

/** A chunk of a stream of bytes. */
function parseChunk(chunk: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  throw new TypeError('the stream is not one of bytes')
}
