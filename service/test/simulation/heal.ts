import { setCondition } from '../../src/catalogue/chain-state.ts'
import { wake } from './events/live.ts'
import { checkWorld } from './invariants/check.ts'
import type { SimWorld } from './world.ts'

/** From that round on time runs, so that what waits for too long is given up. */
const RUNS_FROM = 12
/** From that one on blocks run, so that what was signed for a time is known to be dead. */
const MINES_FROM = 24
const ROUNDS = 44
/** By then even what was paid last is deep enough, and swept. */
const ROUNDS_MIN = 6
/** Deliveries are made last. */
const LATER = 'to be delivered'
const BLOCK_MS = 15_000
const LONG_MS = 1_800_000
const MANY_BLOCKS = 40
const MANY_MS = 120_000

/** I19: faults stop, blocks come, and everything comes to its end. What is wrong, one line each. */
export async function heal(world: SimWorld, note: (line: string) => void): Promise<string[]> {
  world.isHealing = true
  while (world.stopped.length > 0) note(`healing wake: ${await wake(world)}`)
  for (const chain of world.chains) chain.calm()
  for (const { gate } of [...world.instances, world.door]) gate.begin({})
  await resumeAll(world)
  for (let round = 0; round < ROUNDS; round += 1) {
    world.books.event += 1
    world.enter(`healing ${round}`)
    await world.clock.advance(pace(round))
    for (const chain of world.chains) {
      chain.mine(round >= MINES_FROM && chain.mayRebuild ? MANY_BLOCKS : 1)
      const engine = world.instance(0)
      await engine.watch(chain.id)
      const outcomes = [await engine.scan(chain.id, 40), await engine.spend(chain.id)]
      note(`healing ${round} ${chain.id} ${chain.head().height}: ${outcomes.join(', ')}`)
    }
    collectFailures(world)
    const wrongs = await checkWorld(world)
    if (wrongs.length > 0) return wrongs
    if (round >= ROUNDS_MIN && (await leftOver(world)).every((one) => one.includes(LATER))) break
  }
  await world.clock.advance(2 * 3_600_000)
  for (let round = 0; round < 8; round += 1) {
    await world.instance(0).deliver()
    await world.clock.advance(3_600_000)
  }
  collectFailures(world)
  return [...(await checkWorld(world, true)), ...(await leftOver(world))]
}

function pace(round: number): number {
  if (round < RUNS_FROM) return BLOCK_MS
  return round < MINES_FROM ? LONG_MS : MANY_MS
}

function collectFailures({ instances, books }: SimWorld): void {
  for (const { name, failures } of instances)
    for (const line of failures.splice(0)) books.wrongs.push(`${name} logged: ${line}`)
}

async function resumeAll(world: SimWorld): Promise<void> {
  for (const { id: chainId } of world.chains)
    await world.database.transaction((tx) =>
      setCondition(tx, { chainId, condition: 'running', cause: '' }),
    )
}

/** What should have come to its end and has not. */
async function leftOver({ books, chains, looker }: SimWorld): Promise<string[]> {
  const wrongs: string[] = []
  const { picture } = books
  if (picture === null) return ['nothing was ever seen']
  for (const chain of chains) {
    const state = picture.chains.find(({ id }) => id === chain.id)
    if (state?.hash !== chain.head().hash)
      wrongs.push(
        `I19: ${chain.id} is ${state?.condition}, at ${state?.height} of ${chain.head().height}`,
      )
  }
  const halted = await looker.rows('select address from senders where halted_at is not null')
  const isHalted = new Set(halted.map(({ address }) => String(address)))
  for (const { hash, status, token } of picture.deposits)
    if (status === 'Detected') wrongs.push(`I19: ${hash} of ${token} is still Detected`)
  for (const { hash, status } of picture.fundings)
    if (status === 'Detected') wrongs.push(`I19: funding ${hash} is still Detected`)
  for (const { subject, purpose, state, sender } of picture.spends)
    if (['Sent', 'Included'].includes(state) && !isHalted.has(sender))
      wrongs.push(`I19: the ${purpose} ${subject} is still ${state}`)
  if (wrongs.length > 0) {
    const open = await looker.rows('select code, message from alerts where resolved_at is null')
    for (const { code, message } of open) wrongs.push(`open: ${String(code)} ${String(message)}`)
    const said = await looker.rows(
      `select t.txn_hash, t.number, t.broadcasts, t.last_answer, t.terms
         from spend_transactions t join spends s on s.id = t.spend_id where s.state = 'Sent'`,
    )
    for (const row of said) wrongs.push(`said: ${JSON.stringify(row)}`)
  }
  const late = await looker.rows(`select event_id from deliveries where state = 'pending'`)
  if (late.length > 0) wrongs.push(`I19: ${late.length} events are still to be delivered`)
  const delivered = await looker.rows(
    `select event_id as id from deliveries where state = 'delivered'`,
  )
  for (const { id } of delivered)
    if (!books.received.has(String(id)))
      wrongs.push(`I13: ${String(id)} counts as delivered and never came`)
  if (isHalted.size > 0) wrongs.push(`I19: ${isHalted.size} senders are halted`)
  return wrongs
}
