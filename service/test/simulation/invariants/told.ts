import type { Asked } from '../books.ts'
import type { Picture, StoredDeposit } from '../picture.ts'
import type { SimWorld } from '../world.ts'

/** An event as its receiver reads it. */
interface Told {
  id: string
  type: string
  orgId: string
  payload: Readonly<Record<string, unknown>>
}

/** Possible statuses of a withdrawal by its last event. */
const STATUSES: Readonly<Record<string, readonly string[]>> = {
  'withdrawal.created': ['PendingApproval', 'Pending'],
  'withdrawal.approved': ['Pending'],
  'withdrawal.processing': ['Processing'],
  'withdrawal.completed': ['Completed'],
  'withdrawal.failed': ['Failed'],
  'withdrawal.cancelled': ['Cancelled'],
}

/**
 * I13, I18, E20: events are true and reach their organization: deposits and withdrawals match their
 * records and requests, and each balance leads from that of the event before to the current one.
 */
export async function checkTold(world: SimWorld): Promise<string[]> {
  const { picture } = world.books
  if (picture === null) return []
  const rows = await world.looker.rows('select id, body from events order by org_id, sequence')
  const all = rows.map(({ body }) => parseTold(String(body)))
  const deposits = new Map(picture.deposits.map((one) => [one.id, one]))
  return [
    ...all.flatMap((told) => ofDeposit(world, told, deposits)),
    ...all.flatMap((told) => ofWithdrawal(world, told)),
    ...ofBalances(world, picture, all),
    ...asSent(world, new Map(rows.map(({ id, body }) => [String(id), String(body)]))),
  ]
}

/** A received webhook equals the stored one, at the address of its organization. */
function asSent({ books, stage }: SimWorld, bodies: ReadonlyMap<string, string>): string[] {
  const paths = new Map(
    stage.tenants.map(({ orgId, webhookUrl }) => [orgId, new URL(webhookUrl).pathname]),
  )
  return [...books.received].flatMap(([id, { body, orgId: path }]) => {
    const isSame = bodies.get(id) === body
    const isRight = paths.get(parseTold(body).orgId) === path
    return isSame && isRight ? [] : [`I18: ${id} came to ${path} as ${body.slice(0, 300)}`]
  })
}

function ofDeposit(
  { books }: SimWorld,
  { id, type, orgId, payload }: Told,
  deposits: ReadonlyMap<string, StoredDeposit>,
): string[] {
  if (!/^deposit\.(detected|confirmed|reverted)$/.test(type)) return []
  const stands = deposits.get(String(payload['id']))
  if (stands === undefined) return [`I13: ${id} names a missing deposit`]
  const { org, chain, token, amount, user, address } = stands
  const account = books.accounts.find((one) => one.orgId === org && one.address === address)
  const told = ['chainId', 'tokenId', 'amount', 'externalUserId'].map((key) => payload[key])
  const isSame = told.join(' ') === [chain, token, amount, user].join(' ') && orgId === org
  const isHome = account === undefined || payload['accountChainId'] === account.chainId
  return isSame && isHome ? [] : [`E20: ${type} ${id} says ${JSON.stringify(payload)}`]
}

function ofWithdrawal(world: SimWorld, { id, type, orgId, payload }: Told): string[] {
  const may = STATUSES[type]
  if (may === undefined || world.books.tampered.has(String(payload['id']))) return []
  const asked = world.books.asked.get(`${orgId} ${String(payload['reference'])}`)
  if (asked === undefined) return [`I12: ${type} ${id} names an unknown withdrawal`]
  const isSame = isAsked(world, payload, asked) && may.includes(String(payload['status']))
  return isSame ? [] : [`I6: ${type} ${id} says ${JSON.stringify(payload)}`]
}

function isAsked(world: SimWorld, payload: Told['payload'], asked: Asked): boolean {
  const { chainId, tokenId, amount, recipient, memo } = asked
  const to = world.chain(chainId).spell(String(payload['toAddress']))
  const told = [payload['chainId'], payload['tokenId'], payload['amount'], to, payload['memo']]
  return told.join(' ') === [chainId, tokenId, amount, recipient, memo].join(' ')
}

/** Each change of the available balance of an organization in a token has its event. */
function ofBalances(world: SimWorld, picture: Picture, all: readonly Told[]): string[] {
  const wrongs: string[] = []
  const last = new Map<string, unknown>()
  for (const { id, type, orgId, payload } of all) {
    if (type !== 'balance.updated' || !isAvailable(world, picture, payload)) continue
    const key = `${orgId} ${String(payload['tokenId'])}`
    const [before = '0', from] = [last.get(key), payload['previousBalance']]
    if (from !== before)
      wrongs.push(`I13: ${id} goes on from ${String(from)}, not ${String(before)}`)
    last.set(key, payload['balance'])
  }
  for (const { org, token, account, amount } of picture.balances)
    if (account === 'claim:available' && (last.get(`${org} ${token}`) ?? '0') !== amount)
      wrongs.push(`I13: no event says that ${org} has ${amount} of ${token}`)
  return wrongs
}

/**
 * Others are the settlement balances of the organization, or its funds for gas: a gas wallet counts
 * on its own chain alone.
 */
function isAvailable(world: SimWorld, { watched }: Picture, payload: Told['payload']): boolean {
  const reason = String(payload['reason'])
  if (reason === 'sweep' || reason === 'gas') return false
  const on = String(payload['chainId'])
  const at = world.chain(on).spell(String(payload['accountId']))
  return watched.every((one) => one.address !== at || one.purpose !== 'gas' || one.chain !== on)
}

function parseTold(body: string): Told {
  return JSON.parse(body) as Told
}
