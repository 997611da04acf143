/**
 * The interface as the service's OpenAPI document has it. Written by
 * `tools/generate-client.mjs`; changes are made there or in the document.
 */
export interface paths {
  '/auth/login': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Signs a person in: user name, password and a fresh two-factor code
     * @description The access token is valid for `expiresIn` seconds and ends earlier with a change of the password, of the two-factor secret or of the person. Ten failures in a row lock the name for 15 minutes.
     */
    post: operations['postLogin']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/profile': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Who is signed in
     * @description The person whose session this is, with the role that says what they may do.
     */
    get: operations['getProfile']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organisation/api-key': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Replaces the API key; the one before is refused at once
     * @description The new key is shown this once. Requests with the one before are refused. Takes a fresh two-factor code.
     */
    patch: operations['patchApiKey']
    trace?: never
  }
  '/organisation': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The organization of the caller, with its settings
     * @description The secret that signs deliveries is whole for the API key, and for an admin who sends a fresh two-factor code in the header `x-totp-code`; others see its last four characters.
     */
    get: operations['getOrganisation']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organisation/webhook': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Sets the URL that receives events
     * @description It must lead to a public address over HTTPS; `details.reason` says what is wrong. What waits to be delivered goes to the new URL. A person sends a fresh two-factor code.
     */
    patch: operations['patchWebhook']
    trace?: never
  }
  '/organisation/webhook/signing-secret': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Replaces the secret that signs deliveries
     * @description `x-webhook-signature` is made with the new secret at once; `webhook-signature` carries signatures of both for 24 hours. A person sends a fresh two-factor code.
     */
    patch: operations['patchSigningSecret']
    trace?: never
  }
  '/payments/deposit-address': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The deposit account of a user on a chain; made when there is none
     * @description One for each end user and chain; it takes every token of the chain. 201 where it was made by this request, 200 where it was there. On XRPL payments must carry the destination tag.
     */
    get: operations['getDepositAddress']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/payments': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Deposits of the organization, newest first
     * @description Of all end users on all chains. Complete and newest first without `limit` and `cursor`, however long it is: it is streamed. With one of them, a page; `nextCursor` leads to the next.
     */
    get: operations['getPayments']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/payments/{userId}/deposits': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Deposits of one user on all chains, newest first
     * @description Complete and newest first without `limit` and `cursor`, however long it is: it is streamed. With one of them, a page; `nextCursor` leads to the next. Of the users `.` and `..` ask with `GET /payments?userId=`: most clients take such a part out of a path, encoded or not.
     */
    get: operations['getUserDeposits']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/payments/trace': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Why the payments of a transaction are credited, or are not, step by step
     * @description For support: paste the hash that your user has. `steps` tells what holds for the transaction, `payments` what became of each payment in it that concerns you.
     */
    get: operations['getPaymentsTrace']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/accounts': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Deposit accounts of the organization, newest first
     * @description Complete and newest first without `limit` and `cursor`, however long it is: it is streamed. With one of them, a page; `nextCursor` leads to the next.
     */
    get: operations['getAccounts']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/chains': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Chains, by default those enabled for the organization
     * @description With what each needs to be final.
     */
    get: operations['getChains']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/chains/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * One chain
     * @description Whether or not it is enabled.
     */
    get: operations['getChain']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/tokens': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Tokens, by default those enabled for the organization
     * @description With their smallest deposit and largest withdrawal.
     */
    get: operations['getTokens']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organisation/min-withdrawal-signers': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Sets how many approvals a new withdrawal needs
     * @description 1 to the number of people who may approve. Withdrawals that were created keep what they needed then. A person sends a fresh two-factor code.
     */
    patch: operations['patchMinWithdrawalSigners']
    trace?: never
  }
  '/withdrawals': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Withdrawals of the organization, newest first
     * @description Complete and newest first without `limit` and `cursor`, however long it is: it is streamed. With one of them, a page; `nextCursor` leads to the next.
     */
    get: operations['getWithdrawals']
    put?: never
    /**
     * Creates a withdrawal and reserves its amount
     * @description The amount is set aside at once. With one signer it is paid without more ado, else it waits for approvals. A lost answer is no harm: the same `reference` again is `DUPLICATE_REFERENCE` with the id of the withdrawal there is, and `sameParameters`. A refused request does not use up its reference.
     */
    post: operations['postWithdrawals']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/withdrawals/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * One withdrawal
     * @description Not wrapped, with its token. Read it before you approve: it is shown as it was asked for, or refused (`INTERNAL_ERROR`, `details.reason` `tampered`) where somebody changed it in the database; lists are not compared.
     */
    get: operations['getWithdrawal']
    put?: never
    post?: never
    /**
     * Cancels a withdrawal that is not being processed yet
     * @description While it is `Pending` or `PendingApproval`; what was set aside is free again.
     */
    delete: operations['deleteWithdrawal']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/withdrawals/{id}/approve': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Approves a withdrawal, with a fresh two-factor code
     * @description The last approval that is needed makes it `Pending`. Approving twice changes nothing, and who asked for it is its first approver.
     */
    post: operations['postWithdrawalApprove']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/withdrawals/{id}/reject': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Rejects a withdrawal that waits for approvals, with a fresh two-factor code
     * @description It becomes `Cancelled`, and what was set aside is free again.
     */
    post: operations['postWithdrawalReject']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/withdrawals/approve': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Approves several withdrawals with one fresh two-factor code
     * @description Those that could not be approved stand in `refused`, with the reason.
     */
    post: operations['postWithdrawalsApprove']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/gas-station': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Gas wallets of the organization, with what they hold now
     * @description Of the chains that have them: EVM chains and TRON. Asked of the chain itself.
     */
    get: operations['getGasStation']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/portfolio': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What the organization holds, by token and account
     * @description One entry for each token and account. What is available, reserved, unconfirmed and unswept is the organization’s on that chain, and stands with its settlement account.
     */
    get: operations['getPortfolio']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/events': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Events of the organization, newest first; with `after` the feed, oldest first
     * @description A webhook may be down; this never forgets. To follow all that happens, ask with `after` and the last `sequence` you have: oldest first, without gaps. Else: Complete and newest first without `limit` and `cursor`, however long it is: it is streamed. With one of them, a page; `nextCursor` leads to the next.
     */
    get: operations['getEvents']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/events/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * One event, with every attempt to deliver it
     * @description With what was sent in each attempt, and what came back.
     */
    get: operations['getEvent']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/events/{id}/redeliver': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sends an event again, under the same id
     * @description At once, to the URL that is set now, whatever its delivery has come to. What is being sent at this moment is left to that, and what still waits for a URL that was replaced goes there. The `webhook-id` stays, so that a receiver knows what it had.
     */
    post: operations['postEventRedeliver']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/events/redeliver': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sends all events again that match a filter, however many
     * @description The filters of `GET /events`, at least one. `count` says how many are sent.
     */
    post: operations['postEventsRedeliver']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/organisation/webhook/test': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sends a test event to the webhook URL
     * @description A `webhook.test` event, signed as every other, sent once. `GET /events/{id}` shows how that went.
     */
    post: operations['postWebhookTest']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/healthz': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Whether the process is alive
     * @description Also by HEAD.
     */
    get: operations['getHealth']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/readyz': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Whether the service can do its work
     * @description 503 without the database, its schema or the keys. A chain that lags makes it `degraded`, which is 200. Also by HEAD.
     */
    get: operations['getReadiness']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    AccessToken: {
      /** @description A JWT: the bearer token of the session. */
      accessToken: string
      /** @description How long it is valid, in seconds. */
      expiresIn: number
    }
    Account: {
      /** @description The owning organization. */
      orgId: string
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description Your own id of the end user. */
      externalUserId: string
      /** @description The account, unique within the organization. */
      orgDepositAccountId: string
      /** @description Where the end user pays to: `address`, on XRP with `destinationTag`. */
      properties: {
        /** @description Where the end user pays to. */
        address: string
        /** @description The tag that the payment must carry (XRP). */
        destinationTag?: string
        /** @description Address and tag in one (XRP). */
        xAddress?: string
      }
      /**
       * Format: date-time
       * @description When it was made.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it was changed last.
       */
      updatedAt: string
    }
    ApprovalRequest: {
      /** @description The six digits that the authenticator shows now; each code works once. */
      totpCode: string
    }
    ApprovalsRequest: {
      /** @description The ids of 1 to 100 withdrawals, each once. */
      ids: string[]
      /** @description The six digits that the authenticator shows now; each code works once. */
      totpCode: string
    }
    CancelledWithdrawal: {
      /** @description Unique id. */
      id: string
      /**
       * @description Where it stands.
       * @enum {unknown}
       */
      status: 'PendingApproval' | 'Pending' | 'Processing' | 'Completed' | 'Failed' | 'Cancelled'
      /** @description Why it failed, or `CANCELLED BY <user id>`. */
      txnError: string | null
      /**
       * Format: date-time
       * @description When it was changed last.
       */
      updatedAt: string
    }
    Chain: {
      /** @description The CAIP-2 id. */
      id: string
      /** @description As people know it. */
      name: string
      /** @description The family: `eip155`, `bip122`, `tron` or `xrpl`. */
      namespace: string
      /** @description The id after its colon. */
      reference: string
      /** @description Whether the organization can use it now. */
      enabled: boolean
      /** @description Whether its coins are worth nothing. */
      isTestnet: boolean
      properties: {
        /** @description The symbol of its own currency. */
        nativeCurrency: string
        /** @description Decimal places of that currency. */
        decimals: number
        /** @description Whether the `memo` of a withdrawal goes on-chain: true on TRON (as the data of the transaction) and XRPL (as the destination tag). False on EVM chains and Bitcoin, where `memo` is stored with the withdrawal and never sent. */
        carriesMemo: boolean
      } & {
        [key: string]: unknown
      }
    }
    CodeRequest: {
      /** @description A fresh two-factor code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
      totpCode?: string
    }
    DeliveryAttempt: {
      /** @description 1 for the first. */
      number: number
      /**
       * Format: date-time
       * @description When it began.
       */
      startedAt: string
      /**
       * Format: date-time
       * @description When it ended.
       */
      finishedAt: string
      /** @description How long it took, in milliseconds: name service, connection and answer. */
      durationMs: number
      request: {
        /** @description POST. */
        method: string
        /** @description Where it went, without credentials; empty where no URL was set. */
        url: string
        /** @description Header names in lower case. */
        headers: {
          [key: string]: string
        }
        /** @description The exact text that was signed and sent. */
        body: string
      }
      /** @description Null where no answer came. */
      response: {
        /** @description The HTTP status; any 2xx acknowledges the event. */
        status: number
        /** @description Header names in lower case. */
        headers: {
          [key: string]: string
        }
        /** @description Its beginning: 16 KiB, of a 2xx 1 KiB. */
        body: string
      } | null
      /** @description Why it was no acknowledgement: what the answer came to (`answered 500`), or why there is no whole one, with the step that failed (name service, connect, TLS). Empty for any 2xx. */
      error: string
    }
    Deposit: {
      /** @description Unique id: deduplicate deposits by it. */
      id: string
      /** @description The position inside its transaction. */
      index: number
      /** @description Where the money arrived: a CAIP-2 id. */
      chainId: string
      /** @description The transaction on the chain. */
      txnHash: string
      /** @description The token: a CAIP-19 id. */
      tokenId: string
      /** @description What arrived. In base units. */
      amount: string
      /** @description The chain of the account it arrived at. */
      accountChainId: string
      /** @description Your own id of the end user. */
      externalUserId: string
      /** @description Who sent it. */
      senderAddress: string
      /**
       * @description Credited at `Confirmed`.
       * @enum {unknown}
       */
      status: 'Detected' | 'Confirmed' | 'BelowMinimum' | 'Held' | 'Orphaned'
      /** @description Blocks on top of its own. */
      confirmations: number
      /** @description How many it needs to be credited, where its chain counts them. */
      requiredConfirmations: number
      /** @description The height of its block. */
      blockNumber: number
      /** @description Its block. */
      blockHash: string
      /**
       * Format: date-time
       * @description When it was credited; null until then.
       */
      confirmedAt: string | null
      Token: components['schemas']['TokenSummary']
      /**
       * Format: date-time
       * @description When it was detected.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it was changed last.
       */
      updatedAt: string
    }
    EventDelivery: {
      /**
       * @description `pending` while it is tried, `delivered` once a 2xx came, `failed` once it was given up, `none` where no URL was set: redeliver it once there is one.
       * @enum {unknown}
       */
      state: 'none' | 'pending' | 'delivered' | 'failed'
      /** @description How often it was tried, redeliveries included. */
      attemptCount: number
      /** @description The HTTP status of the last attempt; null where no answer came. */
      lastStatus: number | null
      /** @description What went wrong with the last attempt, in words; empty for nothing. */
      lastError: string
      /**
       * Format: date-time
       * @description When it is tried next; null while nothing waits.
       */
      nextAttemptAt: string | null
      /**
       * Format: date-time
       * @description When it was delivered or given up; null until then.
       */
      finishedAt: string | null
    }
    GasWallet: {
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description Where to send native currency for fees. */
      address: string
      /** @description What it holds, native currency. In base units. */
      balance: string
      /** @description False while no node of the chain answers: the balance is that of our last block. */
      live: boolean
      /** @description What may be spent on gas: transactions under way are taken off. In base units. */
      spendable: string
      Chain: {
        /** @description As people know the chain. */
        name: string
        properties: {
          /** @description The symbol of its own currency. */
          nativeCurrency: string
          /** @description Decimal places of that currency. */
          decimals: number
        }
      }
    }
    Health: {
      /** @description `ok`: the process answers. */
      status: string
    }
    LoginRequest: {
      /** @description The name that the person signs in with. */
      username: string
      /**
       * Format: password
       * @description The password.
       */
      password: string
      /** @description The six digits that the authenticator shows now; each code works once. */
      totpCode: string
    }
    MinSignersRequest: {
      /** @description How many approvals a new withdrawal needs: 1 to the number of signers. */
      minWithdrawalSigners: number
      /** @description A fresh two-factor code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
      totpCode?: string
    }
    NewApiKey: {
      /** @description The new key. It is shown this once: only a hash of it is kept. */
      apiKey: string
    }
    NewSigningSecret: {
      /** @description The new secret; `webhook-signature` has both for 24 hours more. */
      webhookSigningSecret: string
    }
    Organization: {
      /** @description Unique id. */
      id: string
      /** @description Its name. */
      name: string
      /** @description Where events are sent; empty while none is set. */
      webhookUrl: string
      /** @description Signs deliveries (HMAC SHA-256). Whole for the API key, and for an admin who sends a fresh two-factor code in the header `x-totp-code`; otherwise its last four characters. */
      webhookSigningSecret: string
      /** @description Approvals that a new withdrawal needs; 1: none but its own. */
      minWithdrawalSigners: number
      /** @description How many of these must be of people: an API key does not count. */
      minHumanApprovals: number
      /**
       * Format: date-time
       * @description When it was made.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it was changed last.
       */
      updatedAt: string
    }
    PaymentTrace: {
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description The transaction, as the chain writes it. */
      txnHash: string
      /**
       * @description Stable; what each means stands in the docs.
       * @enum {unknown}
       */
      outcome:
        | 'CHAIN_NOT_FOLLOWED'
        | 'NODE_AWAY'
        | 'TRANSACTION_NOT_FOUND'
        | 'TRANSACTION_WAITS'
        | 'TRANSACTION_FOUND'
        | 'TRANSACTION_FAILED'
        | 'BEFORE_START'
        | 'NOT_YET_SCANNED'
        | 'BLOCK_READ'
        | 'CHAIN_FROZEN'
        | 'CHAIN_HALTED'
        | 'CHAIN_DISPUTED'
        | 'OWN_TRANSACTION'
        | 'OWN_WITHDRAWAL'
        | 'NOTHING_FOR_YOU'
        | 'RECIPIENT_IS_USER'
        | 'RECIPIENT_IS_SETTLEMENT'
        | 'RECIPIENT_IS_GAS'
        | 'OTHER_NETWORK'
        | 'ZERO_VALUE'
        | 'TOKEN_NOT_LISTED'
        | 'TOKEN_DISABLED'
        | 'TAG_MISSING'
        | 'TAG_UNKNOWN'
        | 'NOT_DETECTED'
        | 'DETECTED'
        | 'WAITING_FOR_CONFIRMATIONS'
        | 'BEING_CONFIRMED'
        | 'BELOW_MINIMUM'
        | 'HELD'
        | 'ORPHANED'
        | 'CREDITED'
      /** @description What holds for the transaction as a whole. */
      steps: components['schemas']['TraceStep'][]
      /** @description Every payment in it that concerns you, and no other. */
      payments: components['schemas']['TracedPayment'][]
    }
    PortfolioEntry: {
      /** @description Unique id. */
      id: string
      /** @description The owning organization. */
      orgId: string
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description The token: a CAIP-19 id. */
      tokenId: string
      /** @description The address; empty for the deposit addresses of a chain, which are summed. */
      accountId: string
      /**
       * @description What the account is for.
       * @enum {unknown}
       */
      accountType: 'settlement' | 'gas' | 'deposits'
      /** @description What lies there. In base units. */
      balance: string
      /** @description What can be withdrawn. In base units. */
      available: string
      /** @description What withdrawals under way have taken. In base units. */
      reserved: string
      /** @description Held for the network fees of withdrawals that have not ended, on Bitcoin and XRPL, where fees are paid from the balance. What is not spent returns to `available`. 0 elsewhere. In base units. */
      heldForFees: string
      /** @description What was detected and is not credited yet. In base units. */
      unconfirmed: string
      /** @description Deposits below the minimum, not credited yet. In base units. */
      belowMinimum: string
      /** @description Deposits that are held for an operator. In base units. */
      held: string
      /** @description Payments that name no user, until an operator assigns them (XRPL). In base units. */
      unattributed: string
      /** @description Native currency kept for fees (EVM, TRON) or for the reserve of the base account (XRPL). In base units. */
      gas: string
      /** @description What still lies at deposit addresses. In base units. */
      unswept: string
      Token: components['schemas']['TokenSummary']
      /**
       * Format: date-time
       * @description When it moved last.
       */
      lastUpdated: string
      /**
       * Format: date-time
       * @description When it was made.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it was changed last.
       */
      updatedAt: string
    }
    Profile: {
      /** @description Unique id. */
      id: string
      /** @description The name that the person signs in with. */
      username: string
      /** @description `viewer`, `operator`, `approver` or `admin`. */
      role: string
      org: {
        /** @description The organization. */
        id: string
        /** @description Its name. */
        name: string
      }
    }
    Readiness: {
      /** @description `ready`, `degraded` (a chain lags) or `unavailable`. */
      status: string
      /** @description What was looked at. */
      checks: {
        [key: string]: string
      }
    } & {
      [key: string]: unknown
    }
    RedeliveryCount: {
      /** @description How many events are sent again. */
      count: number
      /** @description How many were being sent at this moment, and were left to that. */
      underWay: number
    }
    /** @description The filters of `GET /events`, at least one of them and nothing else. */
    RedeliveryRequest: {
      /** @description Only events with a higher `sequence`; 0 for all. */
      after?: number
      /**
       * @description Only events of this type.
       * @enum {string}
       */
      type?:
        | 'deposit.detected'
        | 'deposit.confirmed'
        | 'deposit.reverted'
        | 'deposit.held'
        | 'withdrawal.created'
        | 'withdrawal.approved'
        | 'withdrawal.processing'
        | 'withdrawal.completed'
        | 'withdrawal.failed'
        | 'withdrawal.cancelled'
        | 'account.created'
        | 'balance.updated'
        | 'gas.low'
        | 'chain.frozen'
        | 'settings.changed'
        | 'webhook.test'
      /** @description Only what was created at this time or after it. ISO 8601; a date alone is its midnight in UTC. */
      from?: string
      /** @description Only what was created at this time or before it. ISO 8601; a date alone is its midnight in UTC. */
      to?: string
      /**
       * @description Only events whose delivery is in this state.
       * @enum {string}
       */
      delivery?: 'none' | 'pending' | 'delivered' | 'failed'
    }
    RefusedApproval: {
      /** @description The withdrawal. */
      id: string
      /** @description The error code. */
      error: string
      /** @description What happened and what to do. */
      message: string
    }
    RejectionRequest: {
      /** @description The six digits that the authenticator shows now; each code works once. */
      totpCode: string
      /** @description Why, for the audit log: at most 500 characters. */
      reason?: string | null
    }
    SingleEvent: {
      /** @description Unique id, the `webhook-id` of every delivery. */
      id: string
      /** @description What happened: one of the types of the event catalogue. */
      type: string
      /**
       * Format: date-time
       * @description When it happened.
       */
      timestamp: string
      /** @description The owning organization. */
      orgId: string
      /** @description Its number, without gaps: `after` takes it. */
      sequence: number
      /** @description What it tells of: the id of a deposit, a withdrawal, an account or a chain. */
      subjectId: string
      /** @description What the receiver is told; its shape depends on the type. */
      payload: {
        [key: string]: unknown
      }
      delivery: components['schemas']['EventDelivery']
      /** @description The newest 100 attempts, in their order. Old ones are deleted after a while. */
      attempts: components['schemas']['DeliveryAttempt'][]
    }
    SingleWithdrawal: {
      /** @description Unique id. */
      id: string
      /** @description The owning organization. */
      orgId: string
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description The token: a CAIP-19 id. */
      tokenId: string
      /** @description What the recipient gets. In base units. */
      amount: string
      /** @description The address it is paid to. */
      recipient: string
      /** @description A memo or destination tag. */
      memo: string | null
      /** @description Your own key of the withdrawal; one for each. */
      reference: string
      /** @description A note of your own; it never reaches a chain. */
      internalNote: string | null
      /**
       * @description Where it stands.
       * @enum {unknown}
       */
      status: 'PendingApproval' | 'Pending' | 'Processing' | 'Completed' | 'Failed' | 'Cancelled'
      /** @description The transaction on the chain: the one on its way, in the end the one that was confirmed; null before it is signed. */
      txnHash: string | null
      /** @description Why it failed, or `CANCELLED BY <user id>`. */
      txnError: string | null
      /** @description Why it failed, as a code. */
      failureCode: string | null
      /** @description The user who asked for it. */
      initiator: string
      /** @description The users who approved it, the initiator first. */
      approvers: string[]
      /** @description How many approvals it needs; `requiredHumans` of the record says how many of people. */
      requiredApprovals: number
      /** @description How many people must have approved it; an API key is none. */
      requiredHumans: number
      /** @description Your own id of the end user; empty for none. */
      externalUserId: string
      /** @description What the chain took, in base units of its native currency; null until known. */
      fee: string | null
      /** @description What it waits for. `approvals` of people; `confirmations` of its transaction, of an earlier one of the same sender, or of the deposit or sweep that brings its funds; `gas`: the gas wallet holds too little; `fee`: the network fee is above the cap; `chain`: the chain is stopped, or its nodes do not answer; `operator`: the operator must act. Null when nothing keeps it, or when it has ended. */
      waitingFor: ('approvals' | 'confirmations' | 'gas' | 'fee' | 'chain' | 'operator') | null
      /**
       * Format: date-time
       * @description Since when it waits for that; null if `waitingFor` is null.
       */
      waitingSince: string | null
      /**
       * Format: date-time
       * @description When it was made.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it was changed last.
       */
      updatedAt: string
      Token: components['schemas']['TokenSummary']
    }
    StoredEvent: {
      /** @description Unique id, the `webhook-id` of every delivery. */
      id: string
      /** @description What happened: one of the types of the event catalogue. */
      type: string
      /**
       * Format: date-time
       * @description When it happened.
       */
      timestamp: string
      /** @description The owning organization. */
      orgId: string
      /** @description Its number, without gaps: `after` takes it. */
      sequence: number
      /** @description What it tells of: the id of a deposit, a withdrawal, an account or a chain. */
      subjectId: string
      /** @description What the receiver is told; its shape depends on the type. */
      payload: {
        [key: string]: unknown
      }
      delivery: components['schemas']['EventDelivery']
    }
    Token: {
      /** @description The token: a CAIP-19 id. */
      id: string
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description As people know it. */
      name: string
      /** @description Its ticker. */
      symbol: string
      /** @description Decimal places: base units of one whole token are 10 to this power. */
      decimals: number
      /** @description The contract; empty for a native currency. */
      address: string
      /** @description Whether the organization can use it now. */
      enabled: boolean
      /** @description The smallest deposit that is credited, and withdrawal that is made. In base units. */
      minimumAmount: string
      /** @description `maximumWithdrawalAmount`, null for none, and more. */
      properties: {
        [key: string]: unknown
      }
    }
    TokenSummary: {
      /** @description The token: a CAIP-19 id. */
      id: string
      /** @description As people know it. */
      name: string
      /** @description Its ticker. */
      symbol: string
      /** @description Decimal places: base units of one whole token are 10 to this power. */
      decimals: number
      /** @description The contract; empty for a native currency. */
      address: string
    }
    TraceStep: {
      /**
       * @description Stable; what each means stands in the docs.
       * @enum {unknown}
       */
      code:
        | 'CHAIN_NOT_FOLLOWED'
        | 'NODE_AWAY'
        | 'TRANSACTION_NOT_FOUND'
        | 'TRANSACTION_WAITS'
        | 'TRANSACTION_FOUND'
        | 'TRANSACTION_FAILED'
        | 'BEFORE_START'
        | 'NOT_YET_SCANNED'
        | 'BLOCK_READ'
        | 'CHAIN_FROZEN'
        | 'CHAIN_HALTED'
        | 'CHAIN_DISPUTED'
        | 'OWN_TRANSACTION'
        | 'OWN_WITHDRAWAL'
        | 'NOTHING_FOR_YOU'
        | 'RECIPIENT_IS_USER'
        | 'RECIPIENT_IS_SETTLEMENT'
        | 'RECIPIENT_IS_GAS'
        | 'OTHER_NETWORK'
        | 'ZERO_VALUE'
        | 'TOKEN_NOT_LISTED'
        | 'TOKEN_DISABLED'
        | 'TAG_MISSING'
        | 'TAG_UNKNOWN'
        | 'NOT_DETECTED'
        | 'DETECTED'
        | 'WAITING_FOR_CONFIRMATIONS'
        | 'BEING_CONFIRMED'
        | 'BELOW_MINIMUM'
        | 'HELD'
        | 'ORPHANED'
        | 'CREDITED'
      /** @description The same for people, with what can be done. */
      message: string
      /** @description The figures of the message, by name. */
      details: {
        [key: string]: string | number
      }
    }
    TracedPayment: {
      /** @description The address of yours that it pays. */
      recipient: string
      /** @description Who sent it; empty where the chain names nobody. */
      senderAddress: string
      /** @description Null where no id can be written for the token. */
      tokenId: string | null
      /** @description In base units. */
      amount: string
      /** @description Whose address it is; empty for one of your own. */
      externalUserId: string
      /** @description The deposit that it became; null where it is none. */
      depositId: string | null
      /**
       * @description Stable; what each means stands in the docs.
       * @enum {unknown}
       */
      outcome:
        | 'CHAIN_NOT_FOLLOWED'
        | 'NODE_AWAY'
        | 'TRANSACTION_NOT_FOUND'
        | 'TRANSACTION_WAITS'
        | 'TRANSACTION_FOUND'
        | 'TRANSACTION_FAILED'
        | 'BEFORE_START'
        | 'NOT_YET_SCANNED'
        | 'BLOCK_READ'
        | 'CHAIN_FROZEN'
        | 'CHAIN_HALTED'
        | 'CHAIN_DISPUTED'
        | 'OWN_TRANSACTION'
        | 'OWN_WITHDRAWAL'
        | 'NOTHING_FOR_YOU'
        | 'RECIPIENT_IS_USER'
        | 'RECIPIENT_IS_SETTLEMENT'
        | 'RECIPIENT_IS_GAS'
        | 'OTHER_NETWORK'
        | 'ZERO_VALUE'
        | 'TOKEN_NOT_LISTED'
        | 'TOKEN_DISABLED'
        | 'TAG_MISSING'
        | 'TAG_UNKNOWN'
        | 'NOT_DETECTED'
        | 'DETECTED'
        | 'WAITING_FOR_CONFIRMATIONS'
        | 'BEING_CONFIRMED'
        | 'BELOW_MINIMUM'
        | 'HELD'
        | 'ORPHANED'
        | 'CREDITED'
      /** @description In their order; the last one is the outcome. */
      steps: components['schemas']['TraceStep'][]
    }
    WebhookRequest: {
      /**
       * Format: uri
       * @description A public HTTPS address of at most 2048 characters.
       */
      webhookUrl: string
      /** @description A fresh two-factor code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
      totpCode?: string
    }
    Withdrawal: {
      /** @description Unique id. */
      id: string
      /** @description The owning organization. */
      orgId: string
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description The token: a CAIP-19 id. */
      tokenId: string
      /** @description What the recipient gets. In base units. */
      amount: string
      /** @description The address it is paid to. */
      recipient: string
      /** @description A memo or destination tag. */
      memo: string | null
      /** @description Your own key of the withdrawal; one for each. */
      reference: string
      /** @description A note of your own; it never reaches a chain. */
      internalNote: string | null
      /**
       * @description Where it stands.
       * @enum {unknown}
       */
      status: 'PendingApproval' | 'Pending' | 'Processing' | 'Completed' | 'Failed' | 'Cancelled'
      /** @description The transaction on the chain: the one on its way, in the end the one that was confirmed; null before it is signed. */
      txnHash: string | null
      /** @description Why it failed, or `CANCELLED BY <user id>`. */
      txnError: string | null
      /** @description Why it failed, as a code. */
      failureCode: string | null
      /** @description The user who asked for it. */
      initiator: string
      /** @description The users who approved it, the initiator first. */
      approvers: string[]
      /** @description How many approvals it needs; `requiredHumans` of the record says how many of people. */
      requiredApprovals: number
      /** @description How many people must have approved it; an API key is none. */
      requiredHumans: number
      /** @description Your own id of the end user. */
      externalUserId: string | null
      /** @description What the chain took, in base units of its native currency; null until known. */
      fee: string | null
      /** @description What it waits for. `approvals` of people; `confirmations` of its transaction, of an earlier one of the same sender, or of the deposit or sweep that brings its funds; `gas`: the gas wallet holds too little; `fee`: the network fee is above the cap; `chain`: the chain is stopped, or its nodes do not answer; `operator`: the operator must act. Null when nothing keeps it, or when it has ended. */
      waitingFor: ('approvals' | 'confirmations' | 'gas' | 'fee' | 'chain' | 'operator') | null
      /**
       * Format: date-time
       * @description Since when it waits for that; null if `waitingFor` is null.
       */
      waitingSince: string | null
      /**
       * Format: date-time
       * @description When it was made.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it was changed last.
       */
      updatedAt: string
    }
    WithdrawalRequest: {
      /** @description A chain id (CAIP-2), one of those that `GET /chains?enabledOnly=false` lists. */
      chainId: string
      /** @description A token id (CAIP-19), one of those that `GET /tokens?enabledOnly=false` lists. */
      tokenId: string
      /** @description Base units of the token, in decimal digits; at most 2^256-1. */
      amount: string
      /** @description An address that is valid on the chain; a settlement or gas address of this service is refused. */
      recipient: string
      /** @description Your own key of the withdrawal: 1 to 128 characters, no control characters. */
      reference: string
      /** @description A memo of at most 64 characters; on XRPL the destination tag. It goes on-chain where `properties.carriesMemo` of the chain is true (TRON, XRPL). On EVM chains and Bitcoin it is stored with the withdrawal and never sent. */
      memo?: string | null
      /** @description A note of your own of at most 500 characters; it never reaches a chain. */
      internalNote?: string | null
      /** @description Your own id of the end user whom the withdrawal is for. */
      externalUserId?: string | null
    }
    /** @description The body of every error. */
    Error: {
      /**
       * @description The code; more may come.
       * @enum {string}
       */
      error:
        | 'BAD_REQUEST'
        | 'MISSING_DESTINATION_TAG'
        | 'UNAUTHORIZED'
        | 'INVALID_API_KEY'
        | 'INVALID_TOTP'
        | 'FORBIDDEN'
        | 'NOT_FOUND'
        | 'WITHDRAWAL_NOT_FOUND'
        | 'INVALID_TOKEN'
        | 'INVALID_CHAIN'
        | 'CHAIN_NOT_ENABLED'
        | 'TOKEN_NOT_ENABLED'
        | 'INVALID_TOKEN_CHAIN'
        | 'INVALID_USER_ID'
        | 'DUPLICATE_DEPOSIT'
        | 'INVALID_ADDRESS'
        | 'INVALID_RECIPIENT_ADDRESS'
        | 'INVALID_AMOUNT'
        | 'INSUFFICIENT_BALANCE'
        | 'INSUFFICIENT_CONFIRMED_BALANCE'
        | 'INSUFFICIENT_GAS'
        | 'INSUFFICIENT_APPROVALS'
        | 'DUPLICATE_REFERENCE'
        | 'WITHDRAWAL_NOT_PENDING'
        | 'WITHDRAWAL_ALREADY_PROCESSED'
        | 'WITHDRAWAL_BELOW_MINIMUM'
        | 'WITHDRAWAL_ABOVE_MAXIMUM'
        | 'INVALID_WEBHOOK_URL'
        | 'INVALID_MIN_SIGNERS'
        | 'RATE_LIMIT_EXCEEDED'
        | 'INTERNAL_ERROR'
        | 'FAILED_TO_CREATE_DEPOSIT_ACCOUNT'
        | 'SERVICE_UNAVAILABLE'
      /** @description What happened and what to do. */
      message: string
      /** @description The HTTP status. */
      statusCode: number
      /** @description What helps to mend it; which fields there are depends on the code. */
      details?: {
        /** @description Quote it when you report the error. */
        requestId?: string
        /** @description Where the error catalogue speaks of the code. */
        docUrl?: string
      } & {
        [key: string]: unknown
      }
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export type AccessToken = components['schemas']['AccessToken']
export type Account = components['schemas']['Account']
export type ApprovalRequest = components['schemas']['ApprovalRequest']
export type ApprovalsRequest = components['schemas']['ApprovalsRequest']
export type CancelledWithdrawal = components['schemas']['CancelledWithdrawal']
export type Chain = components['schemas']['Chain']
export type CodeRequest = components['schemas']['CodeRequest']
export type DeliveryAttempt = components['schemas']['DeliveryAttempt']
export type Deposit = components['schemas']['Deposit']
export type EventDelivery = components['schemas']['EventDelivery']
export type GasWallet = components['schemas']['GasWallet']
export type Health = components['schemas']['Health']
export type LoginRequest = components['schemas']['LoginRequest']
export type MinSignersRequest = components['schemas']['MinSignersRequest']
export type NewApiKey = components['schemas']['NewApiKey']
export type NewSigningSecret = components['schemas']['NewSigningSecret']
export type Organization = components['schemas']['Organization']
export type PaymentTrace = components['schemas']['PaymentTrace']
export type PortfolioEntry = components['schemas']['PortfolioEntry']
export type Profile = components['schemas']['Profile']
export type Readiness = components['schemas']['Readiness']
export type RedeliveryCount = components['schemas']['RedeliveryCount']
export type RedeliveryRequest = components['schemas']['RedeliveryRequest']
export type RefusedApproval = components['schemas']['RefusedApproval']
export type RejectionRequest = components['schemas']['RejectionRequest']
export type SingleEvent = components['schemas']['SingleEvent']
export type SingleWithdrawal = components['schemas']['SingleWithdrawal']
export type StoredEvent = components['schemas']['StoredEvent']
export type Token = components['schemas']['Token']
export type TokenSummary = components['schemas']['TokenSummary']
export type TraceStep = components['schemas']['TraceStep']
export type TracedPayment = components['schemas']['TracedPayment']
export type WebhookRequest = components['schemas']['WebhookRequest']
export type Withdrawal = components['schemas']['Withdrawal']
export type WithdrawalRequest = components['schemas']['WithdrawalRequest']
export type Error = components['schemas']['Error']
export type $defs = Record<string, never>
export interface operations {
  postLogin: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['LoginRequest']
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AccessToken']
        }
      }
    }
  }
  getProfile: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Profile']
        }
      }
    }
  }
  patchApiKey: {
    parameters: {
      query?: never
      header?: {
        /** @description A fresh two-factor code of the person who asks (bearer token), if the body has none; an API key needs none. */
        'x-totp-code'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['CodeRequest']
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['NewApiKey']
        }
      }
    }
  }
  getOrganisation: {
    parameters: {
      query?: never
      header?: {
        /** @description A fresh two-factor code of the person who asks (bearer token), if the body has none; an API key needs none. */
        'x-totp-code'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Organization']
        }
      }
    }
  }
  patchWebhook: {
    parameters: {
      query?: never
      header?: {
        /** @description A fresh two-factor code of the person who asks (bearer token), if the body has none; an API key needs none. */
        'x-totp-code'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookRequest']
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': Record<string, never>
        }
      }
    }
  }
  patchSigningSecret: {
    parameters: {
      query?: never
      header?: {
        /** @description A fresh two-factor code of the person who asks (bearer token), if the body has none; an API key needs none. */
        'x-totp-code'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['CodeRequest']
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['NewSigningSecret']
        }
      }
    }
  }
  getDepositAddress: {
    parameters: {
      query: {
        /** @description A chain id (CAIP-2), one of those that `GET /chains?enabledOnly=false` lists. */
        chainId: string
        /** @description A token id (CAIP-19), one of those that `GET /tokens?enabledOnly=false` lists. */
        tokenId: string
        /** @description Your own id of an end user: 1 to 255 characters, no control characters, not white space alone. Nothing is trimmed or normalized. */
        userId: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            address: components['schemas']['Account']
          }
        }
      }
      /** @description Success; it was created by this request. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            address: components['schemas']['Account']
          }
        }
      }
    }
  }
  getPayments: {
    parameters: {
      query?: {
        /** @description Your own id of an end user: 1 to 255 characters, no control characters, not white space alone. Nothing is trimmed or normalized. */
        userId?: string
        /** @description A chain id (CAIP-2), one of those that `GET /chains?enabledOnly=false` lists. */
        chainId?: string
        /** @description Only this token: its token id (CAIP-19). */
        tokenId?: string
        /** @description Only deposits in this state. */
        status?: 'Detected' | 'Confirmed' | 'BelowMinimum' | 'Held' | 'Orphaned'
        /** @description Only what this transaction paid: 64 hexadecimal digits, with or without 0x. */
        txnHash?: string
        /** @description Only deposits whose `id`, `externalUserId` or `txnHash` is this. */
        q?: string
        /** @description Only what was created at this time or after it. ISO 8601; a date alone is its midnight in UTC. */
        from?: string
        /** @description Only what was created at this time or before it. ISO 8601; a date alone is its midnight in UTC. */
        to?: string
        /** @description The most records of a page. Without `limit` and `cursor` the list is complete; with `cursor` alone it is 100. */
        limit?: number
        /** @description The `nextCursor` of the page before. Opaque: do not build your own. */
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            payments: components['schemas']['Deposit'][]
            /** @description The `cursor` of the next page, null on the last one. Left out where neither `limit` nor `cursor` was given: the list is complete. */
            nextCursor?: string | null
          }
        }
      }
    }
  }
  getUserDeposits: {
    parameters: {
      query?: {
        /** @description A chain id (CAIP-2), one of those that `GET /chains?enabledOnly=false` lists. */
        chainId?: string
        /** @description Only this token: its token id (CAIP-19). */
        tokenId?: string
        /** @description Only deposits in this state. */
        status?: 'Detected' | 'Confirmed' | 'BelowMinimum' | 'Held' | 'Orphaned'
        /** @description Only what this transaction paid: 64 hexadecimal digits, with or without 0x. */
        txnHash?: string
        /** @description Only deposits whose `id`, `externalUserId` or `txnHash` is this. */
        q?: string
        /** @description Only what was created at this time or after it. ISO 8601; a date alone is its midnight in UTC. */
        from?: string
        /** @description Only what was created at this time or before it. ISO 8601; a date alone is its midnight in UTC. */
        to?: string
        /** @description The most records of a page. Without `limit` and `cursor` the list is complete; with `cursor` alone it is 100. */
        limit?: number
        /** @description The `nextCursor` of the page before. Opaque: do not build your own. */
        cursor?: string
      }
      header?: never
      path: {
        /** @description Your own id of an end user: 1 to 255 characters, no control characters, not white space alone. Nothing is trimmed or normalized. */
        userId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            deposits: components['schemas']['Deposit'][]
            /** @description The `cursor` of the next page, null on the last one. Left out where neither `limit` nor `cursor` was given: the list is complete. */
            nextCursor?: string | null
          }
        }
      }
    }
  }
  getPaymentsTrace: {
    parameters: {
      query: {
        /** @description A chain id (CAIP-2), one of those that `GET /chains?enabledOnly=false` lists. */
        chainId: string
        /** @description A transaction: 64 hexadecimal digits, with or without 0x. */
        txnHash: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            trace: components['schemas']['PaymentTrace']
          }
        }
      }
    }
  }
  getAccounts: {
    parameters: {
      query?: {
        /** @description Your own id of an end user: 1 to 255 characters, no control characters, not white space alone. Nothing is trimmed or normalized. */
        userId?: string
        /** @description A chain id (CAIP-2), one of those that `GET /chains?enabledOnly=false` lists. */
        chainId?: string
        /** @description Only the accounts of this blockchain address. An X-address with a tag (XRPL) is the account of that tag. */
        address?: string
        /** @description The most records of a page. Without `limit` and `cursor` the list is complete; with `cursor` alone it is 100. */
        limit?: number
        /** @description The `nextCursor` of the page before. Opaque: do not build your own. */
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            accounts: components['schemas']['Account'][]
            /** @description The `cursor` of the next page, null on the last one. Left out where neither `limit` nor `cursor` was given: the list is complete. */
            nextCursor?: string | null
          }
        }
      }
    }
  }
  getChains: {
    parameters: {
      query?: {
        /** @description Only what is enabled for the organization; true where it is left out. */
        enabledOnly?: boolean
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            chains: components['schemas']['Chain'][]
          }
        }
      }
    }
  }
  getChain: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description A chain id (CAIP-2), one of those that `GET /chains?enabledOnly=false` lists. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            chain: components['schemas']['Chain']
          }
        }
      }
    }
  }
  getTokens: {
    parameters: {
      query?: {
        /** @description A chain id (CAIP-2), one of those that `GET /chains?enabledOnly=false` lists. */
        chainId?: string
        /** @description Only what is enabled for the organization; true where it is left out. */
        enabledOnly?: boolean
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            tokens: components['schemas']['Token'][]
          }
        }
      }
    }
  }
  patchMinWithdrawalSigners: {
    parameters: {
      query?: never
      header?: {
        /** @description A fresh two-factor code of the person who asks (bearer token), if the body has none; an API key needs none. */
        'x-totp-code'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['MinSignersRequest']
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': Record<string, never>
        }
      }
    }
  }
  getWithdrawals: {
    parameters: {
      query?: {
        /** @description Only withdrawals in this state, or in one of several separated by commas: PendingApproval, Pending, Processing, Completed, Failed, Cancelled. */
        status?: string
        /** @description A chain id (CAIP-2), one of those that `GET /chains?enabledOnly=false` lists. */
        chainId?: string
        /** @description Only this token: its token id (CAIP-19). */
        tokenId?: string
        /** @description Only payments to this address, in any spelling of it. An X-address with a tag (XRPL) also selects the tag. */
        recipient?: string
        /** @description Only what this transaction paid: 64 hexadecimal digits, with or without 0x. */
        txnHash?: string
        /** @description Your own key of the withdrawal: 1 to 128 characters, no control characters. */
        reference?: string
        /** @description Your own id of an end user: 1 to 255 characters, no control characters, not white space alone. Nothing is trimmed or normalized. */
        externalUserId?: string
        /** @description Only withdrawals whose `id`, `reference`, `externalUserId`, `recipient` or `txnHash` is this. */
        q?: string
        /** @description Only what was created at this time or after it. ISO 8601; a date alone is its midnight in UTC. */
        from?: string
        /** @description Only what was created at this time or before it. ISO 8601; a date alone is its midnight in UTC. */
        to?: string
        /** @description The most records of a page. Without `limit` and `cursor` the list is complete; with `cursor` alone it is 100. */
        limit?: number
        /** @description The `nextCursor` of the page before. Opaque: do not build your own. */
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            withdrawals: components['schemas']['Withdrawal'][]
            /** @description The `cursor` of the next page, null on the last one. Left out where neither `limit` nor `cursor` was given: the list is complete. */
            nextCursor?: string | null
          }
        }
      }
    }
  }
  postWithdrawals: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['WithdrawalRequest']
      }
    }
    responses: {
      /** @description Success; it was created by this request. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            withdrawal: components['schemas']['Withdrawal']
          }
        }
      }
    }
  }
  getWithdrawal: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of a withdrawal. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SingleWithdrawal']
        }
      }
    }
  }
  deleteWithdrawal: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of a withdrawal. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            withdrawal: components['schemas']['CancelledWithdrawal']
          }
        }
      }
    }
  }
  postWithdrawalApprove: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of a withdrawal. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ApprovalRequest']
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            withdrawal: components['schemas']['Withdrawal']
          }
        }
      }
    }
  }
  postWithdrawalReject: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of a withdrawal. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['RejectionRequest']
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            withdrawal: components['schemas']['Withdrawal']
          }
        }
      }
    }
  }
  postWithdrawalsApprove: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ApprovalsRequest']
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            withdrawals: components['schemas']['Withdrawal'][]
            refused: components['schemas']['RefusedApproval'][]
          }
        }
      }
    }
  }
  getGasStation: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            gasWallets: components['schemas']['GasWallet'][]
          }
        }
      }
    }
  }
  getPortfolio: {
    parameters: {
      query?: {
        /** @description A chain id (CAIP-2), one of those that `GET /chains?enabledOnly=false` lists. */
        chainId?: string
        /** @description Only this token: its token id (CAIP-19). */
        tokenId?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            portfolio: components['schemas']['PortfolioEntry'][]
          }
        }
      }
    }
  }
  getEvents: {
    parameters: {
      query?: {
        /** @description Only events with a higher `sequence`, the oldest first: the feed of all events, without gaps. Ask again with the last `sequence` you have. */
        after?: number
        /** @description Only events of this type. */
        type?:
          | 'deposit.detected'
          | 'deposit.confirmed'
          | 'deposit.reverted'
          | 'deposit.held'
          | 'withdrawal.created'
          | 'withdrawal.approved'
          | 'withdrawal.processing'
          | 'withdrawal.completed'
          | 'withdrawal.failed'
          | 'withdrawal.cancelled'
          | 'account.created'
          | 'balance.updated'
          | 'gas.low'
          | 'chain.frozen'
          | 'settings.changed'
          | 'webhook.test'
        /** @description Only what was created at this time or after it. ISO 8601; a date alone is its midnight in UTC. */
        from?: string
        /** @description Only what was created at this time or before it. ISO 8601; a date alone is its midnight in UTC. */
        to?: string
        /** @description Only events whose delivery is in this state. */
        delivery?: 'none' | 'pending' | 'delivered' | 'failed'
        /** @description The most records of a page. Without `limit` and `cursor` the list is complete; with `cursor` alone it is 100. */
        limit?: number
        /** @description The `nextCursor` of the page before. Opaque: do not build your own. */
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            events: components['schemas']['StoredEvent'][]
            /** @description The `cursor` of the next page, null on the last one. Left out where neither `limit` nor `cursor` was given: the list is complete. */
            nextCursor?: string | null
          }
        }
      }
    }
  }
  getEvent: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of an event. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            event: components['schemas']['SingleEvent']
          }
        }
      }
    }
  }
  postEventRedeliver: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of an event. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            event: components['schemas']['StoredEvent']
          }
        }
      }
    }
  }
  postEventsRedeliver: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['RedeliveryRequest']
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RedeliveryCount']
        }
      }
    }
  }
  postWebhookTest: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            event: components['schemas']['StoredEvent']
          }
        }
      }
    }
  }
  getHealth: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Health']
        }
      }
    }
  }
  getReadiness: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Readiness']
        }
      }
      /** @description Not ready. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Readiness']
        }
      }
    }
  }
}

/** Every code that the service refuses with. */
export type ErrorCode = components['schemas']['Error']['error']
/** Method and path of each operation. */
export const OPERATIONS = {
  postLogin: ['POST', '/auth/login'],
  getProfile: ['GET', '/auth/profile'],
  patchApiKey: ['PATCH', '/organisation/api-key'],
  getOrganisation: ['GET', '/organisation'],
  patchWebhook: ['PATCH', '/organisation/webhook'],
  patchSigningSecret: ['PATCH', '/organisation/webhook/signing-secret'],
  getDepositAddress: ['GET', '/payments/deposit-address'],
  getPayments: ['GET', '/payments'],
  getUserDeposits: ['GET', '/payments/{userId}/deposits'],
  getPaymentsTrace: ['GET', '/payments/trace'],
  getAccounts: ['GET', '/accounts'],
  getChains: ['GET', '/chains'],
  getChain: ['GET', '/chains/{id}'],
  getTokens: ['GET', '/tokens'],
  patchMinWithdrawalSigners: ['PATCH', '/organisation/min-withdrawal-signers'],
  getWithdrawals: ['GET', '/withdrawals'],
  postWithdrawals: ['POST', '/withdrawals'],
  getWithdrawal: ['GET', '/withdrawals/{id}'],
  deleteWithdrawal: ['DELETE', '/withdrawals/{id}'],
  postWithdrawalApprove: ['POST', '/withdrawals/{id}/approve'],
  postWithdrawalReject: ['POST', '/withdrawals/{id}/reject'],
  postWithdrawalsApprove: ['POST', '/withdrawals/approve'],
  getGasStation: ['GET', '/gas-station'],
  getPortfolio: ['GET', '/portfolio'],
  getEvents: ['GET', '/events'],
  getEvent: ['GET', '/events/{id}'],
  postEventRedeliver: ['POST', '/events/{id}/redeliver'],
  postEventsRedeliver: ['POST', '/events/redeliver'],
  postWebhookTest: ['POST', '/organisation/webhook/test'],
  getHealth: ['GET', '/healthz'],
  getReadiness: ['GET', '/readyz'],
} as const
