import { assert } from '../../base/assert.ts'
import type { Address, Delegation, Intent } from '../port.ts'
import { fromHex41, toHex41 } from './address.ts'
import { bytesOf, integerOf, messageOf, readMessage } from './protobuf.ts'
import type { Field } from './protobuf.ts'

/** Numbers of contracts and of the resource (protocol/core/Tron.proto, Stake 2.0). */
const KINDS = {
  lend: { name: 'DelegateResourceContract', type: 57n },
  'take-back': { name: 'UnDelegateResourceContract', type: 58n },
} as const
const ENERGY = 1n
const INT64_MAX = 2n ** 63n - 1n
/** The smallest amount that the chain lends. */
export const STAKE_MIN = 1_000_000n
const ADDRESS = /^41[0-9a-f]{40}$/

/** A change of the lent energy of the sender's stake. */
interface Delegated extends Delegation {
  owner: Address
  to: Address
}

/** The contract of a delegation: its name, number and fields. */
export function delegationContract(
  { from, to }: Pick<Intent, 'from' | 'to'>,
  { act, stake }: Delegation,
): { name: string; type: bigint; fields: Field[] } {
  const fields: Field[] = [
    [1, bytes21(from)],
    [2, ENERGY],
    [3, stake],
    [4, bytes21(to)],
  ]
  return { ...KINDS[act], fields }
}

/** Reads a delegation from the bytes of a transaction; null if they do anything else or more. */
export function delegationIn(raw: Uint8Array): Delegated | null {
  const message = readMessage(raw)
  const contract = message === null ? null : messageOf(message, 11)
  const parameter = contract === null ? null : messageOf(contract, 2)
  const value = parameter === null ? null : messageOf(parameter, 2)
  if (contract === null || parameter === null || value === null) return null
  const type = integerOf(contract, 1)
  const act = type === KINDS.lend.type ? 'lend' : 'take-back'
  const url = Buffer.from(bytesOf(parameter, 1)).toString('latin1')
  if (type !== KINDS[act].type || !url.endsWith(`/protocol.${KINDS[act].name}`)) return null
  // A lock would be a further field, and cannot be ended early.
  const isPlain = [...value.keys()].every((number) => number <= 4)
  const [owner, to] = [hexOf(bytesOf(value, 1)), hexOf(bytesOf(value, 4))]
  const isWhole = isPlain && integerOf(value, 2) === ENERGY
  if (!isWhole || !ADDRESS.test(owner) || !ADDRESS.test(to)) return null
  return { act, stake: integerOf(value, 3), owner: fromHex41(owner), to: fromHex41(to) }
}

/** A Bug if no transaction can carry the delegation. */
export function checkDelegation(intent: Intent, { stake }: Delegation): void {
  const { amount, from, to } = intent
  const isRight = amount === 0n && from !== to && (intent.memo ?? '') === ''
  assert(isRight, 'a delegation that pays, or lends to oneself', { from, to, amount })
  assert(stake >= STAKE_MIN && stake <= INT64_MAX, 'an invalid amount of stake to lend', { stake })
}

function bytes21(address: Address): Uint8Array {
  return new Uint8Array(Buffer.from(toHex41(address), 'hex'))
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
