import { Type } from 'typebox'

/**
 * What the route itself looks at, with a code and a message of its own. The door checks the type
 * alone; the document states these limits all the same, under `documented`.
 */
interface Documented {
  description: string
  [keyword: string]: unknown
}

/** A text whose limits are looked at by the route. */
export function text(documented: Documented) {
  return Type.String({ documented })
}

/** Controls, and halves of surrogate pairs, which no encoding can carry. */
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff'
/** No control characters. */
export const PLAIN_TEXT = `^[^${CONTROLS}]*$`
/** No control characters, and not white space alone. */
const NOT_BLANK = `^[^${CONTROLS}]*[^\\s${CONTROLS}][^${CONTROLS}]*$`
export const CHAIN_ID_PATTERN = '^(eip155|bip122|tron|xrpl):[-_a-zA-Z0-9]{1,40}$'
export const TOKEN_ID_PATTERN =
  '^(eip155|bip122|tron|xrpl):[-_a-zA-Z0-9]{1,40}/(erc20|trc20|slip44):[-.%a-zA-Z0-9]{1,128}$'
export const AMOUNT_PATTERN = '^[1-9][0-9]{0,77}$'
export const HASH_PATTERN = '^(?:0[xX])?[0-9a-fA-F]{64}$'
const TIME_PATTERN =
  '^\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d{2}:\\d{2}))?$'
const CURSOR_PATTERN = '^[A-Za-z0-9_-]{1,120}$'

export const CHAIN_ID = text({
  description: 'A chain id (CAIP-2), one of those that `GET /chains?enabledOnly=false` lists.',
  pattern: CHAIN_ID_PATTERN,
})
export const TOKEN_ID = text({
  description: 'A token id (CAIP-19), one of those that `GET /tokens?enabledOnly=false` lists.',
  pattern: TOKEN_ID_PATTERN,
})
export const USER_ID = text({
  description:
    'Your own id of an end user: 1 to 255 characters, no control characters, not white space ' +
    'alone. Nothing is trimmed or normalized.',
  minLength: 1,
  maxLength: 255,
  pattern: NOT_BLANK,
})
export const REFERENCE = text({
  description: 'Your own key of the withdrawal: 1 to 128 characters, no control characters.',
  minLength: 1,
  maxLength: 128,
  pattern: PLAIN_TEXT,
})
export const TOTP_CODE = text({
  description: 'The six digits that the authenticator shows now; each code works once.',
  pattern: '^[0-9]{6}$',
})

/** Decisions, section 13. */
export const PERSONS_CODE = Type.Optional(
  text({
    description:
      'A fresh two-factor code, required of a person (bearer token) here or in the header ' +
      '`x-totp-code`; an API key needs none.',
    pattern: '^[0-9]{6}$',
  }),
)

/** Section 4.2. */
export const CodeRequest = Type.Object({ totpCode: PERSONS_CODE })

export const USERNAME = text({
  description: 'The name that the person signs in with.',
  minLength: 3,
  maxLength: 64,
  pattern: PLAIN_TEXT,
})
export const PASSWORD = text({ description: 'The password.', format: 'password' })
export const AMOUNT = text({
  description: 'Base units of the token, in decimal digits; at most 2^256-1.',
  pattern: AMOUNT_PATTERN,
})
export const RECIPIENT = text({
  description:
    'An address that is valid on the chain; a settlement or gas address of this service is ' +
    'refused.',
  minLength: 1,
})
export const MEMO = textOrNull({
  description:
    'A memo of at most 64 characters; on XRPL the destination tag. It goes on-chain where ' +
    '`properties.carriesMemo` of the chain is true (TRON, XRPL). On EVM chains and Bitcoin it is ' +
    'stored with the withdrawal and never sent.',
  maxLength: 64,
  pattern: PLAIN_TEXT,
})
export const INTERNAL_NOTE = textOrNull({
  description: 'A note of your own of at most 500 characters; it never reaches a chain.',
  maxLength: 500,
  pattern: PLAIN_TEXT,
})
export const OPTIONAL_USER_ID = textOrNull({
  description: 'Your own id of the end user whom the withdrawal is for.',
  minLength: 1,
  maxLength: 255,
  pattern: NOT_BLANK,
})
export const REASON = textOrNull({
  description: 'Why, for the audit log: at most 500 characters.',
  maxLength: 500,
  pattern: PLAIN_TEXT,
})
export const WITHDRAWAL_ID = text({ description: 'The id of a withdrawal.', minLength: 1 })
export const WITHDRAWAL_IDS = Type.Array(Type.String(), {
  documented: {
    description: 'The ids of 1 to 100 withdrawals, each once.',
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
  },
})
export const WEBHOOK_URL = text({
  description: 'A public HTTPS address of at most 2048 characters.',
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

/** `true` unless it says `false`. */
export const ENABLED_ONLY = Type.Optional(
  text({
    description: 'Only what is enabled for the organization; true where it is left out.',
    type: 'boolean',
    default: true,
  }),
)
export const ChainFilter = Type.Optional(CHAIN_ID)
export const TokenFilter = Type.Optional(
  text({ description: 'Only this token: its token id (CAIP-19).', pattern: TOKEN_ID_PATTERN }),
)
export const UserFilter = Type.Optional(USER_ID)
export const ReferenceFilter = Type.Optional(REFERENCE)
export const AddressFilter = Type.Optional(
  text({
    description:
      'Only the accounts of this blockchain address. An X-address with a tag (XRPL) is the ' +
      'account of that tag.',
    minLength: 1,
  }),
)
export const HashFilter = Type.Optional(
  text({
    description: 'Only what this transaction paid: 64 hexadecimal digits, with or without 0x.',
    pattern: HASH_PATTERN,
  }),
)
export const RecipientFilter = Type.Optional(
  text({
    description:
      'Only payments to this address, in any spelling of it. An X-address with a tag (XRPL) also ' +
      'selects the tag.',
    minLength: 1,
  }),
)
/** A text that is searched for. */
export function search(description: string) {
  const limits = { minLength: 1, maxLength: 255, pattern: PLAIN_TEXT }
  return Type.Optional(text({ description, ...limits }))
}

export const TXN_HASH = text({
  description: 'A transaction: 64 hexadecimal digits, with or without 0x.',
  pattern: HASH_PATTERN,
})
/** Created within a time; ISO 8601, a date alone being its midnight in UTC. */
export const TimeFilter = {
  from: Type.Optional(time('Only what was created at this time or after it.')),
  to: Type.Optional(time('Only what was created at this time or before it.')),
}
export const EVENT_ID = text({ description: 'The id of an event.', minLength: 1 })
/** Decisions, section 10: the place in the feed of events. */
export const AfterFilter = text({
  description:
    'Only events with a higher `sequence`, the oldest first: the feed of all events, without ' +
    'gaps. Ask again with the last `sequence` you have.',
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
})

/** Decisions, section 9. */
export const Page = {
  limit: Type.Optional(
    text({
      description:
        'The most records of a page. Without `limit` and `cursor` the list is complete; with ' +
        '`cursor` alone it is 100.',
      type: 'integer',
      minimum: 1,
      maximum: 500,
    }),
  ),
  cursor: Type.Optional(
    text({
      description: 'The `nextCursor` of the page before. Opaque: do not build your own.',
      pattern: CURSOR_PATTERN,
    }),
  ),
}
/** Stands beside a list that was asked for by pages; null at its end. */
export const NextCursor = Type.Optional(
  Type.Union([Type.String(), Type.Null()], {
    description:
      'The `cursor` of the next page, null on the last one. Left out where neither `limit` nor ' +
      '`cursor` was given: the list is complete.',
  }),
)

/** A text that must be one of these. */
export function oneOf(values: readonly string[], description: string) {
  return text({ description, enum: values })
}

/** A text that may be left out or null. */
export function textOrNull(documented: Documented) {
  return Type.Optional(Type.Union([Type.String(), Type.Null()], { documented }))
}

function time(description: string) {
  return text({
    description: `${description} ISO 8601; a date alone is its midnight in UTC.`,
    pattern: TIME_PATTERN,
  })
}

/** The end of the description of every list. */
export const LIST =
  'Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it ' +
  'is one page; `nextCursor` leads to the next.'

/** One of these, or several of them separated by commas. */
export function someOf(values: readonly string[], description: string) {
  const one = `(?:${values.join('|')})`
  return text({ description, pattern: `^${one}(?:,${one})*$` })
}
