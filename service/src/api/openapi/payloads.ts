import {
  Account,
  BALANCE_REASONS,
  CHANGED_SETTINGS,
  Deposit,
  type EventType,
  TokenSummary,
  Withdrawal,
} from '@sluice/wire'
import { type TSchema, Type } from 'typebox'
import { assert } from '../../base/assert.ts'
import { PAYLOADS } from './events.ts'
import { type JsonSchema, schemaOf } from './schemas.ts'

function text(description: string) {
  return Type.String({ description })
}

const AT = Type.String({ format: 'date-time', description: 'When it happened.' })
const { chainId, tokenId } = Withdrawal.properties

const BALANCE =
  'What it is now, in base units. With the reasons `deposit`, `withdrawal` and `reversal`: what ' +
  'the organization can use of this token on this chain, over all its addresses. With `sweep` ' +
  'and `gas`: what the account itself holds. With `funding`, and where one is reversed: what can ' +
  'be used of the token, or at a gas wallet what can be spent on gas.'

/** What events tell, by the word before the dot; fields have the meaning of their record. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, TSchema>>>> = {
  deposit: {
    ...Deposit.properties,
    previousStatus: Type.Enum(Deposit.properties.status.enum, {
      description: 'What it was; after `Confirmed` its credit was taken back.',
    }),
    reason: text('Why it is held.'),
  },
  withdrawal: {
    ...Withdrawal.properties,
    toAddress: Withdrawal.properties.recipient,
    approvedBy: Type.Array(Type.String(), { description: 'The users whose approval counts.' }),
    completedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When it was confirmed; null until then.',
    }),
    Token: TokenSummary,
  },
  account: Account.properties,
  balance: {
    chainId,
    tokenId,
    accountId: text('The address where money came in or goes out; `balance` may be of more.'),
    balance: text(BALANCE),
    previousBalance: text('What it was before, in base units.'),
    delta: text('The difference, with a minus where it became less, in base units.'),
    reason: Type.Enum([...BALANCE_REASONS], { description: 'By what it changed.' }),
    referenceId: text('The deposit, withdrawal or transaction that changed it.'),
    Token: TokenSummary,
    updatedAt: AT,
  },
  gas: {
    chainId,
    address: text('The gas wallet: send native currency there.'),
    balance: text('What may still be spent on gas, in base units of the native currency.'),
    sweepsLeft: Type.Integer({ minimum: 0, description: 'How many sweeps that pays for.' }),
    Token: TokenSummary,
    at: AT,
  },
  chain: {
    chainId,
    state: Type.Enum(['frozen', 'halted'], { description: 'Halted: nothing is read either.' }),
    reason: text('Why.'),
    at: AT,
  },
  settings: {
    setting: Type.Enum([...CHANGED_SETTINGS], { description: 'Which setting.' }),
    previous: text('What it was: of a URL its origin, of a secret nothing.'),
    current: text('What it is now: of a URL its origin, of a secret nothing.'),
    changedBy: text('The user who changed it; an API key acts as its user. Empty: an operator.'),
    credential: Type.Enum(['apiKey', 'bearer', 'commandLine'], {
      description: 'With what they came: `commandLine` is an operator of the service.',
    }),
    at: AT,
  },
  webhook: {
    test: Type.Boolean({ description: 'Always true.' }),
    message: text('Words for whoever reads it.'),
    requestedBy: text('The user who asked for it.'),
    at: AT,
  },
}

/** What the payload of a type has, all of it always; more fields may come. */
export function payloadSchema(type: EventType): JsonSchema & {
  properties: Record<string, JsonSchema>
} {
  const fields = FIELDS[type.split('.')[0] ?? ''] ?? {}
  const names = Object.keys(PAYLOADS[type])
  const properties = names.map((name): [string, JsonSchema] => {
    const field = fields[name]
    assert(field !== undefined, 'a field of an event that is not described', { type, name })
    return [name, schemaOf(field)]
  })
  return { type: 'object', required: names, properties: Object.fromEntries(properties) }
}
