import { Type } from 'typebox'
import { SCOPES } from './define.ts'

/** Keywords of a parameter in the OpenAPI document. */
interface Documented {
  description: string
  [keyword: string]: unknown
}

/** Texts that the service converts while it validates, by format. */
export type Format =
  | 'accountAddress'
  | 'chain'
  | 'hash'
  | 'month'
  | 'recipient'
  | 'reference'
  | 'time'
  | 'token'
  | 'userId'
  | 'withdrawalStatuses'

/**
 * A text whose limits the handler checks, in its own order and with its own error code. The
 * service validates the type only; the OpenAPI document shows the limits. A parameter without
 * such needs uses the keywords of TypeBox, which the service validates.
 */
function checkedByHandler(documented: Documented) {
  return Type.String({ documented })
}

function checkedByHandlerOrNull(documented: Documented) {
  return Type.Optional(Type.Union([Type.String(), Type.Null()], { documented }))
}

function converted<Name extends Format>(format: Name, documented: Documented) {
  return Type.Optional(Object.assign(checkedByHandler(documented), { converted: format }))
}

/** Control characters, and lone surrogates, which no encoding can carry. */
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff'
const PLAIN_TEXT = `^[^${CONTROLS}]*$`
/** Plain text that is not only white space. */
const NOT_BLANK = `^[^${CONTROLS}]*[^\\s${CONTROLS}][^${CONTROLS}]*$`
const HASH_PATTERN = '^(?:0[xX])?[0-9a-fA-F]{64}$'
const UUID_PATTERN = '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
const MONTH_PATTERN = '^20[0-9]{2}-(?:0[1-9]|1[0-2])$'
const TIME_PATTERN =
  '^\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d{2}:\\d{2}))?$'

const CHAIN = {
  description: 'A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.',
  pattern: '^(eip155|bip122|tron|xrpl):[-_a-zA-Z0-9]{1,40}$',
}
const TOKEN = {
  description: 'A token id (CAIP-19); `GET /tokens?enabledOnly=false` lists them.',
  pattern:
    '^(eip155|bip122|tron|xrpl):[-_a-zA-Z0-9]{1,40}/(erc20|trc20|slip44):[-.%a-zA-Z0-9]{1,128}$',
}
const USER = {
  description:
    'Your own id of an end user: 1 to 255 characters, no control characters, not only white ' +
    'space. It is stored unchanged.',
  minLength: 1,
  maxLength: 255,
  pattern: NOT_BLANK,
}
const WITHDRAWAL_REFERENCE = {
  description: 'Your own key of the withdrawal: 1 to 128 characters, no control characters.',
  minLength: 1,
  maxLength: 128,
  pattern: PLAIN_TEXT,
}
const CODE_PATTERN = '^[0-9]{6}$'

export const CHAIN_ID = checkedByHandler(CHAIN)
export const TOKEN_ID = checkedByHandler(TOKEN)
export const USER_ID_OF_PATH = Object.assign(checkedByHandler(USER), {
  converted: 'userId' as const,
})
export const USER_ID = checkedByHandler(USER)
export const REFERENCE = checkedByHandler(WITHDRAWAL_REFERENCE)
export const OPTIONAL_REFERENCE = checkedByHandlerOrNull(WITHDRAWAL_REFERENCE)
export const TOTP_CODE = checkedByHandler({
  description: 'A one-time code: six digits of an authenticator app. Each code works once.',
  pattern: CODE_PATTERN,
})

/** At sign-in; section 4.1. */
export const LOGIN_CODE = checkedByHandler({
  description:
    'A one-time code: six digits of an authenticator app, each code works once. Or a recovery ' +
    'code, which also works once.',
  pattern: '^(?:[0-9]{6}|[A-Za-z2-7]{4}(?:-?[A-Za-z2-7]{4}){3})$',
})

/** Decisions, section 13. */
export const PERSONS_CODE = Type.Optional(
  checkedByHandler({
    description:
      'A one-time code, required of a person (bearer token) here or in the header ' +
      '`x-totp-code`; an API key needs none.',
    pattern: CODE_PATTERN,
  }),
)
/** Section 4.2. */
export const CodeRequest = Type.Object({ totpCode: PERSONS_CODE })

export const KEY_ID = checkedByHandler({ description: 'The id of an API key.', minLength: 1 })
export const KEY_NAME = Type.String({
  description: 'A name of 1 to 100 characters, not only white space.',
  minLength: 1,
  maxLength: 100,
  pattern: NOT_BLANK,
})
export const KEY_SCOPES = Type.Array(Type.Enum([...SCOPES]), {
  description:
    'What the key may do: `read` everything, issue addresses (`deposits`), create and cancel ' +
    '`withdrawals`, or `configure`, which includes sending events again.',
  minItems: 1,
  maxItems: SCOPES.length,
  uniqueItems: true,
})
export const KEY_CIDRS = Type.Array(Type.String({ maxLength: 50 }), {
  description:
    'Up to 50 IPv4 or IPv6 networks from which the key may be used, such as `203.0.113.0/24`; ' +
    'empty: from everywhere.',
  maxItems: 50,
})
export const KEY_OVERLAP = Type.Optional(
  Type.Integer({
    description: 'How many seconds the old key stays valid; 0 by default, at most 24 hours.',
    minimum: 0,
    maximum: 86_400,
    default: 0,
  }),
)
export const EXPIRES_AT = checkedByHandlerOrNull({
  description: 'When the key expires (ISO 8601, in the future); null: never.',
  pattern: TIME_PATTERN,
})

export const USERNAME = checkedByHandler({
  description: 'The name that the person signs in with.',
  minLength: 3,
  maxLength: 64,
  pattern: PLAIN_TEXT,
})
export const PASSWORD = checkedByHandler({ description: 'The password.', format: 'password' })
export const NEW_PASSWORD = Type.String({
  description: 'The new password: 12 to 256 characters.',
  minLength: 12,
  maxLength: 256,
})
export const INVITATION_TOKEN = checkedByHandler({
  description: 'The token of an invitation.',
  pattern: '^sli_[A-Za-z0-9_-]{43}$',
})
export const PERSON_ID = checkedByHandler({
  description: 'The id of a user of the organization.',
  minLength: 1,
})
export const SESSION_ID = checkedByHandler({ description: 'The id of a session.', minLength: 1 })
export const PASSKEY_ID = checkedByHandler({
  description: 'The id of one of your passkeys.',
  minLength: 1,
})
export const PASSKEY_NAME = Type.String({
  description: 'A name of 1 to 100 characters, not only white space.',
  minLength: 1,
  maxLength: 100,
  pattern: NOT_BLANK,
})
export const AMOUNT = checkedByHandler({
  description: 'Base units of the token, in decimal digits; at most 2^256-1.',
  pattern: '^[1-9][0-9]{0,77}$',
})
export const RECIPIENT = checkedByHandler({
  description:
    'A valid address of the chain. Settlement and gas addresses of this service are refused.',
  minLength: 1,
})
export const MEMO = checkedByHandlerOrNull({
  description:
    'A memo of at most 64 characters; on XRPL the destination tag. It goes on-chain if ' +
    '`properties.carriesMemo` of the chain is true (TRON, XRPL). EVM chains and Bitcoin store it ' +
    'with the withdrawal and never send it.',
  maxLength: 64,
  pattern: PLAIN_TEXT,
})
export const INTERNAL_NOTE = checkedByHandlerOrNull({
  description: 'Your own note of at most 500 characters; it is never sent to a chain.',
  maxLength: 500,
  pattern: PLAIN_TEXT,
})
export const OPTIONAL_USER_ID = checkedByHandlerOrNull({
  description: 'Your own id of the end user for whom the withdrawal is made.',
  minLength: 1,
  maxLength: 255,
  pattern: NOT_BLANK,
})
export const REASON = checkedByHandlerOrNull({
  description: 'The reason, for the audit log: at most 500 characters.',
  maxLength: 500,
  pattern: PLAIN_TEXT,
})
export const WITHDRAWAL_ID = checkedByHandler({
  description: 'The id of a withdrawal.',
  minLength: 1,
})
export const WITHDRAWAL_IDS = Type.Array(Type.String(), {
  documented: {
    description: 'The ids of 1 to 100 withdrawals, without duplicates.',
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
  },
})
export const DEPOSIT_ID = checkedByHandler({ description: 'The id of a deposit.', minLength: 1 })
export const EVENT_ID = checkedByHandler({ description: 'The id of an event.', minLength: 1 })
export const ENDPOINT_ID = checkedByHandler({
  description: 'The id of a webhook endpoint.',
  minLength: 1,
})
/** Selects the endpoint of deliveries; without it, the default one. */
export function endpointFilter(description: string) {
  return Type.Optional(
    checkedByHandler({
      description: `${description} By default the default one.`,
      pattern: UUID_PATTERN,
    }),
  )
}
export const ALERT_ID = checkedByHandler({ description: 'The id of an alert.', minLength: 1 })
export const UNATTRIBUTED_ID = checkedByHandler({
  description: 'The id of a payment without a known tag.',
  minLength: 1,
})
export const ASSIGN_REASON = Type.String({
  description: 'The reason, for the audit log: 1 to 500 characters.',
  minLength: 1,
  maxLength: 500,
  pattern: NOT_BLANK,
})
export const WEBHOOK_URL = checkedByHandler({
  description: 'A public HTTPS URL of at most 2048 characters.',
  format: 'uri',
  maxLength: 2048,
})
export const MIN_SIGNERS = Type.Number({
  documented: {
    description: 'How many approvals a new withdrawal needs: 1 to the number of signers.',
    type: 'integer',
    minimum: 1,
  },
})
export const MIN_HUMANS = Type.Union([Type.Number(), Type.Null()], {
  documented: {
    description:
      'How many approvals of a new withdrawal people must give: 0 to the number of signers; null ' +
      'for the default.',
    type: ['integer', 'null'],
    minimum: 0,
  },
})
export const TXN_HASH = checkedByHandler({
  description: 'A transaction hash: 64 hexadecimal digits, with or without 0x.',
  pattern: HASH_PATTERN,
})

export const ENABLED_ONLY = Type.Optional(
  Type.Boolean({
    description: 'Only records that are enabled for the organization; true by default.',
    default: true,
  }),
)
export const ChainFilter = converted('chain', CHAIN)
/** A chain that is refused with INVALID_CHAIN if it is unknown. */
export const TokensChain = Type.Optional(CHAIN_ID)
export const TokenFilter = converted('token', {
  description: 'Only this token: its token id (CAIP-19).',
  pattern: TOKEN.pattern,
})
export const UserFilter = converted('userId', USER)
export const ReferenceFilter = converted('reference', WITHDRAWAL_REFERENCE)
export const HashFilter = converted('hash', {
  description: 'Only payments of this transaction: 64 hexadecimal digits, with or without 0x.',
  pattern: HASH_PATTERN,
})
/** Follows `ChainFilter` in its query, whose chain it is an address of. */
export const AddressFilter = converted('accountAddress', {
  description:
    'Only the accounts of this blockchain address. An X-address with a tag (XRPL) selects the ' +
    'account of that tag.',
  minLength: 1,
})
/** Follows `ChainFilter` in its query, whose chain it is an address of. */
export const RecipientFilter = converted('recipient', {
  description:
    'Only payments to this address, in any spelling. An X-address with a tag (XRPL) also ' +
    'selects the tag.',
  minLength: 1,
})
/** A month in UTC, as text. */
export const MONTH = Object.assign(
  checkedByHandler({ description: 'The month in UTC: YYYY-MM.', pattern: MONTH_PATTERN }),
  { converted: 'month' as const },
)
/** Created within a time; ISO 8601. */
export const TimeFilter = {
  from: time('Only records created at this time or later.'),
  to: time('Only records created at this time or earlier.'),
}

/** A text to search for. */
export function search(description: string) {
  return Type.Optional(
    Type.String({ description, minLength: 1, maxLength: 255, pattern: PLAIN_TEXT }),
  )
}

/** A name of two words, as codes and actions are. */
export function codeFilter(description: string) {
  const pattern = '^[a-z][a-z_-]*\\.[a-z][a-z_-]*$'
  return Type.Optional(Type.String({ description, minLength: 3, maxLength: 64, pattern }))
}

/** Only the postings of one record. */
export const REFERENCE_ID = Type.Optional(
  Type.String({
    description: 'Only postings of this record: the id of a deposit, withdrawal or sweep.',
    pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  }),
)

/** One of several values. */
export function oneOf<Value extends string>(values: readonly Value[], description: string) {
  return Type.Optional(Type.Enum([...values], { type: 'string', description }))
}

/** Decisions, section 9. */
export const Page = {
  limit: Type.Optional(
    Type.Integer({
      description:
        'Records per page. Without `limit` and `cursor` the list is complete; with `cursor` ' +
        'alone the limit is 100.',
      minimum: 1,
      maximum: 500,
    }),
  ),
  cursor: Type.Optional(
    checkedByHandler({
      description: 'The `nextCursor` of the previous page. Opaque: do not build your own.',
      pattern: '^[A-Za-z0-9_-]{1,120}$',
    }),
  ),
}
export const NextCursor = Type.Optional(
  Type.Union([Type.String(), Type.Null()], {
    description:
      'The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: ' +
      'the list is complete.',
  }),
)

/** The end of the description of every list. */
export const LIST =
  'Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it ' +
  'is one page; `nextCursor` leads to the next. With the header `Accept: text/csv` or ' +
  '`Accept: application/x-ndjson` the whole list is streamed in that format.'

function time(description: string) {
  return converted('time', {
    description: `${description} ISO 8601; a date alone means midnight UTC.`,
    pattern: TIME_PATTERN,
  })
}

/** One of several values, or some of them separated by commas. */
export function someOf<Name extends Format>(
  format: Name,
  values: readonly string[],
  description: string,
) {
  const one = `(?:${values.join('|')})`
  return converted(format, { description, pattern: `^${one}(?:,${one})*$` })
}
