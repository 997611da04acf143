import {
  type ChainId,
  type Format,
  type TokenId,
  WITHDRAWAL_STATUSES,
  type WithdrawalStatus,
} from '@sluice/wire'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import {
  type AccountFilter,
  type ExternalUserId,
  parseExternalUserId,
} from '../../accounts/account.ts'
import type { Millis } from '../../base/clock.ts'
import { ALL_CHAINS, type ChainEntry } from '../../catalogue/chains.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { parseRecipient } from '../../chains/format-address.ts'
import type { RecipientFilter } from '../../withdrawals/list-rows.ts'
import { parseReference } from '../../withdrawals/request/parse-request.ts'
import { badRequest } from './faults.ts'
import {
  parseChainFilter,
  parseHash,
  parseMonth,
  parseTime,
  parseTokenFilter,
} from './parse-values.ts'

/** The value that a format is converted to. */
interface Converted {
  accountAddress: Pick<AccountFilter, 'addresses' | 'destinationTag'>
  chain: ChainId
  hash: string
  month: string
  recipient: RecipientFilter
  reference: string
  time: Millis
  token: TokenId
  userId: ExternalUserId
  withdrawalStatuses: WithdrawalStatus[]
}

type ValueOf<Schema> = Schema extends { converted: infer Name extends Format }
  ? Converted[Name]
  : Schema extends TSchema
    ? Static<Schema>
    : never

type OptionalOf<Properties> = {
  [Name in keyof Properties]: Properties[Name] extends { '~optional': true } ? Name : never
}[keyof Properties]

/** The values of an object schema after validation. */
export type ValuesOf<Schema> = Schema extends { properties: infer Properties }
  ? { [Name in Exclude<keyof Properties, OptionalOf<Properties>>]: ValueOf<Properties[Name]> } & {
      [Name in OptionalOf<Properties>]?: ValueOf<Properties[Name]>
    }
  : Record<string, never>

interface Context {
  name: string
  catalogue: Catalogue
  /** The chain of the same query, if it names one. */
  chainId: ChainId | undefined
}

const CONVERT: { [Name in Format]: (text: string, context: Context) => Converted[Name] } = {
  accountAddress: (text, { catalogue, chainId }) => parseAccountAddress(catalogue, text, chainId),
  chain: (text, { catalogue }) => parseChainFilter(catalogue, text),
  hash: (text) => parseHash(text),
  month: (text) => parseMonth(text),
  recipient: (text, { chainId }) => parseRecipientFilter(text, chainId),
  reference: (text) => parseReference(text),
  time: (text, { name }) => parseTime(name, text),
  token: (text, { catalogue }) => parseTokenFilter(catalogue, text),
  userId: (text) => parseExternalUserId(text),
  withdrawalStatuses: (text) => parseStatuses(text),
}

interface Field {
  converted?: Format
  documented?: unknown
  type?: string
}

/** Properties and required names of an object schema. */
function fieldsOf(schema: TSchema | undefined): {
  properties?: Readonly<Record<string, TSchema & Field>>
  required?: readonly string[]
} {
  return schema ?? {}
}

/** The names of the parameters of a query. */
export function namesOf(schema: TSchema | undefined): string[] {
  return Object.keys(fieldsOf(schema).properties ?? {})
}

/** Refuses a query without a required parameter, with BAD_REQUEST. */
export function checkRequired(schema: TSchema | undefined, query: Record<string, unknown>): void {
  const missing = fieldsOf(schema).required?.find((name) => !(name in query))
  if (missing !== undefined) throw badRequest(missing, `\`${missing}\` is missing.`)
}

/** Refuses a path or a body that its schema does not allow, with BAD_REQUEST. */
export function checkPart(schema: TSchema | undefined, value: unknown, part: 'path' | 'body') {
  if (schema === undefined || Value.Check(schema, value)) return
  const all = Value.Errors(schema, value)
  const unknown = all.filter(({ keyword }) => keyword === 'additionalProperties')
  const errors = unknown.length > 0 ? unknown : all
  const [first] = errors
  const missing = first?.keyword === 'required' ? first.params.requiredProperties[0] : undefined
  const field = missing ?? first?.instancePath.slice(1).replaceAll('/', '.') ?? ''
  const subject = field === '' ? `The ${part}` : `\`${field}\``
  throw badRequest(
    field || part,
    `${subject} ${missing === undefined ? faultIn(errors) : 'is missing'}.`,
  )
}

/**
 * Converts the values of a checked part, in the order of its fields. A query has texts only: they
 * are read as the types of their fields, which must allow them. Refuses with BAD_REQUEST and
 * INVALID_USER_ID.
 */
export function convertPart(
  schema: TSchema | undefined,
  part: Readonly<Record<string, unknown>>,
  { catalogue, isQuery = false }: { catalogue: Catalogue; isQuery?: boolean },
): Record<string, unknown> {
  const values: Record<string, unknown> & { chainId?: ChainId } = { ...part }
  for (const [name, field] of Object.entries(fieldsOf(schema).properties ?? {})) {
    const value = Object.hasOwn(part, name) ? part[name] : undefined
    const context = { name, catalogue, chainId: values.chainId }
    if (typeof value !== 'string') continue
    if (field.converted !== undefined) values[name] = CONVERT[field.converted](value, context)
    else if (isQuery && field.documented === undefined) values[name] = readText(name, field, value)
  }
  return values
}

function readText(name: string, field: TSchema & Field, text: string): unknown {
  const value = typed(field.type, text)
  if (Value.Check(field, value)) return value
  throw badRequest(name, `\`${name}\` ${faultIn(Value.Errors(field, value))}.`)
}

/** The value of a text in a query; the text itself if it is not of the type. */
function typed(type: string | undefined, text: string): unknown {
  if (type === 'integer' && /^(?:0|-?[1-9][0-9]{0,15})$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true'
  return text
}

/** A field that may have several types is reported with all of them. */
function faultIn(errors: ReturnType<typeof Value.Errors>): string {
  const [first] = errors
  const types = errors.flatMap((error) =>
    error.keyword === 'type' && error.instancePath === first?.instancePath
      ? [error.params.type].flat()
      : [],
  )
  if (types.length > 0) return `must be of type ${types.join(' or ')}`
  if (first?.keyword === 'enum') return `must be one of ${first.params.allowedValues.join(', ')}`
  if (first?.keyword === 'additionalProperties')
    return `has unknown fields: ${first.params.additionalProperties.join(', ').slice(0, 100)}`
  if (first?.keyword === 'minProperties') return 'needs at least one field'
  if (first?.keyword === 'pattern') return 'contains characters that are not allowed'
  return first?.message ?? 'is not valid'
}

function parseStatuses(text: string): WithdrawalStatus[] {
  const statuses = text.split(',').map((name) => {
    const status = WITHDRAWAL_STATUSES.find((known) => known === name)
    if (status !== undefined) return status
    const known = WITHDRAWAL_STATUSES.join(', ')
    throw badRequest('status', `\`status\` must be one or more of ${known}, separated by commas.`)
  })
  return [...new Set(statuses)]
}

function parseAccountAddress(
  { chains }: Catalogue,
  text: string,
  chainId: ChainId | undefined,
): Converted['accountAddress'] {
  const found = accountAddressOf(chains, text, chainId)
  if (found !== null) return found
  throw badRequest('address', '`address` is not a valid address of the chain.')
}

/**
 * Without a chain, an address is looked up on each of `chains` on which it is valid; null without
 * such a chain. An X-address (XLS-5d) selects the account of its tag; without a tag, all accounts
 * that share the address.
 */
export function accountAddressOf(
  chains: readonly ChainEntry[],
  text: string,
  chainId: ChainId | undefined,
): Converted['accountAddress'] | null {
  const entries = chains.filter(({ id }) => chainId === undefined || id === chainId)
  const parsed = entries.flatMap((entry) => {
    const found = parseRecipient(entry, text)
    return found === null ? [] : [{ chainId: entry.id, ...found }]
  })
  const [first] = parsed
  if (first === undefined) return null
  const addresses = parsed.map((found) => ({ chainId: found.chainId, address: found.address }))
  return first.tag === null ? { addresses } : { addresses, destinationTag: first.tag }
}

function parseRecipientFilter(text: string, chainId: ChainId | undefined): RecipientFilter {
  const recipient = recipientOf(text, chainId)
  if (recipient !== null) return recipient
  throw badRequest('recipient', '`recipient` is not a valid address of a chain.')
}

/** An address in the spellings of all chains on which it is valid; null without such a chain. */
export function recipientOf(text: string, chainId: ChainId | undefined): RecipientFilter | null {
  const entries = ALL_CHAINS.filter(({ id }) => chainId === undefined || id === chainId)
  const found = entries.flatMap((entry) => parseRecipient(entry, text) ?? [])
  const [first] = found
  if (first === undefined) return null
  const addresses = [...new Set(found.map(({ address }) => address))]
  return first.tag === null ? { addresses } : { addresses, tag: String(first.tag) }
}
