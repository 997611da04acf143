import { ERRORS, type ErrorCode, INVALID_SESSION, OPERATION_NAMES, OPERATIONS } from '@sluice/wire'
import { refusalsOf } from '../openapi/refusals.ts'

/** Fields of `details` in addition to `requestId` and `docUrl`. */
const DETAILS: Partial<Record<ErrorCode, string>> = {
  BAD_REQUEST: '`field`, and for a limit `maximum`',
  FORBIDDEN: '`required`: the permission, or the kind of credential',
  INVALID_CHAIN: '`providedChainId`, `supportedChains`',
  CHAIN_NOT_ENABLED: '`chainId`',
  INVALID_TOKEN: '`tokenId`',
  TOKEN_NOT_ENABLED: '`tokenId`',
  INVALID_TOKEN_CHAIN: '`tokenId`, `chainId`, `tokenChainId`',
  INVALID_USER_ID: '`reason`, or `length` and `maximum`',
  INVALID_RECIPIENT_ADDRESS: '`chainId`, `reason`',
  INVALID_AMOUNT: '`provided`',
  INSUFFICIENT_BALANCE: '`available`, `required`',
  INSUFFICIENT_CONFIRMED_BALANCE:
    '`chainId`, `totalBalance`, `confirmedBalance`, `unconfirmedBalance`',
  INSUFFICIENT_GAS: '`chainId`, `gasWalletBalance`, `estimatedGasNeeded`, `nativeToken`',
  MISSING_DESTINATION_TAG: '`chainId`, `toAddress`',
  DUPLICATE_REFERENCE: '`existingWithdrawalId`, `sameParameters`',
  WITHDRAWAL_NOT_PENDING: '`id`, `status`',
  WITHDRAWAL_ALREADY_PROCESSED: '`id`, `status`',
  WITHDRAWAL_BELOW_MINIMUM: '`provided`, `minimum`',
  WITHDRAWAL_ABOVE_MAXIMUM: '`provided`, `maximum`',
  INVALID_WEBHOOK_URL: '`reason`',
  INVALID_MIN_SIGNERS: '`provided`, `minimum`, `maximum`',
  INVALID_PASSKEY: '`reason`',
  INVALID_TOTP: '`reason` if the code was correct but already used',
  SERVICE_UNAVAILABLE:
    '`chainId` and `reason` if a chain, a token or a base account (`address`) is not ready yet; ' +
    '`reason` is `wallet_not_ready` if a process with the role `spender` must still create the ' +
    'wallet of the organization',
  RATE_LIMIT_EXCEEDED: '`retryAfterSeconds`',
  INTERNAL_ERROR:
    '`reason` is `tampered` if a record was changed in the database. Do not retry; an alert is ' +
    'raised for the operator. `id` names a withdrawal, which is not signed any more, an ' +
    'organization, whose number of signers was changed, or an account, whose address is not ' +
    'shown; `chainId` is that of a settlement or gas address, which is not shown either',
}

/** Further notes on a code. */
const NOTES: Partial<Record<ErrorCode, string>> = {
  BAD_REQUEST:
    'Every operation refuses an unknown query parameter, also one of another operation, and a ' +
    'repeated parameter; `details.field` names it. Unknown fields of a body are ' +
    'ignored, except in `POST /events/redeliver`. Only `/healthz`, ' +
    '`/readyz`, `/metrics` and the documentation ignore query parameters, since probes and ' +
    'proxies add some.',
  INVALID_PASSKEY:
    'See [the reasons](concepts.md#approval-with-a-passkey). If it refuses an approval, it is ' +
    'counted with wrong one-time codes.',
  CHAIN_NOT_ENABLED:
    'It is also returned while the chain has no nodes here and, temporarily, while it is ' +
    'halted. See [what is offered](operations.md#what-is-offered).',
  TOKEN_NOT_ENABLED:
    'It is also returned if its contract contradicts the catalogue, and while it is ' +
    'suspended. A contract that was not checked yet is `SERVICE_UNAVAILABLE`. See ' +
    '[what is offered](operations.md#what-is-offered).',
}

/** `docs/errors.md`: every code with its status, cause and remedy. */
export function errorsPage(): string {
  const codes = Object.keys(ERRORS).filter((code): code is ErrorCode => code in ERRORS)
  return `# Errors

Every error has the same body. \`error\` is for programs; \`message\` states the cause and the
remedy, and may change.

\`\`\`json
{
  "error": "INVALID_CHAIN",
  "message": "${ERRORS.INVALID_CHAIN.slice(1).join(' ')}",
  "statusCode": 422,
  "details": {
    "providedChainId": "eip155:999",
    "supportedChains": ["eip155:1", "…"],
    "requestId": "019ab4f0-7c1e-7d3a-9d0e-3f5a1c2b4d6e",
    "docUrl": "/docs/errors#INVALID_CHAIN"
  }
}
\`\`\`

\`details\` always has \`requestId\`, which is the header \`x-request-id\` of the response, and
\`docUrl\`, relative to the base address; its other fields depend on the code. More codes may be
added: handle an unknown code by its status.

| status | what to do |
|---|---|
| 400, 401, 403, 404 | correct the request: the same request fails again |
| 422 | as above, unless the code below names a temporary cause |
| 429, 503 | wait for the seconds in \`Retry-After\`, then retry the same request |
| 500 | retry later unless \`details.reason\` is \`tampered\`; no \`reference\` is paid twice |

${codes.map(entryOf).join('\n\n')}
`
}

function entryOf(code: ErrorCode): string {
  const [status, happened, mend] = ERRORS[code]
  const paragraphs = [
    `## ${code}`,
    `**${status}.** ${plain(happened)} ${plain(mend)}`,
    ...(code === 'INVALID_TOKEN' ? [session()] : []),
    ...(NOTES[code] === undefined ? [] : [NOTES[code]]),
    ...(DETAILS[code] === undefined ? [] : [`\`details\`: ${DETAILS[code]}.`]),
    refusedBy(code),
  ]
  return paragraphs.map(wrapped).join('\n\n')
}

function session(): string {
  const [status, happened, mend] = INVALID_SESSION
  const apart = 'Credentials are checked first, so the status distinguishes the two.'
  return `**${status}.** ${plain(happened)} ${plain(mend)} ${apart}`
}

/** Formats paths and fields as code. */
function plain(text: string): string {
  return text
    .replaceAll(/\b(?:GET|POST|PATCH|DELETE) \/\S*[a-z>=]/g, '`$&`')
    .replaceAll(/\bdetails\.\w+/g, '`$&`')
}

function refusedBy(code: ErrorCode): string {
  const names = OPERATION_NAMES.flatMap((name) => {
    const { method, path } = OPERATIONS[name]
    return refusalsOf(name).some((one) => one.code === code) ? [`\`${method} ${path}\``] : []
  })
  if (names.length === 0) return 'No operation returns it now.'
  const isCommon = names.length > 12
  return isCommon ? 'Most operations return it.' : `Returned by ${names.join(', ')}.`
}

const WIDTH = 100

/** Wraps a text at 100 columns without breaking code. */
export function wrapped(text: string): string {
  const lines: string[] = []
  for (const [word] of text.matchAll(/(?:`[^`]*`|\S)+/g)) {
    const last = lines.at(-1)
    const joined = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && joined.length <= WIDTH) lines[lines.length - 1] = joined
    else lines.push(word)
  }
  return lines.join('\n')
}
