import { type Call, REFUSAL_CODES, type SigningRequest } from '@sluice/signer'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const closed = { additionalProperties: false } as const
const Whole = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })
const Decimal = Type.String({ pattern: '^[0-9]{1,78}$' })

const Slot = Type.Union([
  Type.Object({ kind: Type.Literal('nonce'), nonce: Type.Integer() }, closed),
  Type.Object({ kind: Type.Literal('ticket'), ticket: Type.Integer() }, closed),
  Type.Object({ kind: Type.Literal('window'), expiresAt: Type.Integer() }, closed),
  Type.Object({ kind: Type.Literal('inputs'), outpoints: Type.Array(Type.String()) }, closed),
])
/** The results that the signer's `protocol.ts` defines. */
const Result = Type.Union([
  Type.String(),
  Type.Array(Type.Object({ r: Decimal, s: Decimal, recovery: Whole }, closed)),
  Type.Object({ subjects: Type.Array(Type.String()), slot: Slot }, closed),
  Type.Null(),
])
export type Result = Static<typeof Result>
const Answer = Type.Union([
  Type.Object({ id: Whole, result: Result }, closed),
  Type.Object(
    { id: Whole, refused: Type.Enum([...REFUSAL_CODES]), message: Type.String() },
    closed,
  ),
  Type.Object({ id: Whole, failed: Type.String() }, closed),
])
export type Answer = Static<typeof Answer>

/** Reads an answer of the signer; null if the message is not an answer. */
export function parseAnswer(message: unknown): Answer | null {
  return Value.Check(Answer, message) ? message : null
}

/** A request to sign as a message: bytes in hexadecimal digits, amounts in decimal ones. */
export function signCall({ body, inputs, payment, ...request }: SigningRequest): Call {
  return {
    call: 'sign',
    ...request,
    payment:
      payment.kind === 'inward'
        ? payment
        : { kind: 'withdrawals', withdrawals: [...payment.withdrawals] },
    body: Buffer.from(body).toString('hex'),
    ...(inputs && { inputs: inputs.map(({ path, amount }) => ({ path, amount: `${amount}` })) }),
  }
}
