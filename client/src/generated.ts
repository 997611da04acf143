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
     * @description The access token is valid for `expiresIn` seconds. It ends earlier if the password, the two-factor secret or the user changes. Ten failures in a row lock the name for 15 minutes. A recovery code instead of the one-time code works once, and begins a session that can only enrol a new TOTP secret.
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
     * Replaces the default API key; the previous key is refused at once
     * @description The new key is shown only once, and has every scope, no networks and no expiry. Requests with the previous key are refused; other keys stay valid. Requires a one-time code.
     */
    patch: operations['patchApiKey']
    trace?: never
  }
  '/auth/invitation': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Shows an invitation and the TOTP secret to enrol
     * @description Changes nothing and can be repeated. Limited for each address.
     */
    post: operations['postInvitation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/invitation/accept': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Accepts an invitation and signs the person in
     * @description Sets the password and the TOTP secret of the invitation; `totpCode` is a code of that secret. The invitation works once.
     */
    post: operations['postInvitationAccept']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/password': {
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
     * Changes your own password
     * @description Ends your other sessions. Requires the current password and a one-time code.
     */
    patch: operations['patchPassword']
    trace?: never
  }
  '/auth/totp': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Offers a new TOTP secret for your authenticator
     * @description The present secret remains until `POST /auth/totp/confirm`. Requires a one-time code of it, unless you signed in with a recovery code.
     */
    post: operations['postTotp']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/totp/confirm': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Replaces your TOTP secret by the offered one
     * @description `totpCode` is a code of the new secret. Ends your other sessions; a session of a recovery code ends too, so sign in again.
     */
    post: operations['postTotpConfirm']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/recovery-codes': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Replaces your recovery codes by ten new ones
     * @description The previous codes are refused at once. Requires a one-time code.
     */
    post: operations['postRecoveryCodes']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/sessions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Lists your open sessions
     * @description Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.
     */
    get: operations['getSessions']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/sessions/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Ends one of your open sessions
     * @description Its access token is refused at once.
     */
    delete: operations['deleteSession']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/logout': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Ends the session of this request
     * @description The access token is refused at once.
     */
    post: operations['postLogout']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/passkeys': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Lists your passkeys
     * @description At most ten, the oldest first, with the origin of the dashboard in which they work: null if the operator has not set `SLUICE_PUBLIC_URL`, and then no passkey can be used.
     */
    get: operations['getPasskeys']
    put?: never
    /**
     * Adds the passkey that the browser created
     * @description `credential` is what `navigator.credentials.create` returned, as JSON.
     */
    post: operations['postPasskeys']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/passkeys/options': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Begins to add a passkey: options for the browser
     * @description For `navigator.credentials.create`. `POST /auth/passkeys` stores the result within ten minutes, in the same session and before another one-time code is used. Requires a one-time code.
     */
    post: operations['postPasskeyOptions']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/passkeys/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Removes one of your passkeys
     * @description It approves nothing from then on; approvals that it gave remain. Requires a one-time code in the header `x-totp-code`.
     */
    delete: operations['deletePasskey']
    options?: never
    head?: never
    /**
     * Renames one of your passkeys
     * @description Requires a one-time code.
     */
    patch: operations['patchPasskey']
    trace?: never
  }
  '/withdrawals/{id}/passkey-options': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Returns the options with which a passkey approves a withdrawal
     * @description For `navigator.credentials.get`. The challenge is the canonical hash of the withdrawal: compute it from the fields that you show, and compare. `POST /withdrawals/:id/approve` takes the result. A passkey approves a withdrawal once.
     */
    get: operations['getWithdrawalPasskeyOptions']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/users': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Lists the people of the organization
     * @description Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.
     */
    get: operations['getUsers']
    put?: never
    /**
     * Invites a person
     * @description Hand the token over on a private channel. With it the person sets a password and a TOTP secret (`POST /auth/invitation`) within 72 hours. Requires a one-time code.
     */
    post: operations['postUsers']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/users/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Returns a person
     * @description A person of the organization, with the state of the invitation.
     */
    get: operations['getUser']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Changes the role of a person, or disables or enables a person
     * @description Ends the sessions of the person. Refused with INVALID_MIN_SIGNERS while new or pending withdrawals need this signer: `details.withdrawals` lists the pending ones. The last admin keeps the role. Requires a one-time code.
     */
    patch: operations['patchUser']
    trace?: never
  }
  '/users/{id}/reset': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Resets the credentials of another person and issues a new invitation
     * @description Password, TOTP secret, recovery codes, passkeys and sessions of the person end at once. For a person who has not accepted, the new invitation replaces the previous one. You cannot reset yourself: change your own password and TOTP secret. Requires a one-time code.
     */
    post: operations['postUserReset']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/users/{id}/invitation': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Withdraws the open invitation of a person
     * @description The token is refused at once; without an open invitation this has no effect. The person remains: `POST /users/<id>/reset` issues a new invitation. Requires a one-time code in the header `x-totp-code`.
     */
    delete: operations['deleteUserInvitation']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api-keys': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Lists API keys, newest first
     * @description Also revoked and expired keys, without the keys themselves. Only admins. Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.
     */
    get: operations['getApiKeys']
    put?: never
    /**
     * Creates an API key with scopes
     * @description The key is shown only once. At most 100 keys of an organization are active. Only admins, with a one-time code; never an API key.
     */
    post: operations['postApiKey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api-keys/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Revokes an API key at once
     * @description Revoking it twice changes nothing. Only admins, with a one-time code; never an API key.
     */
    delete: operations['deleteApiKey']
    options?: never
    head?: never
    /**
     * Changes the name, scopes, networks or expiry of an API key
     * @description Absent fields stay as they are. Requests with the key that are being processed are refused if they no longer comply. A revoked or expired key cannot be changed. Only admins, with a one-time code; never an API key.
     */
    patch: operations['patchApiKeyTerms']
    trace?: never
  }
  '/api-keys/{id}/rotate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Replaces an API key by a new one with the same name, scopes and networks
     * @description The new key is shown only once, and has a new id. The old key is refused at once, or after `overlapSeconds`. A revoked or expired key cannot be replaced. Only admins, with a one-time code; never an API key.
     */
    post: operations['postApiKeyRotate']
    delete?: never
    options?: never
    head?: never
    patch?: never
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
     * @description The signing secret is complete for an API key with the scope `configure`, and for an admin who sends a one-time code in the header `x-totp-code`. Others see its last four characters.
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
  '/organisation/min-human-approvals': {
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
     * Sets how many approvals of a new withdrawal must come from people
     * @description 0 to the number of users who may approve; null for the default: 0 if one approval is enough, otherwise as many as are needed. Existing withdrawals keep their number. Only admins, with a one-time code; never an API key, which this setting limits.
     */
    patch: operations['patchMinHumanApprovals']
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
     * @description Deposits of all end users on all chains. Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.
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
     * @description Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format. For the user ids `.` and `..` use `GET /payments?userId=`: most clients remove such a segment from a path, encoded or not.
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
     * @description Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.
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
  '/deposits/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Returns a deposit with its notification and its sweep
     * @description The fields of the lists and the times of its way: detected, credited (`confirmedAt`), notified and swept. `GET /events?subjectId=` lists all of its events.
     */
    get: operations['getDeposit']
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
     * @description Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.
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
  '/withdrawals/{id}/warnings': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Returns the warnings, fee and balance of a withdrawal that is not paid yet
     * @description As `POST /withdrawals/estimate` returns them, for those who approve it: compared with the other withdrawals, and with the balance without its own reservation. Without warnings, fee and balance unless its status is `PendingApproval` or `Pending`.
     */
    get: operations['getWithdrawalWarnings']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/withdrawals/{id}/speed-up': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Requests a higher fee for a withdrawal whose transaction is not included yet
     * @description The service then replaces the transaction at once instead of after some blocks: it pays the same, at the current fee rate and at least an eighth (Bitcoin: a quarter) more, and never more than the fee cap. One request is good for one replacement; a repetition before it changes nothing. On Bitcoin it speeds up all withdrawals of the same transaction. While the gas wallet or the balance does not cover the higher fee, the request waits.
     */
    post: operations['postWithdrawalSpeedUp']
    delete?: never
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
     * Approves a withdrawal, with a one-time code or a passkey
     * @description Send either `totpCode` or `assertion`: what `navigator.credentials.get` returned for the options of `GET /withdrawals/:id/passkey-options`, as JSON. The last required approval sets the status to `Pending`. A second approval by the same user changes nothing; the initiator counts as the first approver.
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
  '/organisation/chains': {
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
     * Switches a chain off or on for the organization
     * @description Switched off, it gets no new deposit addresses and no new withdrawals. Deposits to existing addresses are still credited, and existing withdrawals are paid. It is enabled only if the operator of the service also has it enabled. A person must send a one-time code.
     */
    patch: operations['patchOrganisationChain']
    trace?: never
  }
  '/organisation/tokens': {
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
     * Switches a token off or on for the organization
     * @description Switched off, it gets no new deposit addresses and no new withdrawals. Deposits to existing addresses are still credited, and existing withdrawals are paid. It is enabled only if the operator of the service also has it enabled. A person must send a one-time code.
     */
    patch: operations['patchOrganisationToken']
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
  '/reports/statement': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Returns the statement of a month, by chain and token
     * @description Each line adds up to the base unit. The credited balance is what the organization may use: `available`, `reserved`, `heldForFees` and `gas` of `GET /portfolio`, without deposits that are unconfirmed, held, below the minimum or unattributed. A posting belongs to the UTC month in which it was booked, so a complete month never changes.
     */
    get: operations['getStatement']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/stats': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Returns sums by UTC day, chain and token
     * @description Oldest day first; days of a token without postings are left out. Without `from` the 30 days before `to`, without `to` until now; at most 366 days. The amounts are those of `GET /reports/statement`.
     */
    get: operations['getStats']
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
     * @description Complete even if the webhook was down. To follow all events, send the last `sequence` that you processed as `after`: oldest first, without gaps. With `wait` (long poll) the answer comes as soon as there is an event. Without `after`: Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.
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
  '/events/count': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Counts the events that match a filter
     * @description Takes the filters of `POST /events/redeliver`; without a filter it counts all events. Refuses an unknown `endpointId` with NOT_FOUND.
     */
    get: operations['getEventsCount']
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
  '/webhook-endpoints': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Lists the webhook endpoints, the default one first
     * @description At most 20, with the state of their deliveries.
     */
    get: operations['getWebhookEndpoints']
    put?: never
    /**
     * Adds a webhook endpoint
     * @description It receives the events from now on whose type its filter names, signed with its own secret. The URL must use HTTPS and resolve to a public address. An organization may have 20 endpoints. A person must send a one-time code.
     */
    post: operations['postWebhookEndpoint']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/webhook-endpoints/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Returns a webhook endpoint with the state of its deliveries
     * @description `GET /events?endpointId=` lists the events with their deliveries to it.
     */
    get: operations['getWebhookEndpoint']
    put?: never
    post?: never
    /**
     * Deletes a webhook endpoint
     * @description Its pending deliveries fail. The default endpoint cannot be deleted; pause it instead. A person must send a one-time code.
     */
    delete: operations['deleteWebhookEndpoint']
    options?: never
    head?: never
    /**
     * Changes the URL or the filter of a webhook endpoint, pauses or resumes it
     * @description Pending deliveries go to a new URL; a new filter applies to later events. While it is paused, deliveries wait; they are sent, oldest first, when it is resumed. Deliveries that are being sent at that moment are finished. A person must send a one-time code.
     */
    patch: operations['patchWebhookEndpoint']
    trace?: never
  }
  '/webhook-endpoints/{id}/secret': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Replaces the secret of a webhook endpoint
     * @description `x-webhook-signature` uses the new secret at once; `webhook-signature` carries signatures of both secrets for 24 hours. A person must send a one-time code.
     */
    post: operations['postWebhookEndpointSecret']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/webhook-endpoints/{id}/test': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sends a test event to a webhook endpoint and returns the result
     * @description A `webhook.test` event, signed like every other event and sent once, to this endpoint only, also if it is paused or filters the type. The answer takes as long as the attempt, at most 20 seconds.
     */
    post: operations['postWebhookEndpointTest']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/sweeps': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Lists sweeps, newest first
     * @description Transfers from deposit addresses to the settlement address. Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.
     */
    get: operations['getSweeps']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/unattributed': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Lists payments without a known tag, newest first
     * @description Payments to a shared base account (XRPL) whose destination tag is missing or unknown. Two people assign them to an end user. Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.
     */
    get: operations['getUnattributed']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/unattributed/{id}/assign': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Assigns a payment without a known tag to an end user; two people must agree
     * @description The first approver or admin proposes an end user. A second one who names the same user confirms, and the payment becomes a deposit. Another name starts a new proposal.
     */
    post: operations['postUnattributedAssign']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ledger-entries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Lists postings of the ledger, newest first
     * @description The postings of all accounts of the organization. Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.
     */
    get: operations['getLedgerEntries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/alerts': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Lists alerts of the organization, newest first
     * @description Alerts about deposits, withdrawals, wallets and settings of the organization. Alerts about chains and the installation are for the operator. Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.
     */
    get: operations['getAlerts']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/alerts/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Returns an alert of the organization
     * @description Open or resolved.
     */
    get: operations['getAlert']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/alerts/{id}/acknowledge': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Records that the caller has seen an alert
     * @description The alert stays open until its cause ends. A second acknowledgement changes nothing.
     */
    post: operations['postAlertAcknowledge']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/audit-log': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Lists who changed what, newest first
     * @description Entries of the organization. Without `limit` and `cursor` the list is complete and streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.
     */
    get: operations['getAuditLog']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/audit-log/verification': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Compares the audit log with its seals
     * @description Each entry is sealed with a hash that covers all entries before it. The newest entries of the organization are compared now; the service compares the whole log all the time.
     */
    get: operations['getAuditLogVerification']
    put?: never
    post?: never
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
      /** @description True after a recovery code, otherwise absent: the session can only enrol a new TOTP secret (`POST /auth/totp`). */
      mustEnrolTotp?: boolean
      /** @description Unused recovery codes, after a recovery code. */
      recoveryCodesLeft?: number
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
    Alert: {
      /** @description Unique id. */
      id: string
      /** @description The kind, such as `gas.low`; each kind has a runbook. */
      code: string
      /** @description The record that it is about: a deposit, withdrawal, address or chain. */
      subject: string
      /** @description The cause and the action to take. */
      message: string
      /** @description How often it was raised while open. */
      times: number
      /**
       * Format: date-time
       * @description When it was first raised.
       */
      raisedAt: string
      /**
       * Format: date-time
       * @description When it was last raised.
       */
      lastAt: string
      /**
       * Format: date-time
       * @description When its cause ended; null while it is open.
       */
      resolvedAt: string | null
      /**
       * Format: date-time
       * @description When a user acknowledged it; null before.
       */
      acknowledgedAt: string | null
      /** @description The user who acknowledged it; null before. */
      acknowledgedBy: string | null
    }
    ApiKey: {
      /** @description Unique id. */
      id: string
      /** @description Its name. */
      name: string
      /** @description The operations that it is allowed to call. */
      scopes: ('read' | 'deposits' | 'withdrawals' | 'configure')[]
      /** @description The networks from which it may be used; empty: from everywhere. */
      allowedCidrs: string[]
      /** @description Whether `PATCH /organisation/api-key` replaces it. */
      isDefault: boolean
      /**
       * @description Only an `active` key is accepted.
       * @enum {unknown}
       */
      status: 'active' | 'expired' | 'revoked'
      /** @description Its last four characters. */
      lastFour: string
      /** @description The user who created it; null: an operator of the service. */
      createdBy: string | null
      /**
       * Format: date-time
       * @description When it was created.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it was last used, to the minute or so; null: never.
       */
      lastUsedAt: string | null
      /**
       * Format: date-time
       * @description When it expires; null: never.
       */
      expiresAt: string | null
      /**
       * Format: date-time
       * @description When it was revoked; null: not revoked.
       */
      revokedAt: string | null
    }
    ApiKeyChange: {
      /** @description A name of 1 to 100 characters, not only white space. */
      name?: string
      /** @description What the key may do: `read` everything, issue addresses (`deposits`), create and cancel `withdrawals`, or `configure`, which includes sending events again. */
      scopes?: ('read' | 'deposits' | 'withdrawals' | 'configure')[]
      /** @description Up to 50 IPv4 or IPv6 networks from which the key may be used, such as `203.0.113.0/24`; empty: from everywhere. */
      allowedCidrs?: string[]
      /** @description When the key expires (ISO 8601, in the future); null: never. */
      expiresAt?: string | null
      /** @description A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
      totpCode?: string
    }
    ApiKeyRequest: {
      /** @description A name of 1 to 100 characters, not only white space. */
      name: string
      /** @description What the key may do: `read` everything, issue addresses (`deposits`), create and cancel `withdrawals`, or `configure`, which includes sending events again. */
      scopes: ('read' | 'deposits' | 'withdrawals' | 'configure')[]
      /** @description Up to 50 IPv4 or IPv6 networks from which the key may be used, such as `203.0.113.0/24`; empty: from everywhere. */
      allowedCidrs?: string[]
      /** @description When the key expires (ISO 8601, in the future); null: never. */
      expiresAt?: string | null
      /** @description A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
      totpCode?: string
    }
    ApiKeyRotation: {
      /**
       * @description How many seconds the old key stays valid; 0 by default, at most 24 hours.
       * @default 0
       */
      overlapSeconds: number
      /** @description When the key expires (ISO 8601, in the future); null: never. */
      expiresAt?: string | null
      /** @description A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
      totpCode?: string
    }
    ApprovalRequest: {
      /** @description A one-time code: six digits of an authenticator app. Each code works once. */
      totpCode?: string
      assertion?: {
        /** @description The id of the credential. In base64url. */
        id: string
        response: {
          /** @description What the browser signed: type, challenge and origin. In base64url. */
          clientDataJSON: string
          /** @description What the authenticator checked, and its counter. In base64url. */
          authenticatorData: string
          /** @description The signature of the passkey over both. In base64url. */
          signature: string
        }
      }
    }
    ApprovalsRequest: {
      /** @description The ids of 1 to 100 withdrawals, without duplicates. */
      ids: string[]
      /** @description A one-time code: six digits of an authenticator app. Each code works once. */
      totpCode: string
    }
    AssignmentRequest: {
      /** @description Your own id of an end user: 1 to 255 characters, no control characters, not only white space. It is stored unchanged. */
      externalUserId: string
      /** @description The reason, for the audit log: 1 to 500 characters. */
      reason: string
      /** @description A one-time code: six digits of an authenticator app. Each code works once. */
      totpCode: string
    }
    AuditEntry: {
      /** @description Its number; numbers of others lie between. */
      id: number
      /**
       * Format: date-time
       * @description When it was done.
       */
      at: string
      /** @description The actor: `user:<id>`, `cli:<name>` for the operator, or a part of the service. */
      actor: string
      /** @description The change: `<noun>.<verb>`, such as `api-key.rotate`. */
      action: string
      /** @description The id of the changed object. */
      object: string
      /** @description More about the change; the fields depend on the action. */
      details: {
        [key: string]: unknown
      }
    }
    AuditVerification: {
      /** @description Whether the seals of the checked entries match, and the service finds the whole log intact. */
      verified: boolean
      /** @description Number of the newest entries that were compared with their seals; at most 10000. */
      checked: number
      /** @description Number of entries that are not sealed yet; sealing takes a few seconds. */
      waiting: number
      /** @description The last seal, as `<sequence>:<hash>`: keep it elsewhere to detect a rewritten log. */
      head: string
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
      /** @description Whether the operator of the service has it enabled for the organization. */
      enabledByOperator: boolean
      /** @description Whether the organization has it enabled; true unless it was switched off. `enabled` is false if either is. */
      enabledByOrganization: boolean
      /** @description Whether it is a test network. */
      isTestnet: boolean
      properties: {
        /** @description Symbol of the native currency. */
        nativeCurrency: string
        /** @description Decimal places of the native currency. */
        decimals: number
        /** @description Whether the `memo` of a withdrawal goes on-chain: true on TRON (as the data of the transaction) and XRPL (as the destination tag). False on EVM chains and Bitcoin, which store `memo` with the withdrawal and never send it. */
        carriesMemo: boolean
        /** @description URL templates of a block explorer; null without one. The operator can change them. */
        explorer: {
          /** @description The page of a transaction: replace `{hash}`. */
          tx: string
          /** @description The page of an address: replace `{address}`. */
          address: string
        } | null
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
    ChainSwitchRequest: {
      /** @description A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them. */
      chainId: string
      /** @description Whether the organization uses it: false to switch it off, true to switch it on. */
      enabled: boolean
      /** @description A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
      totpCode?: string
    }
    CodeRequest: {
      /** @description A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
      totpCode?: string
    }
    DayStats: {
      /** @description The day in UTC: YYYY-MM-DD. */
      day: string
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description The token: a CAIP-19 id. */
      tokenId: string
      /** @description Number of deposits that were credited. */
      depositCount: number
      /** @description Number of withdrawals that a block contains. */
      withdrawalCount: number
      /** @description Credited to end users, less deposits that a reorg took back. In base units. */
      deposits: string
      /** @description Sent by the organization to its settlement addresses and gas wallets. In base units. */
      fundings: string
      /** @description Paid by withdrawals that a block contains. In base units. */
      withdrawals: string
      /** @description Network fees of withdrawals, sweeps and top-ups. In base units. */
      fees: string
      /** @description Differences between the ledger and a chain that an audit booked. In base units. */
      corrections: string
      /** @description Credited balance at the end of the day. In base units. */
      closing: string
      Token: components['schemas']['TokenSummary']
    }
    DeliveryAttempt: {
      /** @description The webhook endpoint that it was sent to. */
      endpointId: string
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
    DepositNotification: {
      /** @description The event; `GET /events/{id}` shows its attempts. */
      eventId: string
      /**
       * Format: date-time
       * @description When the event happened.
       */
      timestamp: string
      delivery: components['schemas']['EventDelivery']
    }
    DepositSweep: {
      /** @description Unique id. */
      id: string
      /**
       * @description `Waiting`: not signed yet, for example because its address lacks gas. `Sent`: signed. `Done`: included in a block. `Failed`: see `error`; its funds are swept again later.
       * @enum {unknown}
       */
      status: 'Waiting' | 'Sent' | 'Done' | 'Failed'
      /** @description The transaction on the chain; null before it is signed. */
      txnHash: string | null
      /**
       * Format: date-time
       * @description When it was planned.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it was last changed.
       */
      updatedAt: string
    }
    EligibleApprover: {
      /** @description The user. */
      userId: string
      /** @description The name of that user. */
      name: string
    }
    EndpointDelivery: {
      /** @description The webhook endpoint; it may have been deleted. */
      endpointId: string
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
    EndpointTest: {
      /** @description The id of the `webhook.test` event; `GET /events/{id}` shows the request. */
      eventId: string
      /** @description Whether the receiver answered with a 2xx. */
      isAccepted: boolean
      /** @description The HTTP status of the answer; null without an answer. */
      status: number | null
      /** @description Duration in milliseconds, from name resolution to the answer. */
      durationMs: number
      /** @description The step that failed: `check` of the URL, its addresses and the secret, `nameResolution`, `connection`, `tls`, `response` (no complete answer) or `status` (not a 2xx). Null if it was accepted. */
      failedStep: ('check' | 'nameResolution' | 'connection' | 'tls' | 'response' | 'status') | null
      /** @description Why it failed; empty if it was accepted. */
      error: string
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
      /** @description The point that a person should check. */
      message: string
      /** @description The facts of the warning; its fields depend on the code. */
      details: {
        [key: string]: unknown
      }
    }
    /** @description The balance of the token that withdrawals may use. */
    EstimatedBalance: {
      /** @description Available without the withdrawal. In base units. */
      before: string
      /** @description Available with the withdrawal: without the amount and `held`. In base units. */
      after: string
      /** @description Held for the fee in addition to the amount; zero if a gas wallet pays it. In base units. */
      held: string
    }
    /** @description The network fee. */
    EstimatedFee: {
      /** @description The native currency of the chain, which pays the fee: a CAIP-19 id. */
      tokenId: string
      /** @description The fee of a plain transfer at the current price, with headroom, in base units of the native currency; null if no node answers. */
      expected: string | null
      /** @description The fee cap: the most that the service pays for this withdrawal, replacements included. In base units. */
      maximum: string
      /** @description Why `expected` is null; otherwise null. */
      unknownReason: string | null
    }
    EventCount: {
      /** @description Number of matching events, at most 100000. */
      count: number
      /** @description Number of those that `POST /events/redeliver` with the same filter sends again: all but the types that the endpoint does not receive. Events that are being sent at that moment are left out then. */
      redeliverable: number
      /** @description Whether more than 100000 events match; the newest are counted. */
      isAtLeast: boolean
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
    LedgerEntry: {
      /** @description Its number; numbers of others lie between. */
      id: number
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description The token: a CAIP-19 id. */
      tokenId: string
      /** @description The account that is debited: `claim:<kind>` or `place:<kind>:<address>`. */
      debit: string
      /** @description The account that is credited. */
      credit: string
      /** @description The amount. In base units. */
      amount: string
      /** @description Why it was posted, such as `deposit.confirmed`. */
      reason: string
      /** @description Whether it reverses what a reorg undid. */
      reversal: boolean
      /** @description The record that it belongs to: a deposit, withdrawal, sweep or spend. */
      referenceId: string
      /** @description The height of its block; null if it belongs to no block. */
      blockNumber: number | null
      Token: components['schemas']['TokenSummary']
      /**
       * Format: date-time
       * @description When it was posted.
       */
      createdAt: string
    }
    LoginRequest: {
      /** @description The name that the person signs in with. */
      username: string
      /**
       * Format: password
       * @description The password.
       */
      password: string
      /** @description A one-time code: six digits of an authenticator app, each code works once. Or a recovery code, which also works once. */
      totpCode: string
    }
    MinHumansRequest: {
      /** @description How many approvals of a new withdrawal people must give: 0 to the number of signers; null for the default. */
      minHumanApprovals: number | null
      /** @description A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
      totpCode?: string
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
      /** @description Signs deliveries (HMAC SHA-256). Complete for an API key with the scope `configure`, and for an admin who sends a one-time code in the header `x-totp-code`; otherwise its last four characters. */
      webhookSigningSecret: string
      /** @description Approvals that a new withdrawal needs, including that of its initiator. */
      minWithdrawalSigners: number
      /** @description Approvals that must come from people; an API key does not count. */
      minHumanApprovals: number
      /** @description The permissions of the caller: `read`, `issueAddresses`, `createWithdrawals` and more, the names of `details.required` of a 403. For an API key, limited by its scopes. */
      permissions: string[]
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
    Passkey: {
      /** @description Unique id. */
      id: string
      /** @description The name that the person chose. */
      name: string
      /**
       * Format: date-time
       * @description When it was added.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it last approved a withdrawal; null while never used.
       */
      lastUsedAt: string | null
    }
    PasskeyCreation: {
      /** @description Signed by the authenticator; it works once, for ten minutes. In base64url. */
      challenge: string
      rp: {
        /** @description The host name that the passkey is bound to. */
        id: string
        /** @description The name that the browser shows. */
        name: string
      }
      user: {
        /** @description The id of the person. In base64url. */
        id: string
        /** @description The name that the person signs in with. */
        name: string
        /** @description The same name. */
        displayName: string
      }
      /** @description The accepted algorithms, the preferred one first. */
      pubKeyCredParams: {
        /**
         * @description The only type of WebAuthn.
         * @constant
         */
        type: 'public-key'
        /** @description An algorithm of COSE. */
        alg: number
      }[]
      /** @description How long the browser waits, in milliseconds. */
      timeout: number
      /** @description The passkeys that the person has already. */
      excludeCredentials: components['schemas']['PasskeyDescriptor'][]
      authenticatorSelection: {
        /**
         * @description Stored by the authenticator.
         * @constant
         */
        residentKey: 'preferred'
        /**
         * @description The authenticator checks a fingerprint, a face or a PIN.
         * @constant
         */
        userVerification: 'required'
      }
      /**
       * @description The model of the authenticator is not asked.
       * @constant
       */
      attestation: 'none'
    }
    PasskeyCredential: {
      /** @description The id of the credential. In base64url. */
      id: string
      response: {
        /** @description What the browser signed: type, challenge and origin. In base64url. */
        clientDataJSON: string
        /** @description The public key, with what the authenticator checked. In base64url. */
        attestationObject: string
      }
    }
    PasskeyDescriptor: {
      /**
       * @description The only type of WebAuthn.
       * @constant
       */
      type: 'public-key'
      /** @description The id of the credential. In base64url. */
      id: string
    }
    PasskeyRequest: {
      /** @description The canonical hash of the withdrawal. In base64url. */
      challenge: string
      /** @description The host name that the passkeys are bound to. */
      rpId: string
      /** @description How long the browser waits, in milliseconds. */
      timeout: number
      /**
       * @description The authenticator checks a fingerprint, a face or a PIN.
       * @constant
       */
      userVerification: 'required'
      /** @description The passkeys of the person that have not approved this withdrawal before. */
      allowCredentials: components['schemas']['PasskeyDescriptor'][]
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
    Person: {
      /** @description Unique id. */
      id: string
      /** @description The name that the person signs in with. */
      username: string
      /**
       * @description The role, which grants the permissions.
       * @enum {string}
       */
      role: 'viewer' | 'operator' | 'approver' | 'admin'
      /**
       * @description `invited` until the first invitation is accepted.
       * @enum {string}
       */
      status: 'invited' | 'active' | 'disabled'
      /** @description Whether the person has a password and a TOTP secret; false after a reset. */
      enrolled: boolean
      /**
       * Format: date-time
       * @description Until when the invitation can be accepted; in the past if it expired, null without one.
       */
      invitationExpiresAt: string | null
      /**
       * Format: date-time
       * @description The last sign-in.
       */
      lastLoginAt: string | null
      /** @description Whether role or status were changed in the database. Such a user has no permissions and can only be disabled. */
      tampered: boolean
      /**
       * Format: date-time
       * @description When the person was invited.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When the person was last changed.
       */
      updatedAt: string
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
      /** @description The last processed block of the chain: everything up to it is included. Null before the first contact with a node. */
      asOf: {
        /** @description Height of the block. */
        height: number
        /** @description Hash of the block. */
        hash: string
        /**
         * Format: date-time
         * @description Time of the block.
         */
        time: string
      } | null
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
      /** @description What the person may do; the names of `details.required` of a 403. */
      permissions: string[]
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
      /** @description Only events of this record: the id of a deposit, withdrawal, account, chain or organization. */
      subjectId?: string
      /** @description Only records created at this time or later. ISO 8601; a date alone means midnight UTC. */
      from?: string
      /** @description Only records created at this time or earlier. ISO 8601; a date alone means midnight UTC. */
      to?: string
      /**
       * @description Only events whose delivery is in this state.
       * @enum {string}
       */
      delivery?: 'none' | 'pending' | 'delivered' | 'failed'
      /** @description The webhook endpoint whose deliveries are shown and filtered. By default the default one. */
      endpointId?: string
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
    Session: {
      /** @description Unique id. */
      id: string
      /** @description Whether it is the session of this request. */
      current: boolean
      /** @description The address of the client at sign-in; of IPv6 its /64. */
      address: string
      /**
       * Format: date-time
       * @description When the person signed in.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it expires.
       */
      expiresAt: string
    }
    SettingsChangedEvent: {
      /**
       * @description The setting.
       * @enum {unknown}
       */
      setting: 'webhookUrl' | 'signingSecret' | 'minWithdrawalSigners' | 'minHumanApprovals'
      /** @description The previous value: the origin of a URL, whose path may be a secret; empty for a secret, and for the default of `minHumanApprovals`. */
      previous: string
      /** @description The new value, written like the previous one. */
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
    SingleDeposit: {
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
      /** @description The account that was paid. */
      orgDepositAccountId: string
      /** @description The address that was paid. */
      recipientAddress: string
      /** @description The destination tag of its account (XRP); null on other chains. */
      destinationTag: string | null
      /** @description Why it is held; null unless `status` is `Held`. */
      heldReason: string | null
      /**
       * Format: date-time
       * @description When it was detected.
       */
      detectedAt: string
      /** @description The newest `deposit.confirmed` event, with its delivery to the default webhook endpoint; null before the first. */
      notification: components['schemas']['DepositNotification'] | null
      /** @description The sweep that moved it to the settlement address, or will move it; null without one. XRP and Bitcoin deposits are not swept. */
      sweep: components['schemas']['DepositSweep'] | null
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
      /** @description Its delivery to each webhook endpoint that receives it, the default one first. */
      deliveries: components['schemas']['EndpointDelivery'][]
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
      waitingFor:
        | ('approvals' | 'confirmations' | 'gas' | 'fee' | 'chain' | 'signer' | 'operator')
        | null
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
      /** @description The name of the person or API key that created it. */
      initiatorName: string
      /** @description The people whose approval would count now; empty unless its status is `PendingApproval`. */
      eligibleApprovers: components['schemas']['EligibleApprover'][]
      /** @description Every transaction that was signed for it, replacements included, in order. */
      transactions: components['schemas']['WithdrawalTransaction'][]
      /** @description Every approval with its user, void ones included, the earliest first. */
      approvals: components['schemas']['WithdrawalApproval'][]
      /** @description The user who cancelled or rejected it; null unless its status is `Cancelled`. */
      cancellation: components['schemas']['WithdrawalCancellation'] | null
      speedUp: components['schemas']['SpeedUp']
    }
    SpeedUp: {
      /** @description Whether `POST /withdrawals/:id/speed-up` is accepted now. */
      possible: boolean
      /** @description Why it is not possible; null if it is. `unsigned`: no transaction is signed yet; `included`: a block includes the transaction; `ended`: the withdrawal was cancelled or has failed; `expires`: transactions of this chain (TRON, XRP Ledger) expire after minutes and are then signed again; `earlier`: an earlier transaction of the same sender is not included yet; `child`: a later transaction already pays for this one; `feeCap`: the fee cap allows no higher fee. */
      reason:
        | ('unsigned' | 'included' | 'ended' | 'expires' | 'earlier' | 'child' | 'feeCap')
        | null
      /**
       * Format: date-time
       * @description When the replacement of the current transaction was requested; null without a request, and after the replacement.
       */
      requestedAt: string | null
    }
    StatementLine: {
      /** @description The month in UTC: YYYY-MM. */
      month: string
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description The token: a CAIP-19 id. */
      tokenId: string
      /** @description Credited balance at the beginning of the month. In base units. */
      opening: string
      /** @description Credited to end users, less deposits that a reorg took back. In base units. */
      deposits: string
      /** @description Sent by the organization to its settlement addresses and gas wallets. In base units. */
      fundings: string
      /** @description Paid by withdrawals that a block contains. In base units. */
      withdrawals: string
      /** @description Network fees of withdrawals, sweeps and top-ups. In base units. */
      fees: string
      /** @description Differences between the ledger and a chain that an audit booked. In base units. */
      corrections: string
      /** @description opening + deposits + fundings - withdrawals - fees + corrections: the credited balance at the end of the month. In base units. */
      closing: string
      Token: components['schemas']['TokenSummary']
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
    Sweep: {
      /** @description Unique id. */
      id: string
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description The token: a CAIP-19 id. */
      tokenId: string
      /** @description The deposit address that is swept. */
      address: string
      /** @description The amount that is to be moved. In base units. */
      amount: string
      /** @description The amount that reached the settlement address; 0 until it is included. In base units. */
      moved: string
      /**
       * @description `Waiting`: not signed yet, for example because its address lacks gas. `Sent`: signed. `Done`: included in a block. `Failed`: see `error`; its funds are swept again later.
       * @enum {unknown}
       */
      status: 'Waiting' | 'Sent' | 'Done' | 'Failed'
      /** @description The transaction on the chain; null before it is signed. */
      txnHash: string | null
      /** @description The network fee that was paid, in base units of the native currency; null until it is included. Gas that was sent to its address before is not part of it. */
      fee: string | null
      /** @description The most that its transaction can cost, in base units of the native currency, which is reserved until it is included; null before it is signed. */
      maxFee: string | null
      /** @description Why it is not signed yet. `confirmations`: Gas, delegated energy or a deposit on the way to its address, or an earlier transaction of that address, is not confirmed yet. `gas`: The gas wallet of the chain holds too little: send native currency to it. `fee`: The network fee is above the fee cap. `chain`: The chain is stopped, or its nodes do not answer. Null before the first attempt, and once it is signed or has failed. */
      waitingFor: ('confirmations' | 'gas' | 'fee' | 'chain') | null
      /** @description The same in words; empty if `waitingFor` is null. */
      waitingReason: string
      /**
       * Format: date-time
       * @description When that wait began; null if `waitingFor` is null.
       */
      waitingSince: string | null
      /** @description Why it failed; empty otherwise. */
      error: string
      /** @description The same as a code; null unless it has failed. `NOT_WORTH_FEE`: The amount is not worth the network fee. `FEE_TOO_HIGH`: The token needs more gas for a transfer than the limit allows. `INSUFFICIENT_BALANCE`: The chain shows a lower balance than the ledger. `TOKEN_SUSPENDED`: The token is suspended. `RECIPIENT_REFUSES`: The token refuses the transfer. `GAS_REFUSED`: The address does not accept the native currency that the fee needs. `SENDER_HALTED`: The address signs nothing until the operator resumes it. `REVERTED`: The transaction failed in its block. `DISPLACED`: A foreign transaction took its place. `EXPIRED`: The transaction and its replacements expired. */
      failureCode:
        | (
            | 'NOT_WORTH_FEE'
            | 'FEE_TOO_HIGH'
            | 'INSUFFICIENT_BALANCE'
            | 'TOKEN_SUSPENDED'
            | 'RECIPIENT_REFUSES'
            | 'GAS_REFUSED'
            | 'SENDER_HALTED'
            | 'REVERTED'
            | 'DISPLACED'
            | 'EXPIRED'
          )
        | null
      Token: components['schemas']['TokenSummary']
      /**
       * Format: date-time
       * @description When it was planned.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it was last changed.
       */
      updatedAt: string
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
      /** @description Whether the operator of the service has it enabled for the organization. */
      enabledByOperator: boolean
      /** @description Whether the organization has it enabled; true unless it was switched off. `enabled` is false if either is. */
      enabledByOrganization: boolean
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
    TokenSwitchRequest: {
      /** @description A token id (CAIP-19); `GET /tokens?enabledOnly=false` lists them. */
      tokenId: string
      /** @description Whether the organization uses it: false to switch it off, true to switch it on. */
      enabled: boolean
      /** @description A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
      totpCode?: string
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
    UnattributedPayment: {
      /** @description Unique id. */
      id: string
      /** @description The chain: a CAIP-2 id. */
      chainId: string
      /** @description The transaction on the chain. */
      txnHash: string
      /** @description The token: a CAIP-19 id. */
      tokenId: string
      /** @description The amount that was paid. In base units. */
      amount: string
      /** @description The base account that was paid. */
      address: string
      /** @description The tag of the payment; null without a tag. */
      destinationTag: number | null
      /** @description The sender. */
      senderAddress: string
      /**
       * @description `Proposed`: a first person named the end user. `Assigned`: a second person confirmed; it is the deposit `depositId`.
       * @enum {unknown}
       */
      status: 'Waiting' | 'Proposed' | 'Assigned'
      /** @description Your own id of the proposed end user; empty before a proposal. */
      externalUserId: string
      /** @description The id of the user who proposed; empty before. */
      proposedBy: string
      /** @description The id of the user who confirmed; empty before. */
      assignedBy: string
      /** @description The deposit that it became; null before. */
      depositId: string | null
      /** @description The height of its block. */
      blockNumber: number
      /** @description The hash of its block. */
      blockHash: string
      Token: components['schemas']['TokenSummary']
      /**
       * Format: date-time
       * @description When it was detected.
       */
      createdAt: string
    }
    WebhookEndpoint: {
      /** @description Unique id; the default endpoint has the id of the organization. */
      id: string
      /** @description Whether it is the endpoint of `PATCH /organisation/webhook`. */
      isDefault: boolean
      /** @description The URL that receives events; empty if the default endpoint has none. */
      url: string
      /** @description The event types that it receives; null for all. */
      eventTypes: string[] | null
      /**
       * @description `paused`: deliveries wait. `tampered`: it was changed in the database and receives nothing; set its URL again.
       * @enum {unknown}
       */
      state: 'active' | 'paused' | 'tampered'
      /**
       * Format: date-time
       * @description Since when it is paused; null if it is not.
       */
      pausedAt: string | null
      /** @description Deliveries that wait for an attempt. */
      pendingDeliveries: number
      /**
       * Format: date-time
       * @description The last accepted delivery, to a few seconds.
       */
      lastSuccessAt: string | null
      /**
       * Format: date-time
       * @description The last failed attempt, to a few seconds.
       */
      lastFailureAt: string | null
      /**
       * Format: date-time
       * @description The first failed attempt since the last accepted delivery.
       */
      failingSince: string | null
      /**
       * Format: date-time
       * @description When it was created.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When its settings were last changed.
       */
      updatedAt: string
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
      waitingFor:
        | ('approvals' | 'confirmations' | 'gas' | 'fee' | 'chain' | 'signer' | 'operator')
        | null
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
      /** @description How the person proved it: `totp`, a one-time code, or `passkey`. Null for the initiator, whose approval is the request. */
      method: ('totp' | 'passkey') | null
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
      fee: components['schemas']['EstimatedFee']
      available: components['schemas']['EstimatedBalance']
      /** @description Whether it would wait for approvals of others before it is paid. */
      needsApprovals: boolean
      /** @description How many approvals it would need, that of the caller included. */
      requiredApprovals: number
      /** @description How many people must approve it; an API key does not count. */
      requiredHumans: number
      /** @description How many more approvals it would need after the creation. */
      missingApprovals: number
      /** @description Points that a person should check; may be empty. */
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
    WithdrawalReview: {
      /** @description The network fee; null unless its status is `PendingApproval` or `Pending`. */
      fee: components['schemas']['EstimatedFee'] | null
      /** @description The balance of the token that withdrawals may use; null unless its status is `PendingApproval` or `Pending`. */
      available: components['schemas']['EstimatedBalance'] | null
      /** @description Points that a person should check; may be empty. */
      warnings: components['schemas']['EstimateWarning'][]
    }
    WithdrawalTransaction: {
      /** @description The transaction on the chain. */
      txnHash: string
      /**
       * @description `Signed`: not broadcast yet. `Sent`: broadcast. `Included`: in a block. `Confirmed`: with as many confirmations as a deposit needs. `Failed`: in a block, where the payment failed. `Replaced`: a later one with a higher fee took its place; it can still be included until another one is confirmed. `Displaced`: it can never be included.
       * @enum {unknown}
       */
      state: 'Signed' | 'Sent' | 'Included' | 'Confirmed' | 'Failed' | 'Replaced' | 'Displaced'
      /** @description The network fee of the whole transaction in base units of the native currency; null until it is included. */
      fee: string | null
      /** @description The most that it can cost, of the native currency. In base units. */
      maxFee: string
      /** @description The height of its block; null until it is included. */
      blockNumber: number | null
      /**
       * Format: date-time
       * @description When it was signed.
       */
      signedAt: string
      /**
       * Format: date-time
       * @description When it was last broadcast; null before.
       */
      broadcastAt: string | null
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
        | 'INVALID_PASSKEY'
        | 'INVALID_INVITATION'
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
        | 'WITHDRAWAL_NOT_REPLACEABLE'
        | 'WITHDRAWAL_BELOW_MINIMUM'
        | 'WITHDRAWAL_ABOVE_MAXIMUM'
        | 'INVALID_WEBHOOK_URL'
        | 'INVALID_MIN_SIGNERS'
        | 'LAST_ADMIN'
        | 'PASSKEYS_NOT_CONFIGURED'
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
export type Alert = components['schemas']['Alert']
export type ApiKey = components['schemas']['ApiKey']
export type ApiKeyChange = components['schemas']['ApiKeyChange']
export type ApiKeyRequest = components['schemas']['ApiKeyRequest']
export type ApiKeyRotation = components['schemas']['ApiKeyRotation']
export type ApprovalRequest = components['schemas']['ApprovalRequest']
export type ApprovalsRequest = components['schemas']['ApprovalsRequest']
export type AssignmentRequest = components['schemas']['AssignmentRequest']
export type AuditEntry = components['schemas']['AuditEntry']
export type AuditVerification = components['schemas']['AuditVerification']
export type BalanceEvent = components['schemas']['BalanceEvent']
export type CancelledWithdrawal = components['schemas']['CancelledWithdrawal']
export type Chain = components['schemas']['Chain']
export type ChainFrozenEvent = components['schemas']['ChainFrozenEvent']
export type ChainStatus = components['schemas']['ChainStatus']
export type ChainSwitchRequest = components['schemas']['ChainSwitchRequest']
export type CodeRequest = components['schemas']['CodeRequest']
export type DayStats = components['schemas']['DayStats']
export type DeliveryAttempt = components['schemas']['DeliveryAttempt']
export type Deposit = components['schemas']['Deposit']
export type DepositEvent = components['schemas']['DepositEvent']
export type DepositNotification = components['schemas']['DepositNotification']
export type DepositSweep = components['schemas']['DepositSweep']
export type EligibleApprover = components['schemas']['EligibleApprover']
export type EndpointDelivery = components['schemas']['EndpointDelivery']
export type EndpointTest = components['schemas']['EndpointTest']
export type EstimateRequest = components['schemas']['EstimateRequest']
export type EstimateWarning = components['schemas']['EstimateWarning']
export type EstimatedBalance = components['schemas']['EstimatedBalance']
export type EstimatedFee = components['schemas']['EstimatedFee']
export type EventCount = components['schemas']['EventCount']
export type EventDelivery = components['schemas']['EventDelivery']
export type GasLowEvent = components['schemas']['GasLowEvent']
export type GasWallet = components['schemas']['GasWallet']
export type Health = components['schemas']['Health']
export type LedgerEntry = components['schemas']['LedgerEntry']
export type LoginRequest = components['schemas']['LoginRequest']
export type MinHumansRequest = components['schemas']['MinHumansRequest']
export type MinSignersRequest = components['schemas']['MinSignersRequest']
export type NewApiKey = components['schemas']['NewApiKey']
export type NewSigningSecret = components['schemas']['NewSigningSecret']
export type Organization = components['schemas']['Organization']
export type Passkey = components['schemas']['Passkey']
export type PasskeyCreation = components['schemas']['PasskeyCreation']
export type PasskeyCredential = components['schemas']['PasskeyCredential']
export type PasskeyDescriptor = components['schemas']['PasskeyDescriptor']
export type PasskeyRequest = components['schemas']['PasskeyRequest']
export type PaymentTrace = components['schemas']['PaymentTrace']
export type Person = components['schemas']['Person']
export type PortfolioEntry = components['schemas']['PortfolioEntry']
export type Profile = components['schemas']['Profile']
export type Readiness = components['schemas']['Readiness']
export type RedeliveryCount = components['schemas']['RedeliveryCount']
export type RedeliveryRequest = components['schemas']['RedeliveryRequest']
export type RefusedApproval = components['schemas']['RefusedApproval']
export type RejectionRequest = components['schemas']['RejectionRequest']
export type Session = components['schemas']['Session']
export type SettingsChangedEvent = components['schemas']['SettingsChangedEvent']
export type SingleDeposit = components['schemas']['SingleDeposit']
export type SingleEvent = components['schemas']['SingleEvent']
export type SingleWithdrawal = components['schemas']['SingleWithdrawal']
export type SpeedUp = components['schemas']['SpeedUp']
export type StatementLine = components['schemas']['StatementLine']
export type StoredEvent = components['schemas']['StoredEvent']
export type Sweep = components['schemas']['Sweep']
export type Token = components['schemas']['Token']
export type TokenSummary = components['schemas']['TokenSummary']
export type TokenSwitchRequest = components['schemas']['TokenSwitchRequest']
export type TraceStep = components['schemas']['TraceStep']
export type TracedPayment = components['schemas']['TracedPayment']
export type UnattributedPayment = components['schemas']['UnattributedPayment']
export type WebhookEndpoint = components['schemas']['WebhookEndpoint']
export type WebhookRequest = components['schemas']['WebhookRequest']
export type WebhookTestEvent = components['schemas']['WebhookTestEvent']
export type Withdrawal = components['schemas']['Withdrawal']
export type WithdrawalApproval = components['schemas']['WithdrawalApproval']
export type WithdrawalCancellation = components['schemas']['WithdrawalCancellation']
export type WithdrawalEstimate = components['schemas']['WithdrawalEstimate']
export type WithdrawalEvent = components['schemas']['WithdrawalEvent']
export type WithdrawalRequest = components['schemas']['WithdrawalRequest']
export type WithdrawalReview = components['schemas']['WithdrawalReview']
export type WithdrawalTransaction = components['schemas']['WithdrawalTransaction']
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
  postInvitation: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description The token of an invitation. */
          token: string
        }
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
            /** @description The name to sign in with. */
            username: string
            /** @description The role of the person. */
            role: string
            organization: {
              /** @description The organization. */
              id: string
              /** @description Its name. */
              name: string
            }
            /**
             * Format: date-time
             * @description Until when the invitation can be accepted.
             */
            expiresAt: string
            /** @description The TOTP secret to enrol, in base32. */
            totpSecret: string
            /** @description The same as an authenticator app reads it from a QR code. */
            otpauthUrl: string
          }
        }
      }
    }
  }
  postInvitationAccept: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description The token of an invitation. */
          token: string
          /** @description The new password: 12 to 256 characters. */
          password: string
          /** @description A one-time code: six digits of an authenticator app. Each code works once. */
          totpCode: string
        }
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
            /** @description Ten codes for sign-in without the authenticator. They are shown only once. */
            recoveryCodes: string[]
            /** @description A JWT: the bearer token of the session. */
            accessToken: string
            /** @description Lifetime in seconds. */
            expiresIn: number
          }
        }
      }
    }
  }
  patchPassword: {
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
        'application/json': {
          /**
           * Format: password
           * @description The password.
           */
          currentPassword: string
          /** @description The new password: 12 to 256 characters. */
          newPassword: string
          /** @description A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
          totpCode?: string
        }
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
  postTotp: {
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
          'application/json': {
            /** @description The TOTP secret to enrol, in base32. */
            totpSecret: string
            /** @description The same as an authenticator app reads it from a QR code. */
            otpauthUrl: string
          }
        }
      }
    }
  }
  postTotpConfirm: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description A one-time code: six digits of an authenticator app. Each code works once. */
          totpCode: string
        }
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
  postRecoveryCodes: {
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
          'application/json': {
            /** @description Ten codes for sign-in without the authenticator. They are shown only once. */
            recoveryCodes: string[]
          }
        }
      }
    }
  }
  getSessions: {
    parameters: {
      query?: {
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
            sessions: components['schemas']['Session'][]
            /** @description The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the list is complete. */
            nextCursor?: string | null
          }
        }
      }
    }
  }
  deleteSession: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of a session. */
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
          'application/json': Record<string, never>
        }
      }
    }
  }
  postLogout: {
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
          'application/json': Record<string, never>
        }
      }
    }
  }
  getPasskeys: {
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
            passkeys: components['schemas']['Passkey'][]
            /** @description The origin of the dashboard; null if passkeys are not set up. */
            origin: string | null
          }
        }
      }
    }
  }
  postPasskeys: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description A name of 1 to 100 characters, not only white space. */
          name: string
          credential: components['schemas']['PasskeyCredential']
        }
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
            passkey: components['schemas']['Passkey']
          }
        }
      }
    }
  }
  postPasskeyOptions: {
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
          'application/json': components['schemas']['PasskeyCreation']
        }
      }
    }
  }
  deletePasskey: {
    parameters: {
      query?: never
      header?: {
        /** @description A fresh one-time code of the user (bearer token), unless the body has it; an API key needs no code. */
        'x-totp-code'?: string
      }
      path: {
        /** @description The id of one of your passkeys. */
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
          'application/json': Record<string, never>
        }
      }
    }
  }
  patchPasskey: {
    parameters: {
      query?: never
      header?: {
        /** @description A fresh one-time code of the user (bearer token), unless the body has it; an API key needs no code. */
        'x-totp-code'?: string
      }
      path: {
        /** @description The id of one of your passkeys. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description A name of 1 to 100 characters, not only white space. */
          name: string
          /** @description A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
          totpCode?: string
        }
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
            passkey: components['schemas']['Passkey']
          }
        }
      }
    }
  }
  getWithdrawalPasskeyOptions: {
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
          'application/json': components['schemas']['PasskeyRequest']
        }
      }
    }
  }
  getUsers: {
    parameters: {
      query?: {
        /** @description Only people whose `username` contains this text, in any case, or with this `id`. */
        q?: string
        /** @description Only people with this role. */
        role?: 'viewer' | 'operator' | 'approver' | 'admin'
        /** @description Only people in this status. */
        status?: 'invited' | 'active' | 'disabled'
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
            users: components['schemas']['Person'][]
            /** @description The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the list is complete. */
            nextCursor?: string | null
          }
          'text/csv': string
          'application/x-ndjson': string
        }
      }
    }
  }
  postUsers: {
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
        'application/json': {
          /** @description The name that the person signs in with. */
          username: string
          /**
           * @description The role of the person.
           * @enum {string}
           */
          role: 'viewer' | 'operator' | 'approver' | 'admin'
          /** @description A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
          totpCode?: string
        }
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
            user: components['schemas']['Person']
            invitation: {
              /** @description The token of the invitation. It is shown only once: the service stores a hash. */
              token: string
              /**
               * Format: date-time
               * @description Until when it can be accepted: 72 hours.
               */
              expiresAt: string
            }
          }
        }
      }
    }
  }
  getUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of a user of the organization. */
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
            user: components['schemas']['Person']
          }
        }
      }
    }
  }
  patchUser: {
    parameters: {
      query?: never
      header?: {
        /** @description A fresh one-time code of the user (bearer token), unless the body has it; an API key needs no code. */
        'x-totp-code'?: string
      }
      path: {
        /** @description The id of a user of the organization. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description The new role.
           * @enum {string}
           */
          role?: 'viewer' | 'operator' | 'approver' | 'admin'
          /** @description Whether the person may not sign in or approve. */
          disabled?: boolean
          /** @description A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
          totpCode?: string
        }
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
            user: components['schemas']['Person']
          }
        }
      }
    }
  }
  postUserReset: {
    parameters: {
      query?: never
      header?: {
        /** @description A fresh one-time code of the user (bearer token), unless the body has it; an API key needs no code. */
        'x-totp-code'?: string
      }
      path: {
        /** @description The id of a user of the organization. */
        id: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': {
          /** @description A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
          totpCode?: string
        }
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
            user: components['schemas']['Person']
            invitation: {
              /** @description The token of the invitation. It is shown only once: the service stores a hash. */
              token: string
              /**
               * Format: date-time
               * @description Until when it can be accepted: 72 hours.
               */
              expiresAt: string
            }
          }
        }
      }
    }
  }
  deleteUserInvitation: {
    parameters: {
      query?: never
      header?: {
        /** @description A fresh one-time code of the user (bearer token), unless the body has it; an API key needs no code. */
        'x-totp-code'?: string
      }
      path: {
        /** @description The id of a user of the organization. */
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
            user: components['schemas']['Person']
          }
        }
      }
    }
  }
  getApiKeys: {
    parameters: {
      query?: {
        /** @description Only keys whose `name` contains this text, in any case, or with this `lastFour` or `id`. */
        q?: string
        /** @description Only keys with this scope. */
        scope?: 'read' | 'deposits' | 'withdrawals' | 'configure'
        /** @description Only keys in this status. */
        status?: 'active' | 'expired' | 'revoked'
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
            apiKeys: components['schemas']['ApiKey'][]
            /** @description The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the list is complete. */
            nextCursor?: string | null
          }
          'text/csv': string
          'application/x-ndjson': string
        }
      }
    }
  }
  postApiKey: {
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
        'application/json': components['schemas']['ApiKeyRequest']
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
            apiKey: components['schemas']['ApiKey']
            /** @description The key. It is shown only once: the service stores a hash of it. */
            key: string
          }
        }
      }
    }
  }
  deleteApiKey: {
    parameters: {
      query?: never
      header?: {
        /** @description A fresh one-time code of the user (bearer token), unless the body has it; an API key needs no code. */
        'x-totp-code'?: string
      }
      path: {
        /** @description The id of an API key. */
        id: string
      }
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
          'application/json': {
            apiKey: components['schemas']['ApiKey']
          }
        }
      }
    }
  }
  patchApiKeyTerms: {
    parameters: {
      query?: never
      header?: {
        /** @description A fresh one-time code of the user (bearer token), unless the body has it; an API key needs no code. */
        'x-totp-code'?: string
      }
      path: {
        /** @description The id of an API key. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ApiKeyChange']
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
            apiKey: components['schemas']['ApiKey']
          }
        }
      }
    }
  }
  postApiKeyRotate: {
    parameters: {
      query?: never
      header?: {
        /** @description A fresh one-time code of the user (bearer token), unless the body has it; an API key needs no code. */
        'x-totp-code'?: string
      }
      path: {
        /** @description The id of an API key. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ApiKeyRotation']
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
            apiKey: components['schemas']['ApiKey']
            /** @description The key. It is shown only once: the service stores a hash of it. */
            key: string
          }
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
  patchMinHumanApprovals: {
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
        'application/json': components['schemas']['MinHumansRequest']
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
        /** @description Only deposits whose `id`, `externalUserId`, `txnHash` or deposit address equals this text. An X-address with a tag (XRPL) selects the account of that tag. */
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
          'text/csv': string
          'application/x-ndjson': string
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
        /** @description Only deposits whose `id`, `externalUserId`, `txnHash` or deposit address equals this text. An X-address with a tag (XRPL) selects the account of that tag. */
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
          'text/csv': string
          'application/x-ndjson': string
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
          'text/csv': string
          'application/x-ndjson': string
        }
      }
    }
  }
  getDeposit: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of a deposit. */
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
            deposit: components['schemas']['SingleDeposit']
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
          'text/csv': string
          'application/x-ndjson': string
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
  getWithdrawalWarnings: {
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
          'application/json': components['schemas']['WithdrawalReview']
        }
      }
    }
  }
  postWithdrawalSpeedUp: {
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
      /** @description Accepted; it is done later. */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            withdrawal: components['schemas']['Withdrawal']
            speedUp: components['schemas']['SpeedUp']
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
  patchOrganisationChain: {
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
        'application/json': components['schemas']['ChainSwitchRequest']
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
            chain: components['schemas']['Chain']
          }
        }
      }
    }
  }
  patchOrganisationToken: {
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
        'application/json': components['schemas']['TokenSwitchRequest']
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
            token: components['schemas']['Token']
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
  getStatement: {
    parameters: {
      query: {
        /** @description The month in UTC: YYYY-MM. */
        month: string
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
            /** @description The month in UTC: YYYY-MM. */
            month: string
            /**
             * Format: date-time
             * @description The beginning of the month.
             */
            from: string
            /**
             * Format: date-time
             * @description The end of the month, exclusive.
             */
            to: string
            /** @description Whether the month has ended; otherwise `closing` is the current balance. */
            isComplete: boolean
            statement: components['schemas']['StatementLine'][]
          }
          'text/csv': string
          'application/x-ndjson': string
        }
      }
    }
  }
  getStats: {
    parameters: {
      query?: {
        /** @description Only records created at this time or later. ISO 8601; a date alone means midnight UTC. */
        from?: string
        /** @description Only records created at this time or earlier. ISO 8601; a date alone means midnight UTC. */
        to?: string
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
            stats: components['schemas']['DayStats'][]
          }
          'text/csv': string
          'application/x-ndjson': string
        }
      }
    }
  }
  getEvents: {
    parameters: {
      query?: {
        /** @description Only events with a higher `sequence`, oldest first: the feed of all events, without gaps. Send the last `sequence` that you processed. */
        after?: number
        /** @description How many seconds the request waits for a matching event with a higher `sequence` than `after`, if there is none yet; it needs `after`. The list is empty if none was emitted. The answer may come early and empty, for example when the service stops or too many requests wait: pause for a second before you ask again. A changed `delivery` does not end the wait. */
        wait?: number
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
        /** @description Only events of this record: the id of a deposit, withdrawal, account, chain or organization. */
        subjectId?: string
        /** @description Only records created at this time or later. ISO 8601; a date alone means midnight UTC. */
        from?: string
        /** @description Only records created at this time or earlier. ISO 8601; a date alone means midnight UTC. */
        to?: string
        /** @description Only events whose delivery is in this state. */
        delivery?: 'none' | 'pending' | 'delivered' | 'failed'
        /** @description The webhook endpoint whose deliveries are shown and filtered. By default the default one. */
        endpointId?: string
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
          'text/csv': string
          'application/x-ndjson': string
        }
      }
    }
  }
  getEventsCount: {
    parameters: {
      query?: {
        /** @description Only events with a higher `sequence`; 0 for all. */
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
        /** @description Only events of this record: the id of a deposit, withdrawal, account, chain or organization. */
        subjectId?: string
        /** @description Only records created at this time or later. ISO 8601; a date alone means midnight UTC. */
        from?: string
        /** @description Only records created at this time or earlier. ISO 8601; a date alone means midnight UTC. */
        to?: string
        /** @description Only events whose delivery is in this state. */
        delivery?: 'none' | 'pending' | 'delivered' | 'failed'
        /** @description The webhook endpoint whose deliveries are shown and filtered. By default the default one. */
        endpointId?: string
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
            eventCount: components['schemas']['EventCount']
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
      query?: {
        /** @description The webhook endpoint that it is sent to. By default the default one. */
        endpointId?: string
      }
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
  getWebhookEndpoints: {
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
            endpoints: components['schemas']['WebhookEndpoint'][]
          }
        }
      }
    }
  }
  postWebhookEndpoint: {
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
        'application/json': {
          /**
           * Format: uri
           * @description A public HTTPS URL of at most 2048 characters.
           */
          url: string
          /** @description The event types that it receives, without duplicates; null for all. */
          eventTypes?:
            | (
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
              )[]
            | null
          /** @description A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
          totpCode?: string
        }
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
            endpoint: components['schemas']['WebhookEndpoint']
            /** @description Signs its deliveries. Returned once: store it in the receiver. */
            signingSecret: string
          }
        }
      }
    }
  }
  getWebhookEndpoint: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of a webhook endpoint. */
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
            endpoint: components['schemas']['WebhookEndpoint']
          }
        }
      }
    }
  }
  deleteWebhookEndpoint: {
    parameters: {
      query?: never
      header?: {
        /** @description A fresh one-time code of the user (bearer token), unless the body has it; an API key needs no code. */
        'x-totp-code'?: string
      }
      path: {
        /** @description The id of a webhook endpoint. */
        id: string
      }
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
          'application/json': Record<string, never>
        }
      }
    }
  }
  patchWebhookEndpoint: {
    parameters: {
      query?: never
      header?: {
        /** @description A fresh one-time code of the user (bearer token), unless the body has it; an API key needs no code. */
        'x-totp-code'?: string
      }
      path: {
        /** @description The id of a webhook endpoint. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * Format: uri
           * @description A public HTTPS URL of at most 2048 characters.
           */
          url?: string
          /** @description The event types that it receives, without duplicates; null for all. */
          eventTypes?:
            | (
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
              )[]
            | null
          /** @description Whether its deliveries wait. They are sent after it is resumed. */
          isPaused?: boolean
          /** @description A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an API key needs none. */
          totpCode?: string
        }
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
            endpoint: components['schemas']['WebhookEndpoint']
          }
        }
      }
    }
  }
  postWebhookEndpointSecret: {
    parameters: {
      query?: never
      header?: {
        /** @description A fresh one-time code of the user (bearer token), unless the body has it; an API key needs no code. */
        'x-totp-code'?: string
      }
      path: {
        /** @description The id of a webhook endpoint. */
        id: string
      }
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
          'application/json': {
            /** @description Signs its deliveries. Returned once: store it in the receiver. */
            signingSecret: string
          }
        }
      }
    }
  }
  postWebhookEndpointTest: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of a webhook endpoint. */
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
            test: components['schemas']['EndpointTest']
          }
        }
      }
    }
  }
  getSweeps: {
    parameters: {
      query?: {
        /** @description A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them. */
        chainId?: string
        /** @description Only this token: its token id (CAIP-19). */
        tokenId?: string
        /** @description Only sweeps in this status. */
        status?: 'Waiting' | 'Sent' | 'Done' | 'Failed'
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
            sweeps: components['schemas']['Sweep'][]
            /** @description The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the list is complete. */
            nextCursor?: string | null
          }
          'text/csv': string
          'application/x-ndjson': string
        }
      }
    }
  }
  getUnattributed: {
    parameters: {
      query?: {
        /** @description A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them. */
        chainId?: string
        /** @description Only payments in this status. */
        status?: 'Waiting' | 'Proposed' | 'Assigned'
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
            unattributed: components['schemas']['UnattributedPayment'][]
            /** @description The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the list is complete. */
            nextCursor?: string | null
          }
          'text/csv': string
          'application/x-ndjson': string
        }
      }
    }
  }
  postUnattributedAssign: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of a payment without a known tag. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['AssignmentRequest']
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
            unattributed: components['schemas']['UnattributedPayment']
          }
        }
      }
    }
  }
  getLedgerEntries: {
    parameters: {
      query?: {
        /** @description A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them. */
        chainId?: string
        /** @description Only this token: its token id (CAIP-19). */
        tokenId?: string
        /** @description Only postings that debit or credit this claim, or a place of this kind. */
        account?:
          | 'claim:unconfirmed'
          | 'claim:available'
          | 'claim:reserved'
          | 'claim:below_minimum'
          | 'claim:held'
          | 'claim:unattributed'
          | 'claim:gas'
          | 'place:deposits'
          | 'place:settlement'
          | 'place:gas'
        /** @description Only postings of this record: the id of a deposit, withdrawal or sweep. */
        referenceId?: string
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
            ledgerEntries: components['schemas']['LedgerEntry'][]
            /** @description The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the list is complete. */
            nextCursor?: string | null
          }
          'text/csv': string
          'application/x-ndjson': string
        }
      }
    }
  }
  getAlerts: {
    parameters: {
      query?: {
        /** @description Only open alerts, or only resolved ones; both by default. */
        open?: boolean
        /** @description Only alerts with this code. */
        code?: string
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
            alerts: components['schemas']['Alert'][]
            /** @description The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the list is complete. */
            nextCursor?: string | null
          }
          'text/csv': string
          'application/x-ndjson': string
        }
      }
    }
  }
  getAlert: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of an alert. */
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
            alert: components['schemas']['Alert']
          }
        }
      }
    }
  }
  postAlertAcknowledge: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of an alert. */
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
            alert: components['schemas']['Alert']
          }
        }
      }
    }
  }
  getAuditLog: {
    parameters: {
      query?: {
        /** @description Only entries of this `actor`, such as `user:<id>`. */
        actor?: string
        /** @description Only entries of this `action`. */
        action?: string
        /** @description Only entries about this `object`. */
        object?: string
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
            entries: components['schemas']['AuditEntry'][]
            /** @description The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the list is complete. */
            nextCursor?: string | null
          }
          'text/csv': string
          'application/x-ndjson': string
        }
      }
    }
  }
  getAuditLogVerification: {
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
            verification: components['schemas']['AuditVerification']
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
  postInvitation: ['POST', '/auth/invitation'],
  postInvitationAccept: ['POST', '/auth/invitation/accept'],
  patchPassword: ['PATCH', '/auth/password'],
  postTotp: ['POST', '/auth/totp'],
  postTotpConfirm: ['POST', '/auth/totp/confirm'],
  postRecoveryCodes: ['POST', '/auth/recovery-codes'],
  getSessions: ['GET', '/auth/sessions'],
  deleteSession: ['DELETE', '/auth/sessions/{id}'],
  postLogout: ['POST', '/auth/logout'],
  getPasskeys: ['GET', '/auth/passkeys'],
  postPasskeys: ['POST', '/auth/passkeys'],
  postPasskeyOptions: ['POST', '/auth/passkeys/options'],
  patchPasskey: ['PATCH', '/auth/passkeys/{id}'],
  deletePasskey: ['DELETE', '/auth/passkeys/{id}'],
  getWithdrawalPasskeyOptions: ['GET', '/withdrawals/{id}/passkey-options'],
  getUsers: ['GET', '/users'],
  postUsers: ['POST', '/users'],
  getUser: ['GET', '/users/{id}'],
  patchUser: ['PATCH', '/users/{id}'],
  postUserReset: ['POST', '/users/{id}/reset'],
  deleteUserInvitation: ['DELETE', '/users/{id}/invitation'],
  getApiKeys: ['GET', '/api-keys'],
  postApiKey: ['POST', '/api-keys'],
  patchApiKeyTerms: ['PATCH', '/api-keys/{id}'],
  deleteApiKey: ['DELETE', '/api-keys/{id}'],
  postApiKeyRotate: ['POST', '/api-keys/{id}/rotate'],
  getOrganisation: ['GET', '/organisation'],
  patchWebhook: ['PATCH', '/organisation/webhook'],
  patchSigningSecret: ['PATCH', '/organisation/webhook/signing-secret'],
  patchMinWithdrawalSigners: ['PATCH', '/organisation/min-withdrawal-signers'],
  patchMinHumanApprovals: ['PATCH', '/organisation/min-human-approvals'],
  getDepositAddress: ['GET', '/payments/deposit-address'],
  getPayments: ['GET', '/payments'],
  getUserDeposits: ['GET', '/payments/{userId}/deposits'],
  getAccounts: ['GET', '/accounts'],
  getDeposit: ['GET', '/deposits/{id}'],
  getPaymentsTrace: ['GET', '/payments/trace'],
  getWithdrawals: ['GET', '/withdrawals'],
  postWithdrawals: ['POST', '/withdrawals'],
  postWithdrawalsEstimate: ['POST', '/withdrawals/estimate'],
  getWithdrawal: ['GET', '/withdrawals/{id}'],
  deleteWithdrawal: ['DELETE', '/withdrawals/{id}'],
  getWithdrawalWarnings: ['GET', '/withdrawals/{id}/warnings'],
  postWithdrawalSpeedUp: ['POST', '/withdrawals/{id}/speed-up'],
  postWithdrawalApprove: ['POST', '/withdrawals/{id}/approve'],
  postWithdrawalReject: ['POST', '/withdrawals/{id}/reject'],
  postWithdrawalsApprove: ['POST', '/withdrawals/approve'],
  getChains: ['GET', '/chains'],
  getChainsStatus: ['GET', '/chains/status'],
  getChain: ['GET', '/chains/{id}'],
  getTokens: ['GET', '/tokens'],
  patchOrganisationChain: ['PATCH', '/organisation/chains'],
  patchOrganisationToken: ['PATCH', '/organisation/tokens'],
  getGasStation: ['GET', '/gas-station'],
  getPortfolio: ['GET', '/portfolio'],
  getStatement: ['GET', '/reports/statement'],
  getStats: ['GET', '/stats'],
  getEvents: ['GET', '/events'],
  getEventsCount: ['GET', '/events/count'],
  getEvent: ['GET', '/events/{id}'],
  postEventRedeliver: ['POST', '/events/{id}/redeliver'],
  postEventsRedeliver: ['POST', '/events/redeliver'],
  postWebhookTest: ['POST', '/organisation/webhook/test'],
  getWebhookEndpoints: ['GET', '/webhook-endpoints'],
  postWebhookEndpoint: ['POST', '/webhook-endpoints'],
  getWebhookEndpoint: ['GET', '/webhook-endpoints/{id}'],
  patchWebhookEndpoint: ['PATCH', '/webhook-endpoints/{id}'],
  deleteWebhookEndpoint: ['DELETE', '/webhook-endpoints/{id}'],
  postWebhookEndpointSecret: ['POST', '/webhook-endpoints/{id}/secret'],
  postWebhookEndpointTest: ['POST', '/webhook-endpoints/{id}/test'],
  getSweeps: ['GET', '/sweeps'],
  getUnattributed: ['GET', '/unattributed'],
  postUnattributedAssign: ['POST', '/unattributed/{id}/assign'],
  getLedgerEntries: ['GET', '/ledger-entries'],
  getAlerts: ['GET', '/alerts'],
  getAlert: ['GET', '/alerts/{id}'],
  postAlertAcknowledge: ['POST', '/alerts/{id}/acknowledge'],
  getAuditLog: ['GET', '/audit-log'],
  getAuditLogVerification: ['GET', '/audit-log/verification'],
  getHealth: ['GET', '/healthz'],
  getReadiness: ['GET', '/readyz'],
} as const
