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
     * Signs a person in with user name, password and a one-time code
     * @description The access token is valid for `expiresIn` seconds. It ends earlier if the password, the two-factor secret or the user changes. Ten failures in a row lock the name for 15 minutes.
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
     * Returns the signed-in user
     * @description The user of the session, with the role that grants the permissions.
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
     * Replaces the API key; the previous key is refused at once
     * @description The new key is shown only once. Requests with the previous key are refused. Requires a one-time code.
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
     * Returns the organization with its settings
     * @description The signing secret is complete for the API key, and for an admin who sends a one-time code in the header `x-totp-code`. Others see its last four characters.
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
     * @description The URL must use HTTPS and resolve to a public address; `details.reason` says what is wrong with it. Pending deliveries go to the new URL. A person must send a one-time code.
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
     * @description `x-webhook-signature` uses the new secret at once; `webhook-signature` carries signatures of both secrets for 24 hours. A person must send a one-time code.
     */
    patch: operations['patchSigningSecret']
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
     * @description 1 to the number of users who may approve. Existing withdrawals keep the number that applied when they were created. A person must send a one-time code.
     */
    patch: operations['patchMinWithdrawalSigners']
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
     * Returns the deposit account of a user on a chain; creates it if needed
     * @description One account for each end user and chain; it accepts every token of the chain. 201 if this request created it, 200 if it existed. On XRPL payments must carry the destination tag.
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
     * Lists deposits, newest first
     * @description Deposits of all end users on all chains. Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it is one page; `nextCursor` leads to the next.
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
     * Lists deposits of a user on all chains, newest first
     * @description Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it is one page; `nextCursor` leads to the next. For the user ids `.` and `..` use `GET /payments?userId=`: most clients remove such a segment from a path, encoded or not.
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
  '/accounts': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Lists deposit accounts, newest first
     * @description Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it is one page; `nextCursor` leads to the next.
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
  '/payments/trace': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Explains step by step why the payments of a transaction are credited or not
     * @description For support requests. `steps` describes the transaction, `payments` each payment in it that concerns the organization.
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
  '/withdrawals': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Lists withdrawals, newest first
     * @description Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it is one page; `nextCursor` leads to the next.
     */
    get: operations['getWithdrawals']
    put?: never
    /**
     * Creates a withdrawal and reserves its amount
     * @description With one required approval it is paid at once, otherwise it waits for approvals. To repeat a request whose response was lost, send the same `reference` again: the answer is `DUPLICATE_REFERENCE` with the id of the existing withdrawal and `sameParameters`. A refused request does not use up its reference.
     */
    post: operations['postWithdrawals']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/withdrawals/estimate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Estimates a withdrawal without creating it
     * @description Takes the body of `POST /withdrawals`; `reference` is optional. Returns the fee, the balance after it, the approvals that it would need, and warnings. Refuses with the codes of the creation in the same order, changes nothing and reserves nothing. If no node answers, the creation may still answer `SERVICE_UNAVAILABLE`.
     */
    post: operations['postWithdrawalsEstimate']
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
     * Returns a withdrawal
     * @description Not wrapped, with its token. Read it before you approve it: a withdrawal that was changed in the database is refused (`INTERNAL_ERROR`, `details.reason` `tampered`). Lists are not checked.
     */
    get: operations['getWithdrawal']
    put?: never
    post?: never
    /**
     * Cancels a withdrawal that is not being processed yet
     * @description Allowed in `Pending` and `PendingApproval`; releases the reserved balance.
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
     * Approves a withdrawal, with a one-time code
     * @description The last required approval sets the status to `Pending`. A second approval by the same user changes nothing; the initiator counts as the first approver.
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
     * Rejects a withdrawal that waits for approvals, with a one-time code
     * @description Sets the status to `Cancelled` and releases the reserved balance.
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
     * Approves several withdrawals with one one-time code
     * @description `refused` lists the withdrawals that were not approved, with the reason.
     */
    post: operations['postWithdrawalsApprove']
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
     * Lists chains, by default those that are enabled for the organization
     * @description Each chain with the confirmations that it requires.
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
  '/chains/status': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Lists the state of each chain that the service has nodes for
     * @description From stored state: no node is queried. An operator of the service rescans and resumes chains.
     */
    get: operations['getChainsStatus']
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
     * Returns a chain
     * @description Also if the chain is not enabled.
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
     * Lists tokens, by default those that are enabled for the organization
     * @description Each token with its smallest deposit and its largest withdrawal.
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
  '/gas-station': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Lists gas wallets with their current balances
     * @description On chains with gas wallets (EVM, TRON). Balances are read from the chain.
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
     * Lists balances by token and account
     * @description One entry for each token and account. `available`, `reserved`, `unconfirmed` and `unswept` are totals of the organization on that chain; the entry of the settlement account carries them.
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
     * Lists events, newest first; with `after` a feed, oldest first
     * @description Complete even if the webhook was down. To follow all events, send the last `sequence` that you processed as `after`: oldest first, without gaps. Without `after`: Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it is one page; `nextCursor` leads to the next.
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
     * Returns an event with its delivery attempts
     * @description Each attempt includes the request and the response.
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
     * @description Sends it at once to the current URL, in any state of its delivery. A delivery in progress is not repeated; one that is pending for a replaced URL still goes to that URL. The `webhook-id` stays the same, so that a receiver can deduplicate.
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
     * Sends all events again that match a filter
     * @description Takes the filters of `GET /events`, at least one, and any number of events. `count` is the number of events that are sent.
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
     * @description A `webhook.test` event, signed like every other event and sent once. `GET /events/{id}` shows the result.
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
     * Reports that the process is alive
     * @description Also available with HEAD.
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
     * Reports whether the service can do its work
     * @description 503 without the database, its schema or the keys. The status is `degraded`, with 200, if a chain lags. Also available with HEAD.
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
      /** @description Lifetime in seconds. */
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
      /** @description The address to pay to; on XRP with a `destinationTag`. */
      properties: {
        /** @description The address to pay to. */
        address: string
        /** @description The tag that the payment must carry (XRP). */
        destinationTag?: string
        /** @description Address and tag in one text (XRP). */
        xAddress?: string
      }
      /**
       * Format: date-time
       * @description When it was created.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it was last changed.
       */
      updatedAt: string
    }
    AccountEvent: {
      /** @description The owning organization. */
      orgId: string
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description Your own id of the end user. */
      externalUserId: string
      /** @description The account, unique within the organization. */
      orgDepositAccountId: string
      /** @description The address to pay to; on XRP with a `destinationTag`. */
      properties: {
        /** @description The address to pay to. */
        address: string
        /** @description The tag that the payment must carry (XRP). */
        destinationTag?: string
        /** @description Address and tag in one text (XRP). */
        xAddress?: string
      }
      /**
       * Format: date-time
       * @description When it was created.
       */
      createdAt: string
    }
    ApprovalRequest: {
      /** @description A one-time code: six digits of an authenticator app. Each code works once. */
      totpCode: string
    }
    ApprovalsRequest: {
      /** @description The ids of 1 to 100 withdrawals, without duplicates. */
      ids: string[]
      /** @description A one-time code: six digits of an authenticator app. Each code works once. */
      totpCode: string
    }
    BalanceEvent: {
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description The token: a CAIP-19 id. */
      tokenId: string
      /** @description The address whose balance changed; `balance` may cover more addresses. */
      accountId: string
      /** @description The new balance, in base units. For the reasons `deposit`, `withdrawal` and `reversal`: what is available of this token on this chain, over all addresses. For `sweep` and `gas`: the balance of the account itself. For `funding`, and its reversal: what is available of the token, or, for a gas wallet, available for gas. */
      balance: string
      /** @description The balance before, in base units. */
      previousBalance: string
      /** @description The difference in base units; negative if the balance fell. */
      delta: string
      /**
       * @description The cause of the change.
       * @enum {unknown}
       */
      reason: 'deposit' | 'withdrawal' | 'sweep' | 'gas' | 'funding' | 'reversal'
      /** @description The deposit, withdrawal or transaction that changed it. */
      referenceId: string
      Token: components['schemas']['TokenSummary']
      /**
       * Format: date-time
       * @description When it happened.
       */
      updatedAt: string
    }
    CancelledWithdrawal: {
      /** @description Unique id. */
      id: string
      /**
       * @description The status.
       * @enum {unknown}
       */
      status: 'PendingApproval' | 'Pending' | 'Processing' | 'Completed' | 'Failed' | 'Cancelled'
      /** @description Why it failed, or `CANCELLED BY <user id>`. */
      txnError: string | null
      /**
       * Format: date-time
       * @description When it was last changed.
       */
      updatedAt: string
    }
    Chain: {
      /** @description The CAIP-2 id. */
      id: string
      /** @description Display name. */
      name: string
      /** @description The family: `eip155`, `bip122`, `tron` or `xrpl`. */
      namespace: string
      /** @description The part of the id after the colon. */
      reference: string
      /** @description Whether the organization can use it now. */
      enabled: boolean
      /** @description Whether it is a test network. */
      isTestnet: boolean
      properties: {
        /** @description Symbol of the native currency. */
        nativeCurrency: string
        /** @description Decimal places of the native currency. */
        decimals: number
        /** @description Whether the `memo` of a withdrawal goes on-chain: true on TRON (as the data of the transaction) and XRPL (as the destination tag). False on EVM chains and Bitcoin, which store `memo` with the withdrawal and never send it. */
        carriesMemo: boolean
      } & {
        [key: string]: unknown
      }
    }
    ChainFrozenEvent: {
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /**
       * @description A halted chain is not scanned either.
       * @enum {unknown}
       */
      state: 'frozen' | 'halted'
      /** @description Why. */
      reason: string
      /**
       * Format: date-time
       * @description When it happened.
       */
      at: string
    }
    ChainStatus: {
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description Display name. */
      name: string
      /**
       * @description `undoing`: a reorg is being undone, and payments wait. `frozen`: scanned, and nothing is credited or paid until an operator resumes it. `halted`: not scanned either. `unreached`: no node was reached yet.
       * @enum {unknown}
       */
      condition: 'running' | 'undoing' | 'frozen' | 'halted' | 'unreached'
      /** @description The last processed block; null if `condition` is `unreached`. */
      tip: {
        /** @description The height of the last processed block. */
        height: number
        /** @description Its hash. */
        hash: string
        /**
         * Format: date-time
         * @description Its time, as the block says.
         */
        time: string
      } | null
      /** @description The height of the nodes; null if `condition` is `unreached`. */
      head: number | null
      /** @description The highest final block; null if no node names one. */
      final: number | null
      /** @description How far the service is behind; null if `condition` is `unreached`. */
      lag: {
        /** @description Blocks of the nodes that are not processed yet. */
        blocks: number
        /** @description Seconds since the time of the last processed block. */
        seconds: number
      } | null
      /** @description The nodes of the service; null before their first query. */
      nodes: {
        /** @description Nodes that answered and serve this chain. */
        answering: number
        /** @description Configured nodes. */
        total: number
        /**
         * Format: date-time
         * @description When they were queried; usually at most a minute ago.
         */
        checkedAt: string
      } | null
      /** @description The last reorg; null before the first. */
      lastReorg: {
        /** @description The height of the highest block that stayed. */
        height: number
        /** @description How many blocks left the chain. */
        depth: number
        /**
         * Format: date-time
         * @description When they were undone.
         */
        at: string
      } | null
      /** @description Whether the organization can use the chain now. */
      enabled: boolean
      /** @description Whether deposits of the organization are credited now. */
      deposits: boolean
      /** @description Whether withdrawals of the organization are paid now. */
      withdrawals: boolean
    }
    CodeRequest: {
      /** @description A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
      totpCode?: string
    }
    DeliveryAttempt: {
      /** @description 1 for the first attempt. */
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
      /** @description Duration in milliseconds: name resolution, connection and response. */
      durationMs: number
      request: {
        /** @description POST. */
        method: string
        /** @description The URL without credentials; empty if no URL was set. */
        url: string
        /** @description Header names in lower case. */
        headers: {
          [key: string]: string
        }
        /** @description The exact text that was signed and sent. */
        body: string
      }
      /** @description Null without a response. */
      response: {
        /** @description The HTTP status; any 2xx acknowledges the event. */
        status: number
        /** @description Header names in lower case. */
        headers: {
          [key: string]: string
        }
        /** @description The beginning of the body: 16 KiB, or 1 KiB of a 2xx. */
        body: string
      } | null
      /** @description Why the attempt failed: the status (`answered 500`), or the step that failed (name resolution, connection, TLS). Empty for any 2xx. */
      error: string
    }
    Deposit: {
      /** @description Unique id: deduplicate deposits by it. */
      id: string
      /** @description The position in its transaction. */
      index: number
      /** @description The chain of the transaction: a CAIP-2 id. */
      chainId: string
      /** @description The transaction on the chain. */
      txnHash: string
      /** @description The token: a CAIP-19 id. */
      tokenId: string
      /** @description The amount that was paid. In base units. */
      amount: string
      /** @description The chain of the account that was paid. */
      accountChainId: string
      /** @description Your own id of the end user. */
      externalUserId: string
      /** @description The sender. */
      senderAddress: string
      /**
       * @description Credited at `Confirmed`.
       * @enum {unknown}
       */
      status: 'Detected' | 'Confirmed' | 'BelowMinimum' | 'Held' | 'Orphaned'
      /** @description Blocks on top of its block. */
      confirmations: number
      /** @description Confirmations that it needs to be credited, on chains that count them. */
      requiredConfirmations: number
      /** @description The height of its block. */
      blockNumber: number
      /** @description The hash of its block. */
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
       * @description When it was last changed.
       */
      updatedAt: string
    }
    DepositEvent: {
      /** @description Unique id: deduplicate deposits by it. */
      id: string
      /** @description The position in its transaction. */
      index: number
      /** @description The chain of the transaction: a CAIP-2 id. */
      chainId: string
      /** @description The transaction on the chain. */
      txnHash: string
      /** @description The token: a CAIP-19 id. */
      tokenId: string
      /** @description The amount that was paid. In base units. */
      amount: string
      /** @description The chain of the account that was paid. */
      accountChainId: string
      /** @description Your own id of the end user. */
      externalUserId: string
      /** @description The sender. */
      senderAddress: string
      /**
       * @description Credited at `Confirmed`.
       * @enum {unknown}
       */
      status: 'Detected' | 'Confirmed' | 'BelowMinimum' | 'Held' | 'Orphaned'
      /** @description Blocks on top of its block. */
      confirmations: number
      /** @description The height of its block. */
      blockNumber: number
      Token: components['schemas']['TokenSummary']
    }
    EstimateRequest: {
      /** @description A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them. */
      chainId: string
      /** @description A token id (CAIP-19); `GET /tokens?enabledOnly=false` lists them. */
      tokenId: string
      /** @description Base units of the token, in decimal digits; at most 2^256-1. */
      amount: string
      /** @description A valid address of the chain. Settlement and gas addresses of this service are refused. */
      recipient: string
      /** @description Your own key of the withdrawal: 1 to 128 characters, no control characters. */
      reference?: string | null
      /** @description A memo of at most 64 characters; on XRPL the destination tag. It goes on-chain if `properties.carriesMemo` of the chain is true (TRON, XRPL). EVM chains and Bitcoin store it with the withdrawal and never send it. */
      memo?: string | null
      /** @description Your own note of at most 500 characters; it is never sent to a chain. */
      internalNote?: string | null
      /** @description Your own id of the end user for whom the withdrawal is made. */
      externalUserId?: string | null
    }
    EstimateWarning: {
      /**
       * @description `FIRST_PAYMENT`: No earlier withdrawal of the organization paid this recipient on this chain (with this destination tag, on chains that have tags). `LOOKALIKE_ADDRESS`: The recipient begins and ends like another address that the organization knows, and differs between: `details.addresses` lists up to five, each with `address` and `known` (`recipient`, `deposit`, `settlement` or `gas`). Attackers create such addresses. `OWN_ADDRESS`: The recipient is a deposit address of the organization itself. `CONTRACT_RECIPIENT`: The recipient is a contract. It may keep or refuse what it receives. `CONTRACT_UNKNOWN`: No node answered whether the recipient is a contract. `TAG_MISSING`: The request has no destination tag, and earlier withdrawals to this recipient had one. `TAG_UNKNOWN`: No node answered whether the recipient requires a destination tag. `DUPLICATE_PAYMENT`: The same amount of the same token was requested for this recipient within 24 hours; `details.withdrawalId` names that withdrawal. `LARGE_SHARE`: The amount is more than half of the available balance.
       * @enum {unknown}
       */
      code:
        | 'FIRST_PAYMENT'
        | 'LOOKALIKE_ADDRESS'
        | 'OWN_ADDRESS'
        | 'CONTRACT_RECIPIENT'
        | 'CONTRACT_UNKNOWN'
        | 'TAG_MISSING'
        | 'TAG_UNKNOWN'
        | 'DUPLICATE_PAYMENT'
        | 'LARGE_SHARE'
      /** @description What a person should check. */
      message: string
      /** @description What the warning refers to; its fields depend on the code. */
      details: {
        [key: string]: unknown
      }
    }
    EventDelivery: {
      /**
       * @description `pending` until it is `delivered` (a 2xx) or `failed` (no attempts left); `none` if no URL was set: redeliver it after setting one.
       * @enum {unknown}
       */
      state: 'none' | 'pending' | 'delivered' | 'failed'
      /** @description Number of attempts, redeliveries included. */
      attemptCount: number
      /** @description The HTTP status of the last attempt; null without a response. */
      lastStatus: number | null
      /** @description The error of the last attempt; empty without an error. */
      lastError: string
      /**
       * Format: date-time
       * @description When the next attempt is due; null without a scheduled attempt.
       */
      nextAttemptAt: string | null
      /**
       * Format: date-time
       * @description When it was delivered or failed; null until then.
       */
      finishedAt: string | null
    }
    GasLowEvent: {
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description The gas wallet: send native currency to it. */
      address: string
      /** @description Available for gas, in base units of the native currency. */
      balance: string
      /** @description How many token sweeps the balance pays for, at the highest fee. */
      sweepsLeft: number
      Token: components['schemas']['TokenSummary']
      /**
       * Format: date-time
       * @description When it happened.
       */
      at: string
    }
    GasWallet: {
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description The address to send native currency for fees to. */
      address: string
      /** @description Its balance of the native currency. In base units. */
      balance: string
      /** @description False if no node of the chain answers: the balance is that of our last block. */
      live: boolean
      /** @description The part available for gas: without the fees of pending transactions. In base units. */
      spendable: string
      Chain: {
        /** @description Display name of the chain. */
        name: string
        properties: {
          /** @description Symbol of the native currency. */
          nativeCurrency: string
          /** @description Decimal places of the native currency. */
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
      /** @description A one-time code: six digits of an authenticator app. Each code works once. */
      totpCode: string
    }
    MinSignersRequest: {
      /** @description How many approvals a new withdrawal needs: 1 to the number of signers. */
      minWithdrawalSigners: number
      /** @description A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
      totpCode?: string
    }
    NewApiKey: {
      /** @description The new key. It is shown only once: the service stores a hash of it. */
      apiKey: string
    }
    NewSigningSecret: {
      /** @description The new secret. For 24 hours `webhook-signature` also has a signature of the previous one. */
      webhookSigningSecret: string
    }
    Organization: {
      /** @description Unique id. */
      id: string
      /** @description Its name. */
      name: string
      /** @description The URL that receives events; empty if not set. */
      webhookUrl: string
      /** @description Signs deliveries (HMAC SHA-256). Complete for the API key, and for an admin who sends a one-time code in the header `x-totp-code`; otherwise its last four characters. */
      webhookSigningSecret: string
      /** @description Approvals that a new withdrawal needs, including that of its initiator. */
      minWithdrawalSigners: number
      /** @description Approvals that must come from people; an API key does not count. */
      minHumanApprovals: number
      /**
       * Format: date-time
       * @description When it was created.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it was last changed.
       */
      updatedAt: string
    }
    PaymentTrace: {
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description The transaction, as the chain writes it. */
      txnHash: string
      /**
       * @description A stable code; the documentation lists them all.
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
      /** @description The facts about the transaction as a whole. */
      steps: components['schemas']['TraceStep'][]
      /** @description The payments in it that concern the organization. */
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
       * @description The purpose of the account.
       * @enum {unknown}
       */
      accountType: 'settlement' | 'gas' | 'deposits'
      /** @description The balance of the account. In base units. */
      balance: string
      /** @description Available for withdrawals. In base units. */
      available: string
      /** @description Reserved for open withdrawals. In base units. */
      reserved: string
      /** @description Held for the network fees of open withdrawals, on Bitcoin and XRPL, which pay fees from the balance. The unspent part returns to `available`. 0 elsewhere. In base units. */
      heldForFees: string
      /** @description Detected, not credited yet. In base units. */
      unconfirmed: string
      /** @description Deposits below the minimum, not credited yet. In base units. */
      belowMinimum: string
      /** @description Deposits that are held for an operator. In base units. */
      held: string
      /** @description Payments that name no user, until an operator assigns them (XRPL). In base units. */
      unattributed: string
      /** @description Native currency kept for fees (EVM, TRON) or for the reserve of the base account (XRPL). In base units. */
      gas: string
      /** @description Held by deposit addresses, not swept yet. In base units. */
      unswept: string
      Token: components['schemas']['TokenSummary']
      /**
       * Format: date-time
       * @description When a balance last changed.
       */
      lastUpdated: string
      /**
       * Format: date-time
       * @description When it was created.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it was last changed.
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
      /** @description The result by check. */
      checks: {
        [key: string]: string
      }
    } & {
      [key: string]: unknown
    }
    RedeliveryCount: {
      /** @description Number of events that are sent again. */
      count: number
      /** @description Number of events that were being sent at this moment and are not sent again. */
      underWay: number
    }
    /** @description The filters of `GET /events`: at least one, and no other field. */
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
        | 'account.created'
        | 'withdrawal.created'
        | 'withdrawal.approved'
        | 'withdrawal.processing'
        | 'withdrawal.completed'
        | 'withdrawal.failed'
        | 'withdrawal.cancelled'
        | 'balance.updated'
        | 'gas.low'
        | 'chain.frozen'
        | 'settings.changed'
        | 'webhook.test'
      /** @description Only records created at this time or later. ISO 8601; a date alone means midnight UTC. */
      from?: string
      /** @description Only records created at this time or earlier. ISO 8601; a date alone means midnight UTC. */
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
      /** @description What is wrong and what to do. */
      message: string
    }
    RejectionRequest: {
      /** @description A one-time code: six digits of an authenticator app. Each code works once. */
      totpCode: string
      /** @description The reason, for the audit log: at most 500 characters. */
      reason?: string | null
    }
    SettingsChangedEvent: {
      /**
       * @description The setting.
       * @enum {unknown}
       */
      setting: 'webhookUrl' | 'signingSecret' | 'minWithdrawalSigners'
      /** @description The previous value: the origin of a URL, whose path may be a secret; empty for a secret. */
      previous: string
      /** @description The new value: the origin of a URL; empty for a secret. */
      current: string
      /** @description Id of the user who changed it; an API key acts as its user. Empty: operator. */
      changedBy: string
      /**
       * @description The credential: `commandLine` is an operator of the service.
       * @enum {unknown}
       */
      credential: 'apiKey' | 'bearer' | 'commandLine'
      /**
       * Format: date-time
       * @description When it happened.
       */
      at: string
    }
    SingleEvent: {
      /** @description Unique id, the `webhook-id` of every delivery. */
      id: string
      /** @description One of the types of the event catalogue. */
      type: string
      /**
       * Format: date-time
       * @description When it happened.
       */
      timestamp: string
      /** @description The owning organization. */
      orgId: string
      /** @description Its number, without gaps; the value for `after`. */
      sequence: number
      /** @description The id of the deposit, withdrawal, account or chain that it is about. */
      subjectId: string
      /** @description The payload; its fields depend on the type. */
      payload: {
        [key: string]: unknown
      }
      delivery: components['schemas']['EventDelivery']
      /** @description The newest 100 attempts, oldest first. Old attempts are deleted after a while. */
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
      /** @description The amount that the recipient receives. In base units. */
      amount: string
      /** @description The address that is paid. */
      recipient: string
      /** @description A memo or destination tag. */
      memo: string | null
      /** @description Your own key of the withdrawal, unique in the organization. */
      reference: string
      /** @description Your own note; it is never sent to a chain. */
      internalNote: string | null
      /**
       * @description The status.
       * @enum {unknown}
       */
      status: 'PendingApproval' | 'Pending' | 'Processing' | 'Completed' | 'Failed' | 'Cancelled'
      /** @description The transaction on the chain: the current one, and finally the one that was confirmed; null before it is signed. */
      txnHash: string | null
      /** @description Why it failed, or `CANCELLED BY <user id>`. */
      txnError: string | null
      /** @description Why it failed, as a code. */
      failureCode: string | null
      /** @description The user who created it. */
      initiator: string
      /** @description The users who approved it, the initiator first. */
      approvers: string[]
      /** @description How many approvals it needs; `requiredHumans` of them must come from people. */
      requiredApprovals: number
      /** @description How many people must approve it; an API key does not count. */
      requiredHumans: number
      /** @description Your own id of the end user; empty without an end user. */
      externalUserId: string
      /** @description The network fee in base units of the native currency; null until known. */
      fee: string | null
      /** @description Why it is not paid yet. `approvals` of people; `confirmations` of its transaction, of an earlier one of the same sender, or of the deposit or sweep that brings its funds; `gas`: the gas wallet holds too little; `fee`: the network fee is above the cap; `chain`: the chain is stopped, or its nodes do not answer; `operator`: the operator must act. Null if nothing blocks it, or if it has ended. */
      waitingFor: ('approvals' | 'confirmations' | 'gas' | 'fee' | 'chain' | 'operator') | null
      /**
       * Format: date-time
       * @description When that wait began; null if `waitingFor` is null.
       */
      waitingSince: string | null
      /**
       * Format: date-time
       * @description When it was created.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it was last changed.
       */
      updatedAt: string
      Token: components['schemas']['TokenSummary']
      /** @description Every approval with its user, void ones included, the earliest first. */
      approvals: components['schemas']['WithdrawalApproval'][]
      /** @description The user who cancelled or rejected it; null unless its status is `Cancelled`. */
      cancellation: components['schemas']['WithdrawalCancellation'] | null
    }
    StoredEvent: {
      /** @description Unique id, the `webhook-id` of every delivery. */
      id: string
      /** @description One of the types of the event catalogue. */
      type: string
      /**
       * Format: date-time
       * @description When it happened.
       */
      timestamp: string
      /** @description The owning organization. */
      orgId: string
      /** @description Its number, without gaps; the value for `after`. */
      sequence: number
      /** @description The id of the deposit, withdrawal, account or chain that it is about. */
      subjectId: string
      /** @description The payload; its fields depend on the type. */
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
      /** @description Display name. */
      name: string
      /** @description Ticker symbol. */
      symbol: string
      /** @description Decimal places: one whole token is 10 to this power base units. */
      decimals: number
      /** @description The contract; empty for a native currency. */
      address: string
      /** @description Whether the organization can use it now. */
      enabled: boolean
      /** @description The smallest deposit that is credited, and the smallest withdrawal. In base units. */
      minimumAmount: string
      /** @description `maximumWithdrawalAmount` (null: no maximum) and more. */
      properties: {
        [key: string]: unknown
      }
    }
    TokenSummary: {
      /** @description The token: a CAIP-19 id. */
      id: string
      /** @description Display name. */
      name: string
      /** @description Ticker symbol. */
      symbol: string
      /** @description Decimal places: one whole token is 10 to this power base units. */
      decimals: number
      /** @description The contract; empty for a native currency. */
      address: string
    }
    TraceStep: {
      /**
       * @description A stable code; the documentation lists them all.
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
      /** @description The fact in words, with what can be done. */
      message: string
      /** @description The values in the message, by name. */
      details: {
        [key: string]: string | number
      }
    }
    TracedPayment: {
      /** @description The address of the organization that is paid. */
      recipient: string
      /** @description The sender; empty if the chain names none. */
      senderAddress: string
      /** @description The token; null if it has no id. */
      tokenId: string | null
      /** @description In base units. */
      amount: string
      /** @description The end user who owns the address; empty for an address of your own. */
      externalUserId: string
      /** @description The deposit; null without a deposit. */
      depositId: string | null
      /**
       * @description A stable code; the documentation lists them all.
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
      /** @description In order; the last step is the outcome. */
      steps: components['schemas']['TraceStep'][]
    }
    WebhookRequest: {
      /**
       * Format: uri
       * @description A public HTTPS URL of at most 2048 characters.
       */
      webhookUrl: string
      /** @description A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
      totpCode?: string
    }
    WebhookTestEvent: {
      /**
       * @description Always true.
       * @constant
       */
      test: true
      /** @description A text for people. */
      message: string
      /** @description The user who requested the test. */
      requestedBy: string
      /**
       * Format: date-time
       * @description When it happened.
       */
      at: string
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
      /** @description The amount that the recipient receives. In base units. */
      amount: string
      /** @description The address that is paid. */
      recipient: string
      /** @description A memo or destination tag. */
      memo: string | null
      /** @description Your own key of the withdrawal, unique in the organization. */
      reference: string
      /** @description Your own note; it is never sent to a chain. */
      internalNote: string | null
      /**
       * @description The status.
       * @enum {unknown}
       */
      status: 'PendingApproval' | 'Pending' | 'Processing' | 'Completed' | 'Failed' | 'Cancelled'
      /** @description The transaction on the chain: the current one, and finally the one that was confirmed; null before it is signed. */
      txnHash: string | null
      /** @description Why it failed, or `CANCELLED BY <user id>`. */
      txnError: string | null
      /** @description Why it failed, as a code. */
      failureCode: string | null
      /** @description The user who created it. */
      initiator: string
      /** @description The users who approved it, the initiator first. */
      approvers: string[]
      /** @description How many approvals it needs; `requiredHumans` of them must come from people. */
      requiredApprovals: number
      /** @description How many people must approve it; an API key does not count. */
      requiredHumans: number
      /** @description Your own id of the end user. */
      externalUserId: string | null
      /** @description The network fee in base units of the native currency; null until known. */
      fee: string | null
      /** @description Why it is not paid yet. `approvals` of people; `confirmations` of its transaction, of an earlier one of the same sender, or of the deposit or sweep that brings its funds; `gas`: the gas wallet holds too little; `fee`: the network fee is above the cap; `chain`: the chain is stopped, or its nodes do not answer; `operator`: the operator must act. Null if nothing blocks it, or if it has ended. */
      waitingFor: ('approvals' | 'confirmations' | 'gas' | 'fee' | 'chain' | 'operator') | null
      /**
       * Format: date-time
       * @description When that wait began; null if `waitingFor` is null.
       */
      waitingSince: string | null
      /**
       * Format: date-time
       * @description When it was created.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it was last changed.
       */
      updatedAt: string
    }
    WithdrawalApproval: {
      /** @description The user who approved it. */
      userId: string
      /** @description The name of that user. */
      name: string
      /**
       * Format: date-time
       * @description When it was approved; that of the initiator is the creation.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When the approval became void; null while it counts.
       */
      voidedAt: string | null
      /** @description Why the approval became void; null while it counts. */
      voidCause: string | null
    }
    WithdrawalCancellation: {
      /**
       * @description Whether it was cancelled, or rejected by an approver.
       * @enum {unknown}
       */
      kind: 'cancelled' | 'rejected'
      /** @description The user who did it. */
      userId: string
      /** @description The name of that user. */
      name: string
      /**
       * Format: date-time
       * @description When it happened.
       */
      at: string
      /** @description The reason of a rejection, or empty; null if cancelled. */
      reason: string | null
    }
    WithdrawalEstimate: {
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description The token: a CAIP-19 id. */
      tokenId: string
      /** @description The amount that the recipient would receive. In base units. */
      amount: string
      /** @description The address that would be paid. */
      recipient: string
      /** @description The memo or destination tag, also if it is part of the recipient. */
      memo: string | null
      /** @description The network fee. */
      fee: {
        /** @description The native currency of the chain, which pays the fee: a CAIP-19 id. */
        tokenId: string
        /** @description The fee of a plain transfer at the current price, with headroom, in base units of the native currency; null if no node answers. */
        expected: string | null
        /** @description The fee cap: the most that the service pays for this withdrawal, replacements included. In base units. */
        maximum: string
        /** @description Why `expected` is null; otherwise null. */
        unknownReason: string | null
      }
      /** @description The balance of the token that withdrawals may use. */
      available: {
        /** @description Available now. In base units. */
        before: string
        /** @description Available after the creation: without the amount and `held`. In base units. */
        after: string
        /** @description Held for the fee in addition to the amount; zero on chains where a gas wallet pays it. In base units. */
        held: string
      }
      /** @description Whether it would wait for approvals of others before it is paid. */
      needsApprovals: boolean
      /** @description How many approvals it would need, that of the caller included. */
      requiredApprovals: number
      /** @description How many people must approve it; an API key does not count. */
      requiredHumans: number
      /** @description How many more approvals it would need after the creation. */
      missingApprovals: number
      /** @description What a person should check before the creation; empty without any. */
      warnings: components['schemas']['EstimateWarning'][]
    }
    WithdrawalEvent: {
      /** @description Unique id. */
      id: string
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description The token: a CAIP-19 id. */
      tokenId: string
      /** @description The amount that the recipient receives. In base units. */
      amount: string
      /** @description The address that is paid. */
      toAddress: string
      /** @description A memo or destination tag. */
      memo: string | null
      /** @description Your own key of the withdrawal, unique in the organization. */
      reference: string
      /**
       * @description The status.
       * @enum {unknown}
       */
      status: 'PendingApproval' | 'Pending' | 'Processing' | 'Completed' | 'Failed' | 'Cancelled'
      /** @description The transaction on the chain: the current one, and finally the one that was confirmed; null before it is signed. */
      txnHash: string | null
      /** @description Why it failed, or `CANCELLED BY <user id>`. */
      txnError: string | null
      /** @description Your own id of the end user. */
      externalUserId: string | null
      /** @description The user who created it. */
      initiator: string
      /** @description The users whose approval counts. */
      approvedBy: string[]
      /** @description How many approvals it needs; `requiredHumans` of them must come from people. */
      requiredApprovals: number
      /**
       * Format: date-time
       * @description When it was created.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it was last changed.
       */
      updatedAt: string
      /**
       * Format: date-time
       * @description When it was confirmed; null until then.
       */
      completedAt: string | null
      Token: components['schemas']['TokenSummary']
    }
    WithdrawalRequest: {
      /** @description A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them. */
      chainId: string
      /** @description A token id (CAIP-19); `GET /tokens?enabledOnly=false` lists them. */
      tokenId: string
      /** @description Base units of the token, in decimal digits; at most 2^256-1. */
      amount: string
      /** @description A valid address of the chain. Settlement and gas addresses of this service are refused. */
      recipient: string
      /** @description Your own key of the withdrawal: 1 to 128 characters, no control characters. */
      reference: string
      /** @description A memo of at most 64 characters; on XRPL the destination tag. It goes on-chain if `properties.carriesMemo` of the chain is true (TRON, XRPL). EVM chains and Bitcoin store it with the withdrawal and never send it. */
      memo?: string | null
      /** @description Your own note of at most 500 characters; it is never sent to a chain. */
      internalNote?: string | null
      /** @description Your own id of the end user for whom the withdrawal is made. */
      externalUserId?: string | null
    }
    /** @description The body of every error. */
    Error: {
      /**
       * @description The code; more may be added.
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
      /** @description The cause and the remedy. */
      message: string
      /** @description The HTTP status. */
      statusCode: number
      /** @description Values that help to correct it; the fields depend on the code. */
      details?: {
        /** @description Quote it when you report the error. */
        requestId?: string
        /** @description The entry of the code in the error catalogue. */
        docUrl?: string
      } & {
        [key: string]: unknown
      }
    }
    /** @description The payload of each type of event. */
    EventPayloads: {
      /** @description More fields may be added: ignore unknown fields. */
      'deposit.detected': components['schemas']['DepositEvent']
      /** @description More fields may be added: ignore unknown fields. */
      'deposit.confirmed': {
        /** @description Unique id: deduplicate deposits by it. */
        id: string
        /** @description The position in its transaction. */
        index: number
        /** @description The chain of the transaction: a CAIP-2 id. */
        chainId: string
        /** @description The transaction on the chain. */
        txnHash: string
        /** @description The token: a CAIP-19 id. */
        tokenId: string
        /** @description The amount that was paid. In base units. */
        amount: string
        /** @description The chain of the account that was paid. */
        accountChainId: string
        /** @description Your own id of the end user. */
        externalUserId: string
        /** @description The sender. */
        senderAddress: string
        /**
         * @description Credited at `Confirmed`.
         * @enum {unknown}
         */
        status: 'Detected' | 'Confirmed' | 'BelowMinimum' | 'Held' | 'Orphaned'
        /** @description Blocks on top of its block. */
        confirmations: number
        /** @description The height of its block. */
        blockNumber: number
        Token: components['schemas']['TokenSummary']
        /**
         * Format: date-time
         * @description When it was credited.
         */
        confirmedAt: string
      }
      /** @description More fields may be added: ignore unknown fields. */
      'deposit.reverted': {
        /** @description Unique id: deduplicate deposits by it. */
        id: string
        /** @description The position in its transaction. */
        index: number
        /** @description The chain of the transaction: a CAIP-2 id. */
        chainId: string
        /** @description The transaction on the chain. */
        txnHash: string
        /** @description The token: a CAIP-19 id. */
        tokenId: string
        /** @description The amount that was paid. In base units. */
        amount: string
        /** @description The chain of the account that was paid. */
        accountChainId: string
        /** @description Your own id of the end user. */
        externalUserId: string
        /** @description The sender. */
        senderAddress: string
        /**
         * @description Credited at `Confirmed`.
         * @enum {unknown}
         */
        status: 'Detected' | 'Confirmed' | 'BelowMinimum' | 'Held' | 'Orphaned'
        /** @description Blocks on top of its block. */
        confirmations: number
        /** @description The height of its block. */
        blockNumber: number
        Token: components['schemas']['TokenSummary']
        /**
         * @description The status before; after `Confirmed` the credit was reversed.
         * @enum {unknown}
         */
        previousStatus: 'Detected' | 'Confirmed' | 'BelowMinimum' | 'Held' | 'Orphaned'
      }
      /** @description More fields may be added: ignore unknown fields. */
      'deposit.held': {
        /** @description Unique id: deduplicate deposits by it. */
        id: string
        /** @description The position in its transaction. */
        index: number
        /** @description The chain of the transaction: a CAIP-2 id. */
        chainId: string
        /** @description The transaction on the chain. */
        txnHash: string
        /** @description The token: a CAIP-19 id. */
        tokenId: string
        /** @description The amount that was paid. In base units. */
        amount: string
        /** @description The chain of the account that was paid. */
        accountChainId: string
        /** @description Your own id of the end user. */
        externalUserId: string
        /** @description The sender. */
        senderAddress: string
        /**
         * @description Credited at `Confirmed`.
         * @enum {unknown}
         */
        status: 'Detected' | 'Confirmed' | 'BelowMinimum' | 'Held' | 'Orphaned'
        /** @description Blocks on top of its block. */
        confirmations: number
        /** @description The height of its block. */
        blockNumber: number
        Token: components['schemas']['TokenSummary']
        /** @description Why it is held. */
        reason: string
      }
      /** @description More fields may be added: ignore unknown fields. */
      'account.created': components['schemas']['AccountEvent']
      /** @description More fields may be added: ignore unknown fields. */
      'withdrawal.created': components['schemas']['WithdrawalEvent']
      /** @description More fields may be added: ignore unknown fields. */
      'withdrawal.approved': components['schemas']['WithdrawalEvent']
      /** @description More fields may be added: ignore unknown fields. */
      'withdrawal.processing': components['schemas']['WithdrawalEvent']
      /** @description More fields may be added: ignore unknown fields. */
      'withdrawal.completed': components['schemas']['WithdrawalEvent']
      /** @description More fields may be added: ignore unknown fields. */
      'withdrawal.failed': components['schemas']['WithdrawalEvent']
      /** @description More fields may be added: ignore unknown fields. */
      'withdrawal.cancelled': components['schemas']['WithdrawalEvent']
      /** @description More fields may be added: ignore unknown fields. */
      'balance.updated': components['schemas']['BalanceEvent']
      /** @description More fields may be added: ignore unknown fields. */
      'gas.low': components['schemas']['GasLowEvent']
      /** @description More fields may be added: ignore unknown fields. */
      'chain.frozen': components['schemas']['ChainFrozenEvent']
      /** @description More fields may be added: ignore unknown fields. */
      'settings.changed': components['schemas']['SettingsChangedEvent']
      /** @description More fields may be added: ignore unknown fields. */
      'webhook.test': components['schemas']['WebhookTestEvent']
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
export type AccountEvent = components['schemas']['AccountEvent']
export type ApprovalRequest = components['schemas']['ApprovalRequest']
export type ApprovalsRequest = components['schemas']['ApprovalsRequest']
export type BalanceEvent = components['schemas']['BalanceEvent']
export type CancelledWithdrawal = components['schemas']['CancelledWithdrawal']
export type Chain = components['schemas']['Chain']
export type ChainFrozenEvent = components['schemas']['ChainFrozenEvent']
export type ChainStatus = components['schemas']['ChainStatus']
export type CodeRequest = components['schemas']['CodeRequest']
export type DeliveryAttempt = components['schemas']['DeliveryAttempt']
export type Deposit = components['schemas']['Deposit']
export type DepositEvent = components['schemas']['DepositEvent']
export type EstimateRequest = components['schemas']['EstimateRequest']
export type EstimateWarning = components['schemas']['EstimateWarning']
export type EventDelivery = components['schemas']['EventDelivery']
export type GasLowEvent = components['schemas']['GasLowEvent']
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
export type SettingsChangedEvent = components['schemas']['SettingsChangedEvent']
export type SingleEvent = components['schemas']['SingleEvent']
export type SingleWithdrawal = components['schemas']['SingleWithdrawal']
export type StoredEvent = components['schemas']['StoredEvent']
export type Token = components['schemas']['Token']
export type TokenSummary = components['schemas']['TokenSummary']
export type TraceStep = components['schemas']['TraceStep']
export type TracedPayment = components['schemas']['TracedPayment']
export type WebhookRequest = components['schemas']['WebhookRequest']
export type WebhookTestEvent = components['schemas']['WebhookTestEvent']
export type Withdrawal = components['schemas']['Withdrawal']
export type WithdrawalApproval = components['schemas']['WithdrawalApproval']
export type WithdrawalCancellation = components['schemas']['WithdrawalCancellation']
export type WithdrawalEstimate = components['schemas']['WithdrawalEstimate']
export type WithdrawalEvent = components['schemas']['WithdrawalEvent']
export type WithdrawalRequest = components['schemas']['WithdrawalRequest']
export type Error = components['schemas']['Error']
export type EventPayloads = components['schemas']['EventPayloads']
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
        /** @description A fresh one-time code of the user (bearer token), unless the body has it; an API key needs no code. */
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
        /** @description A fresh one-time code of the user (bearer token), unless the body has it; an API key needs no code. */
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
        /** @description A fresh one-time code of the user (bearer token), unless the body has it; an API key needs no code. */
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
        /** @description A fresh one-time code of the user (bearer token), unless the body has it; an API key needs no code. */
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
  patchMinWithdrawalSigners: {
    parameters: {
      query?: never
      header?: {
        /** @description A fresh one-time code of the user (bearer token), unless the body has it; an API key needs no code. */
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
  getDepositAddress: {
    parameters: {
      query: {
        /** @description A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them. */
        chainId: string
        /** @description A token id (CAIP-19); `GET /tokens?enabledOnly=false` lists them. */
        tokenId: string
        /** @description Your own id of an end user: 1 to 255 characters, no control characters, not only white space. It is stored unchanged. */
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
      /** @description Success; this request created it. */
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
        /** @description Your own id of an end user: 1 to 255 characters, no control characters, not only white space. It is stored unchanged. */
        userId?: string
        /** @description A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them. */
        chainId?: string
        /** @description Only this token: its token id (CAIP-19). */
        tokenId?: string
        /** @description Only deposits in this status. */
        status?: 'Detected' | 'Confirmed' | 'BelowMinimum' | 'Held' | 'Orphaned'
        /** @description Only payments of this transaction: 64 hexadecimal digits, with or without 0x. */
        txnHash?: string
        /** @description Only deposits whose `id`, `externalUserId` or `txnHash` equals this text. */
        q?: string
        /** @description Only records created at this time or later. ISO 8601; a date alone means midnight UTC. */
        from?: string
        /** @description Only records created at this time or earlier. ISO 8601; a date alone means midnight UTC. */
        to?: string
        /** @description Records per page. Without `limit` and `cursor` the list is complete; with `cursor` alone the limit is 100. */
        limit?: number
        /** @description The `nextCursor` of the previous page. Opaque: do not build your own. */
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
            /** @description The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the list is complete. */
            nextCursor?: string | null
          }
        }
      }
    }
  }
  getUserDeposits: {
    parameters: {
      query?: {
        /** @description A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them. */
        chainId?: string
        /** @description Only this token: its token id (CAIP-19). */
        tokenId?: string
        /** @description Only deposits in this status. */
        status?: 'Detected' | 'Confirmed' | 'BelowMinimum' | 'Held' | 'Orphaned'
        /** @description Only payments of this transaction: 64 hexadecimal digits, with or without 0x. */
        txnHash?: string
        /** @description Only deposits whose `id`, `externalUserId` or `txnHash` equals this text. */
        q?: string
        /** @description Only records created at this time or later. ISO 8601; a date alone means midnight UTC. */
        from?: string
        /** @description Only records created at this time or earlier. ISO 8601; a date alone means midnight UTC. */
        to?: string
        /** @description Records per page. Without `limit` and `cursor` the list is complete; with `cursor` alone the limit is 100. */
        limit?: number
        /** @description The `nextCursor` of the previous page. Opaque: do not build your own. */
        cursor?: string
      }
      header?: never
      path: {
        /** @description Your own id of an end user: 1 to 255 characters, no control characters, not only white space. It is stored unchanged. */
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
            /** @description The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the list is complete. */
            nextCursor?: string | null
          }
        }
      }
    }
  }
  getAccounts: {
    parameters: {
      query?: {
        /** @description A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them. */
        chainId?: string
        /** @description Your own id of an end user: 1 to 255 characters, no control characters, not only white space. It is stored unchanged. */
        userId?: string
        /** @description Only the accounts of this blockchain address. An X-address with a tag (XRPL) selects the account of that tag. */
        address?: string
        /** @description Records per page. Without `limit` and `cursor` the list is complete; with `cursor` alone the limit is 100. */
        limit?: number
        /** @description The `nextCursor` of the previous page. Opaque: do not build your own. */
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
            /** @description The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the list is complete. */
            nextCursor?: string | null
          }
        }
      }
    }
  }
  getPaymentsTrace: {
    parameters: {
      query: {
        /** @description A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them. */
        chainId: string
        /** @description A transaction hash: 64 hexadecimal digits, with or without 0x. */
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
  getWithdrawals: {
    parameters: {
      query?: {
        /** @description A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them. */
        chainId?: string
        /** @description Only withdrawals in this status, or in one of several separated by commas: PendingApproval, Pending, Processing, Completed, Failed, Cancelled. */
        status?: string
        /** @description Only this token: its token id (CAIP-19). */
        tokenId?: string
        /** @description Only payments to this address, in any spelling. An X-address with a tag (XRPL) also selects the tag. */
        recipient?: string
        /** @description Only payments of this transaction: 64 hexadecimal digits, with or without 0x. */
        txnHash?: string
        /** @description Your own key of the withdrawal: 1 to 128 characters, no control characters. */
        reference?: string
        /** @description Your own id of an end user: 1 to 255 characters, no control characters, not only white space. It is stored unchanged. */
        externalUserId?: string
        /** @description Only withdrawals whose `id`, `reference`, `externalUserId`, `recipient` or `txnHash` equals this text. */
        q?: string
        /** @description Only records created at this time or later. ISO 8601; a date alone means midnight UTC. */
        from?: string
        /** @description Only records created at this time or earlier. ISO 8601; a date alone means midnight UTC. */
        to?: string
        /** @description Records per page. Without `limit` and `cursor` the list is complete; with `cursor` alone the limit is 100. */
        limit?: number
        /** @description The `nextCursor` of the previous page. Opaque: do not build your own. */
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
            /** @description The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the list is complete. */
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
      /** @description Success; this request created it. */
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
  postWithdrawalsEstimate: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['EstimateRequest']
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
            estimate: components['schemas']['WithdrawalEstimate']
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
  getChains: {
    parameters: {
      query?: {
        /** @description Only records that are enabled for the organization; true by default. */
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
  getChainsStatus: {
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
            chains: components['schemas']['ChainStatus'][]
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
        /** @description A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them. */
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
        /** @description Only records that are enabled for the organization; true by default. */
        enabledOnly?: boolean
        /** @description A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them. */
        chainId?: string
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
        /** @description A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them. */
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
        /** @description Only events with a higher `sequence`, oldest first: the feed of all events, without gaps. Send the last `sequence` that you processed. */
        after?: number
        /** @description Only events of this type. */
        type?:
          | 'deposit.detected'
          | 'deposit.confirmed'
          | 'deposit.reverted'
          | 'deposit.held'
          | 'account.created'
          | 'withdrawal.created'
          | 'withdrawal.approved'
          | 'withdrawal.processing'
          | 'withdrawal.completed'
          | 'withdrawal.failed'
          | 'withdrawal.cancelled'
          | 'balance.updated'
          | 'gas.low'
          | 'chain.frozen'
          | 'settings.changed'
          | 'webhook.test'
        /** @description Only records created at this time or later. ISO 8601; a date alone means midnight UTC. */
        from?: string
        /** @description Only records created at this time or earlier. ISO 8601; a date alone means midnight UTC. */
        to?: string
        /** @description Only events whose delivery is in this state. */
        delivery?: 'none' | 'pending' | 'delivered' | 'failed'
        /** @description Records per page. Without `limit` and `cursor` the list is complete; with `cursor` alone the limit is 100. */
        limit?: number
        /** @description The `nextCursor` of the previous page. Opaque: do not build your own. */
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
            /** @description The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the list is complete. */
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
  patchMinWithdrawalSigners: ['PATCH', '/organisation/min-withdrawal-signers'],
  getDepositAddress: ['GET', '/payments/deposit-address'],
  getPayments: ['GET', '/payments'],
  getUserDeposits: ['GET', '/payments/{userId}/deposits'],
  getAccounts: ['GET', '/accounts'],
  getPaymentsTrace: ['GET', '/payments/trace'],
  getWithdrawals: ['GET', '/withdrawals'],
  postWithdrawals: ['POST', '/withdrawals'],
  postWithdrawalsEstimate: ['POST', '/withdrawals/estimate'],
  getWithdrawal: ['GET', '/withdrawals/{id}'],
  deleteWithdrawal: ['DELETE', '/withdrawals/{id}'],
  postWithdrawalApprove: ['POST', '/withdrawals/{id}/approve'],
  postWithdrawalReject: ['POST', '/withdrawals/{id}/reject'],
  postWithdrawalsApprove: ['POST', '/withdrawals/approve'],
  getChains: ['GET', '/chains'],
  getChainsStatus: ['GET', '/chains/status'],
  getChain: ['GET', '/chains/{id}'],
  getTokens: ['GET', '/tokens'],
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
