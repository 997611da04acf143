import { openVerifier } from '../../src/app/seal-loop.ts'
import { reportDrift } from '../../src/app/audit-loop.ts'
import { checkAccounts } from '../../src/accounts/check.ts'
import { confirmTransfers } from '../../src/deposits/confirm.ts'
import { listDeposits } from '../../src/deposits/list.ts'
import type { ServiceKey } from '../../src/keys/service-key.ts'
import { changeApiKey, rotateApiKey } from '../../src/orgs/change-api-key.ts'
import { DEFAULT_TERMS, createApiKey } from '../../src/orgs/create-api-key.ts'
import { disableUser } from '../../src/orgs/change-user.ts'
import { inviteUser } from '../../src/orgs/invite-user.ts'
import { renewRecoveryCodes, useRecoveryCode } from '../../src/orgs/recovery-codes.ts'
import { resetCredentials } from '../../src/orgs/reset-credentials.ts'
import { withSession } from '../../src/store/connection.ts'
import { takeLease } from '../../src/store/lease.ts'
import { processWithdrawals } from '../../src/withdrawals/pay/process.ts'
import { pendingThresholds } from '../../src/withdrawals/approve/pending-thresholds.ts'
import { SeededRandom } from '../support/clock.ts'
import { type Answered, TIP, entryOf } from '../support/door.ts'
import { sealEverything } from '../support/audit-log.ts'
import { logInAt } from '../support/sign-in.ts'
import { CHAIN, type Desk, TOKEN, idIn, openDesk, type Signer } from '../support/withdrawal-desk.ts'

/** The roles of the database, and the thief who has one of them. */
export type Role = 'sluice_api' | 'sluice_engine' | 'sluice_owner'

/** A payment that reached the nodes. */
export interface Outward {
  txnHash: string
  to: string
  amount: bigint
}

/** The withdrawals that exist before the attack. */
export interface Withdrawals {
  /** Paid and settled. */
  paid: string
  /** Has one of two approvals. */
  waiting: string
  /** Has both approvals, and is not signed yet. */
  pending: string
  cancelled: string
}

/** Rows before their change, as JSON. */
interface Kept {
  organization: string
  /** Of a user who was disabled afterwards. */
  carl: string
  /** Of a user whose password and one-time secret were replaced afterwards. */
  ann: string
  /** Of an API key that was revoked afterwards. */
  key: string
  /** Of an invitation that was replaced afterwards. */
  invitation: string
  /** An array of all recovery codes of ben, one of which was used afterwards. */
  recoveryCodes: string
  /** Of an API key whose limits were narrowed afterwards. */
  narrowed: string
}

/** A viewer who has not accepted, with the token of the replaced invitation and of the open one. */
interface Invitee {
  id: string
  oldToken: string
  token: string
}

export const RECIPIENTS = {
  paid: `0x${'a1'.repeat(20)}`,
  waiting: `0x${'b2'.repeat(20)}`,
  pending: `0x${'c3'.repeat(20)}`,
  cancelled: `0x${'d4'.repeat(20)}`,
  thief: `0x${'e5'.repeat(20)}`,
} as const

/** End users with a deposit address each; `ann` has an unconfirmed deposit. */
export const DEPOSITORS = ['ann', 'bob'] as const
type Depositor = (typeof DEPOSITORS)[number]

export const AMOUNTS = { paid: 60n, waiting: 50n, pending: 40n, cancelled: 30n } as const

/**
 * A small installation with money, users and withdrawals in every state, and its outgoing payments.
 */
export class Scene {
  readonly desk: Desk
  readonly ids: Withdrawals
  readonly kept: Kept
  readonly people: { ann: Signer; ben: Signer; carl: Signer }
  /** The revoked key, its replacement, and a key that may only read, from elsewhere. */
  readonly keys: { old: string; live: string; narrowed: string }
  readonly invited: Invitee
  /** A recovery code of ben. */
  readonly usedCode: string
  readonly outward: Outward[]
  /** The deposit address of each end user, as issued by the service. */
  readonly addresses: Readonly<Record<Depositor, string>>

  constructor(desk: Desk, made: Made) {
    this.desk = desk
    this.ids = made.ids
    this.kept = made.kept
    this.people = made.people
    this.keys = made.keys
    this.invited = made.invited
    this.usedCode = made.usedCode
    this.outward = made.outward
    this.addresses = made.addresses
  }

  get orgId(): string {
    return this.desk.orgId
  }

  get serviceKey(): ServiceKey {
    return this.desk.serviceKey
  }

  /** Runs statements with the rights of a role, in one transaction. */
  async steal(role: Role, statements: string): Promise<void> {
    await withSession(this.desk.door.harness.adminUrl, (session) =>
      session.script(
        `begin; set local role ${role}; set local sluice.org_id = '${this.orgId}'; ` +
          `${statements}; commit`,
      ),
    )
  }

  /** Two rounds of the spender. */
  async spend(): Promise<void> {
    for (let round = 0; round < 2; round += 1) await tick(this.desk, this.outward)
  }

  /** Runs one round of the role `audit`. */
  async audit(): Promise<void> {
    const { database, clock } = this.desk.door.harness
    await reportDrift({ database }, this.serviceKey)
    const { catalogue } = this.desk.door.deps
    await checkAccounts({ database, catalogue, serviceKey: this.serviceKey })
    const wanted = { name: 'audit-log', holder: 'thief', ttlMs: 60_000 }
    const lease = await takeLease(database, wanted)
    if (lease === null) throw new Error('the lease is taken')
    const verify = openVerifier({ database, clock, serviceKey: this.serviceKey }, lease)
    await verify(new AbortController().signal)
    await clock.advance(120_000)
  }

  create(to: string, amount: bigint, key = this.keys.live): Promise<Answered> {
    return this.desk.create({ recipient: to, amount: String(amount) }, { key })
  }

  read(path: string): Promise<Answered> {
    return this.desk.door.ask(path, { key: this.keys.live })
  }

  askAddress(user: string): Promise<Answered> {
    return askAddress(this.desk, user, this.keys.live)
  }

  /** Pays each end user 5, and confirms every deposit that the service accepts. */
  async receive(): Promise<void> {
    const { door, database, orgId } = this.desk
    for (const user of DEPOSITORS) await door.pay(this.addresses[user], [5n])
    const { catalogue } = door.deps
    const tip = { height: TIP + 100, hash: '0x00' }
    const asked = { orgId, filter: { status: 'Detected' }, after: null, limit: 100 } as const
    await database.transaction(async (tx) => {
      const deposits = await listDeposits(tx, asked)
      const verdict = { credit: true } as const
      const judged = deposits.map((transfer) => ({ transfer, verdict }))
      const { serviceKey } = this
      await confirmTransfers(tx, { serviceKey, catalogue, entry: entryOf(CHAIN), tip, judged })
    })
  }

  /** The credited amounts, by the user of the deposit and the user of its address. */
  async credited(): Promise<{ to: string; paidTo: string; amount: bigint }[]> {
    const { database, orgId } = this.desk
    const asked = { orgId, filter: { status: 'Confirmed' }, after: null, limit: 100 } as const
    const deposits = await database.transaction((tx) => listDeposits(tx, asked))
    return deposits.map(({ externalUserId: to, address, amount }) => {
      const owner = DEPOSITORS.find((user) => this.addresses[user].toLowerCase() === address)
      return { to, paidTo: owner ?? '', amount }
    })
  }

  logIn(who: Signer, credentials: { password?: string; totpCode: string }): Promise<Answered> {
    const { username, password } = who
    return logInAt(this.desk.door, { username, password, ...credentials })
  }
}

type Made = Pick<
  Scene,
  'ids' | 'kept' | 'people' | 'keys' | 'invited' | 'usedCode' | 'outward' | 'addresses'
>

export async function openScene(): Promise<Scene> {
  const desk = await openDesk()
  const { database } = desk.door.harness
  await desk.fund(1_000n)
  await desk.addGas(10n ** 9n)
  const outward: Outward[] = []
  const people = { ann: await desk.signer(), ben: await desk.signer(), carl: await desk.signer() }
  const addresses = { ann: await issued(desk, 'ann'), bob: await issued(desk, 'bob') }
  await desk.door.pay(addresses.ann, [3n])
  const paid = await created(desk, 'paid')
  await tick(desk, outward)
  await desk.settle(paid, true)
  const random = new SeededRandom('scene')
  const by = { actor: 'cli:test', random }
  const { serviceKey, orgId } = desk
  const before = await database.transaction((tx) =>
    inviteUser(tx, serviceKey, { ...by, orgId, username: 'invited', role: 'viewer' }),
  )
  const [usedCode = ''] = await database
    .transaction((tx) =>
      renewRecoveryCodes(tx, serviceKey, { orgId, userId: people.ben.userId, random }),
    )
    .then((codes) => codes.map((code) => code.reveal()))
  const narrowed = await database.transaction((tx) =>
    createApiKey(tx, desk.serviceKey, { orgId: desk.orgId, terms: DEFAULT_TERMS, ...by }),
  )
  const kept = await keepRows(desk, { ...people, invited: before.user.id }, narrowed.apiKey.id)
  const { invitation } = await database.transaction((tx) =>
    resetCredentials(tx, serviceKey, { ...by, user: before.user.id }),
  )
  const tokens = { oldToken: before.invitation.token.reveal(), token: invitation.token.reveal() }
  const invited = { id: before.user.id, ...tokens }
  const { userId } = people.ben
  await database.transaction((tx) =>
    useRecoveryCode(tx, serviceKey, { orgId, userId, code: usedCode }),
  )
  await desk.threshold(2)
  const waiting = await created(desk, 'waiting')
  const pending = await created(desk, 'pending')
  await people.ben.approve(pending)
  const cancelled = await created(desk, 'cancelled')
  await desk.door.ask(`/withdrawals/${cancelled}/cancel`, { method: 'POST' })
  const live = await database.transaction(async (tx) => {
    const { ann, carl } = people
    await disableUser(tx, desk.serviceKey, { ...by, user: carl.userId }, pendingThresholds)
    await resetCredentials(tx, desk.serviceKey, { ...by, user: ann.userId })
    const { id } = narrowed.apiKey
    const terms = { scopes: ['read'], networks: ['203.0.113.0/24'] } as const
    await changeApiKey(tx, desk.serviceKey, { orgId: desk.orgId, id, terms, ...by })
    return rotateApiKey(tx, desk.serviceKey, { orgId: desk.orgId, ...by })
  })
  const keys = {
    old: desk.door.a.key,
    live: live.reveal(),
    narrowed: narrowed.key.reveal(),
  }
  await sealEverything(desk.door.harness)
  const ids = { paid, waiting, pending, cancelled }
  return new Scene(desk, { ids, kept, people, keys, invited, usedCode, outward, addresses })
}

function created(desk: Desk, which: keyof Withdrawals): Promise<string> {
  return desk
    .create({ recipient: RECIPIENTS[which], amount: String(AMOUNTS[which]) })
    .then(({ json }) => idIn(json['withdrawal']))
}

function askAddress({ door }: Desk, user: string, key: string): Promise<Answered> {
  const query = `chainId=${CHAIN}&tokenId=${TOKEN}&userId=${user}`
  return door.ask(`/payments/deposit-address?${query}`, { key })
}

async function issued(desk: Desk, user: string): Promise<string> {
  const { json, text } = await askAddress(desk, user, desk.door.a.key)
  const { address } = json as { address?: { properties: { address: string } } }
  if (address === undefined) throw new Error(`no address: ${text}`)
  return address.properties.address
}

async function keepRows(
  desk: Desk,
  { ann, ben, carl, invited }: Scene['people'] & { invited: string },
  narrowedId: string,
): Promise<Kept> {
  const keep = async (table: string, id: string) => {
    const [row] = await desk.rows(`select to_jsonb(t)::text as kept from ${table} t where ${id}`)
    return String(row?.['kept'])
  }
  return {
    organization: await keep('organizations', `id = '${desk.orgId}'`),
    ann: await keep('users', `id = '${ann.userId}'`),
    carl: await keep('users', `id = '${carl.userId}'`),
    invitation: await keep('invitations', `user_id = '${invited}'`),
    recoveryCodes: await keep(
      `(select jsonb_agg(r) as rows
          from recovery_codes r
         where user_id = '${ben.userId}')`,
      'true',
    ),
    key: await keep('api_keys', `org_id = '${desk.orgId}' and is_default and revoked_at is null`),
    narrowed: await keep('api_keys', `id = '${narrowedId}'`),
  }
}

/** A round of the spender; records each transaction that it broadcasts once. */
async function tick(desk: Desk, outward: Outward[]): Promise<void> {
  const deps = desk.deps()
  const { adapter } = deps
  const broadcast = async (raw: Uint8Array) => {
    const { txnHash, to, amount } = adapter.decode(raw)
    if (outward.every((one) => one.txnHash !== txnHash)) outward.push({ txnHash, to, amount })
    return { answer: 'taken', isUnheard: false }
  }
  const recording = new Proxy(adapter, {
    get: (target, name): unknown => (name === 'broadcast' ? broadcast : Reflect.get(target, name)),
  })
  await processWithdrawals({ ...deps, adapter: recording })
}
