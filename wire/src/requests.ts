import { Type } from 'typebox'
import {
  AMOUNT,
  AddressFilter,
  AfterFilter,
  CHAIN_ID,
  ChainFilter,
  ENABLED_ONLY,
  EVENT_ID,
  HashFilter,
  INTERNAL_NOTE,
  MEMO,
  MIN_SIGNERS,
  OPTIONAL_USER_ID,
  PASSWORD,
  Page,
  REASON,
  RECIPIENT,
  REFERENCE,
  PERSONS_CODE,
  RecipientFilter,
  ReferenceFilter,
  TOKEN_ID,
  TOTP_CODE,
  TXN_HASH,
  TimeFilter,
  TokenFilter,
  USERNAME,
  USER_ID,
  UserFilter,
  WEBHOOK_URL,
  WITHDRAWAL_ID,
  WITHDRAWAL_IDS,
  oneOf,
  search,
  someOf,
} from './parameters.ts'
import { EVENT_TYPES } from './events.ts'
import { DELIVERY_STATES } from './deliveries.ts'
import { DEPOSIT_STATUSES, WITHDRAWAL_STATUSES } from './resources.ts'

/** Section 4.1. */
export const LoginRequest = Type.Object({
  username: USERNAME,
  password: PASSWORD,
  totpCode: TOTP_CODE,
})

/** Section 4.2. */
export const CodeRequest = Type.Object({ totpCode: PERSONS_CODE })
export const WebhookRequest = Type.Object({ webhookUrl: WEBHOOK_URL, totpCode: PERSONS_CODE })
export const MinSignersRequest = Type.Object({
  minWithdrawalSigners: MIN_SIGNERS,
  totpCode: PERSONS_CODE,
})

/** Section 4.3. */
export const WithdrawalRequest = Type.Object({
  chainId: CHAIN_ID,
  tokenId: TOKEN_ID,
  amount: AMOUNT,
  recipient: RECIPIENT,
  reference: REFERENCE,
  memo: MEMO,
  internalNote: INTERNAL_NOTE,
  externalUserId: OPTIONAL_USER_ID,
})
export const WithdrawalPath = Type.Object({ id: WITHDRAWAL_ID })
export const WithdrawalsQuery = Type.Object({
  status: Type.Optional(
    someOf(
      WITHDRAWAL_STATUSES,
      'Only withdrawals in this state, or in one of several separated by commas: ' +
        `${WITHDRAWAL_STATUSES.join(', ')}.`,
    ),
  ),
  chainId: ChainFilter,
  tokenId: TokenFilter,
  recipient: RecipientFilter,
  txnHash: HashFilter,
  reference: ReferenceFilter,
  externalUserId: UserFilter,
  q: search(
    'Only withdrawals whose `id`, `reference`, `externalUserId`, `recipient` or `txnHash` is this.',
  ),
  ...TimeFilter,
  ...Page,
})

/** Decisions, section 6. */
export const ApprovalRequest = Type.Object({ totpCode: TOTP_CODE })
export const RejectionRequest = Type.Object({ totpCode: TOTP_CODE, reason: REASON })
export const ApprovalsRequest = Type.Object({ ids: WITHDRAWAL_IDS, totpCode: TOTP_CODE })

/** Section 4.4. */
const DepositFilter = {
  chainId: ChainFilter,
  tokenId: TokenFilter,
  status: Type.Optional(oneOf(DEPOSIT_STATUSES, 'Only deposits in this state.')),
  txnHash: HashFilter,
  q: search('Only deposits whose `id`, `externalUserId` or `txnHash` is this.'),
  ...TimeFilter,
}
export const DepositAddressQuery = Type.Object({
  chainId: CHAIN_ID,
  tokenId: TOKEN_ID,
  userId: USER_ID,
})
export const PaymentsQuery = Type.Object({ userId: UserFilter, ...DepositFilter, ...Page })
export const UserPath = Type.Object({ userId: USER_ID })
export const UserDepositsQuery = Type.Object({ ...DepositFilter, ...Page })

/** Section 4.5. */
export const AccountsQuery = Type.Object({
  userId: UserFilter,
  chainId: ChainFilter,
  address: AddressFilter,
  ...Page,
})

/** Section 4.6. */
export const ChainsQuery = Type.Object({ enabledOnly: ENABLED_ONLY })
export const ChainPath = Type.Object({ id: CHAIN_ID })
export const TokensQuery = Type.Object({ chainId: ChainFilter, enabledOnly: ENABLED_ONLY })

/** Decisions, section 8. */
export const PortfolioQuery = Type.Object({ chainId: ChainFilter, tokenId: TokenFilter })

/** Decisions, section 10. */
const EventFilter = {
  type: Type.Optional(oneOf(EVENT_TYPES, 'Only events of this type.')),
  ...TimeFilter,
  delivery: Type.Optional(oneOf(DELIVERY_STATES, 'Only events whose delivery is in this state.')),
}
export const EventPath = Type.Object({ id: EVENT_ID })
export const EventsQuery = Type.Object({
  after: Type.Optional(AfterFilter),
  ...EventFilter,
  ...Page,
})
/** At least one of them, so that nothing is sent again by a slip. */
export const RedeliveryRequest = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only events with a higher `sequence`; 0 for all.',
      }),
    ),
    ...EventFilter,
  },
  {
    documented: {
      additionalProperties: false,
      minProperties: 1,
      description: 'The filters of `GET /events`, at least one of them and nothing else.',
    },
  },
)

/** Where a deposit is, step by step. */
export const TraceQuery = Type.Object({ chainId: CHAIN_ID, txnHash: TXN_HASH })
