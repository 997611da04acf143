import { createHash } from 'node:crypto'
import type { AuditHead } from '../../src/audit-log/audit-head.ts'
import type { Answer } from '../../src/webhooks/delivery.ts'
import type { Post } from '../../src/webhooks/post.ts'
import type { Heard } from './chains/sim-chain.ts'
import type { Standing } from './coverage.ts'
import type { Picture } from './picture.ts'
import type { SimWorld } from './world.ts'

/** A deposit account that was given out, as the organization knows it. */
export interface KnownAccount {
  orgId: string
  user: string
  chainId: string
  address: string
  tag: number | null
}

/** A withdrawal as its organization knows it; the service must agree. */
export interface Asked {
  orgId: string
  chainId: string
  tokenId: string
  amount: bigint
  /** As requested, in the spelling of the chain's comparison. */
  recipient: string
  memo: string | null
  reference: string
  /** Null if the answer was lost. */
  id: string | null
  /** Required approvals, by the setting at the time of the request. */
  required: number
  /** Its initiator; several if the answer to a first request was lost. */
  initiators: Set<string>
  /** Users who consent: the initiator, and each approver who was not refused. */
  consents: Set<string>
  /** The service answered that it is cancelled or rejected. */
  isCalledOff: boolean
  /** How often the service answered that it was created. */
  created: number
}

/** Facts known outside of the service, which it must not contradict. */
export class Books {
  readonly accounts: KnownAccount[] = []
  readonly asked = new Map<string, Asked>()
  /** Users who may approve now, and users who may create, by user id. */
  readonly signers = new Set<string>()
  readonly disabled = new Set<string>()
  /** Codes used for an approval, by user id and step. */
  readonly takenCodes = new Set<string>()
  /** The last code that each person has given. */
  readonly steps = new Map<string, number>()
  readonly signerSetting = new Map<string, number>()
  /** How many approvers must be people, null for the default; set before the first withdrawal. */
  readonly humanSetting = new Map<string, number | null>()
  /** Requests that were refused for want of gas since it was last looked. */
  readonly withoutGas: { org: string; chain: string; reference: string }[] = []
  /** Requests for withdrawals that are not answered, or were answered with an outage. */
  readonly underWay = new Set<Asked>()
  /** All that was signed, each once: as it was stored, or as nodes got it. */
  readonly heard: Heard[] = []
  /** Transactions of it that nodes received, by hash. */
  readonly sent = new Set<string>()
  /** Transactions of it that were found stored, by hash. */
  readonly stored = new Set<string>()
  /** Webhooks by id: the bodies that came under it. */
  readonly received = new Map<string, { body: string; times: number; orgId: string }>()
  /** Redelivered events, and the least number of deliveries at the end. */
  readonly resent: { id: string; atLeast: number }[] = []
  /** Earlier last seals of the audit log, as the sealing command printed them. */
  readonly auditHeads: AuditHead[] = []
  /** A thief bypassed the rules of the database and changed sealed entries of the audit log. */
  isLogForged = false
  /** Violations noticed at once, without a check. */
  readonly wrongs: string[] = []
  /** Whether a run continues after an error of a process, until an invariant is broken. */
  goesOn = false
  /** Errors that processes reported meanwhile. */
  readonly said: string[] = []
  /** Rows that a thief changed; they must never be paid. */
  readonly tampered = new Set<string>()
  /** The event that signed the payment of a withdrawal, by organization and reference. */
  readonly signedAt = new Map<string, number>()
  /** The event since which a user may not approve any more, by user id. */
  readonly voidSince = new Map<string, number>()
  /** The block after which each chain is read. */
  readonly startOf = new Map<string, number>()
  /** Blocks deeper than the rule of a chain have left it. */
  isDeep = false
  /** The last statuses, by id. */
  readonly statuses = new Map<string, string>()
  /** A paused process that the current event resumed. */
  woken: string | null = null
  /** Signed bytes that no block can have any more. */
  readonly over = new Set<string>()
  /** The event at which each signed payment was first seen. */
  readonly firstHeard = new Map<string, number>()
  /** Deposits and fundings that were Confirmed when it was last looked. */
  readonly confirmed = new Set<string>()
  /** The highest tip of each chain so far. */
  readonly highest = new Map<string, number>()
  /** Withdrawals of which it was judged when they became Completed. */
  readonly judged = new Set<string>()
  /** The tip of each chain then. */
  readonly tips = new Map<string, number>()
  /** The highest tip that the current event undid, by chain. */
  readonly undone = new Map<string, number>()
  /** Row counts of append-only tables at the last check. */
  readonly counted = new Map<string, number>()
  event = 0
  picture: Picture | null = null
  standing: Standing = { withdrawals: new Set(), deposits: new Set() }

  /** A block of a chain was undone, which had been the tip. */
  undo({ chainId, height }: { chainId: string; height: number }): void {
    this.undone.set(chainId, Math.max(height, this.undone.get(chainId) ?? 0))
  }

  /** A webhook arrives: kept, and answered as this seed's receiver does. */
  receive(post: Post, world: SimWorld): Answer {
    const id = post.headers['webhook-id'] ?? ''
    const body = Buffer.from(post.body).toString('utf8')
    const random = world.random().fork(`${digest(body)} ${this.received.get(id)?.times ?? 0}`)
    const fails = random.chance(world.rates().receiver)
    const refuses = fails && random.chance(0.5)
    if (fails) world.struck('receiver')
    if (!refuses) this.#keep(id, body, post)
    if (!fails) return { status: 200, headers: {}, body: '', error: '' }
    if (refuses) return { status: 503, headers: {}, body: 'no', error: '' }
    return { status: null, headers: {}, body: '', error: 'no answer within 30 s' }
  }

  #keep(id: string, body: string, { url }: Post): void {
    const known = this.received.get(id)
    const orgId = url.pathname
    if (known === undefined) {
      this.received.set(id, { body, times: 1, orgId })
      return
    }
    known.times += 1
    if (known.body !== body) this.wrongs.push(`I13: webhook ${id} came with two bodies`)
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text.replaceAll(UUIDS, '')).digest('hex').slice(0, 16)
}

const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
