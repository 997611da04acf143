import type { ChainId } from '@sluice/wire'
import { listOwnAddresses, showOwnAddresses } from '../accounts/own-address.ts'
import type { RowVerifier } from '../accounts/row-mac.ts'
import { raiseTampered } from '../accounts/tampered.ts'
import { iso } from '../base/clock.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { displayAddress } from '../chains/format-address.ts'
import { raiseAlert, resolveAlert } from '../alerts/raise-alert.ts'
import { CLAIM } from '../ledger/account.ts'
import type { Database, Tx } from '../store/database.ts'
import { gasOf } from '../transactions/core/funds.ts'
import { appendEvent } from '../webhooks/outbox.ts'
import { freeAt, hasFunds } from './holding.ts'
import { selectLevel, upsertLevel } from './rows.ts'

/** Remaining gas of a gas wallet, and how far it goes. */
export interface GasLevel {
  orgId: string
  chainId: ChainId
  /** Base units of the native currency that may still be spent on gas, and lie in the wallet. */
  gas: bigint
  /** How many sweeps of a token, each with its top-up, it pays for at the worst. */
  sweepsLeft: number
}

/** Dependencies of an event that shows an address. */
interface EventDeps {
  serviceKey: RowVerifier
  catalogue: Catalogue
}

/**
 * Checks the gas wallets of a chain. When fewer than `lowAt` sweeps are left, emits `gas.low` and
 * raises an alert, once; resolves the alert when there is enough again. A wallet that was never
 * filled counts as low once the organization has funds. `sweepCost` in base units of the native
 * currency.
 */
export async function watchLevels(
  database: Database,
  rules: EventDeps & { chainId: ChainId; sweepCost: bigint; lowAt: number },
): Promise<void> {
  const { serviceKey, catalogue, chainId } = rules
  const wallets = await database.transaction((tx) => listOwnAddresses(tx, { chainId }))
  const native = catalogue.nativeToken(chainId).id
  for (const { orgId, address } of wallets.filter(({ purpose }) => purpose === 'gas')) {
    await database.transaction(async (tx) => {
      const mine = await gasOf(tx, { orgId, chainId, native })
      const there = await freeAt(tx, { orgId, chainId, native, kind: 'gas', address })
      // Gas at other addresses pays for no top-up.
      const gas = mine < there ? mine : there
      const sweepsLeft = sweepsIn(gas, rules.sweepCost)
      const level = { orgId, chainId, gas, sweepsLeft }
      if (sweepsLeft >= rules.lowAt) await clearLow(tx, level)
      else if (await isRelevant(tx, catalogue, level))
        await noteLow(tx, { serviceKey, catalogue }, level)
    })
  }
}

/**
 * Emits `gas.low` because a request lacked gas; once, until there is enough again. Not for a wallet
 * that was last found full: it is topping up the account that lacks gas, and the next check reports
 * it if it is low by then.
 */
export async function noteShortage(
  tx: Tx,
  wallet: EventDeps & { orgId: string; chainId: ChainId },
): Promise<void> {
  const { catalogue, orgId, chainId } = wallet
  const isLow = await selectLevel(tx, { orgId, chainId })
  if (isLow === false) return
  const gas = await gasOf(tx, { orgId, chainId, native: catalogue.nativeToken(chainId).id })
  await noteLow(tx, wallet, { orgId, chainId, gas, sweepsLeft: 0 })
}

/** How many sweeps so much gas pays for. */
export function sweepsIn(gas: bigint, sweepCost: bigint): number {
  if (gas <= 0n) return 0
  return sweepCost <= 0n ? Number.MAX_SAFE_INTEGER : Number(gas / sweepCost)
}

/** An empty wallet is irrelevant until the organization has funds. */
async function isRelevant(tx: Tx, catalogue: Catalogue, level: GasLevel): Promise<boolean> {
  const { orgId, chainId } = level
  if ((await selectLevel(tx, level)) !== null) return true
  const claims = [CLAIM.available, CLAIM.reserved, CLAIM.unconfirmed]
  return hasFunds(tx, catalogue, { orgId, chainId, claims })
}

async function clearLow(tx: Tx, { orgId, chainId }: GasLevel): Promise<void> {
  if (!(await upsertLevel(tx, { orgId, chainId, low: false }))) return
  await resolveAlert(tx, { code: 'gas.low', subject: subjectOf({ orgId, chainId }) })
}

async function noteLow(
  tx: Tx,
  { serviceKey, catalogue }: EventDeps,
  level: GasLevel,
): Promise<void> {
  const { orgId, chainId, gas, sweepsLeft } = level
  if (!(await upsertLevel(tx, { orgId, chainId, low: true }))) return
  // People send money to this address: one that was changed in the database is left out.
  const { own, tampered } = await showOwnAddresses(tx, serviceKey, { orgId, chainId })
  await raiseTampered(tx, tampered)
  const wallet = own.find(({ purpose }) => purpose === 'gas')
  const address = wallet === undefined ? '' : displayAddress(chainId, wallet.address)
  const { symbol } = catalogue.nativeToken(chainId)
  appendEvent(tx, {
    orgId,
    type: 'gas.low',
    subjectId: chainId,
    payload: {
      chainId,
      address,
      balance: gas.toString(),
      sweepsLeft,
      Token: catalogue.summary(catalogue.nativeToken(chainId).id),
      at: iso(tx.clock.now()),
    },
  })
  await raiseAlert(tx, {
    code: 'gas.low',
    orgId,
    subject: subjectOf({ orgId, chainId }),
    message:
      `The gas wallet ${address} on ${chainId} pays for ${sweepsLeft} more sweeps: ` +
      `send ${symbol} to it.`,
    details: { orgId, chainId, balance: gas.toString() },
  })
}

function subjectOf({ orgId, chainId }: { orgId: string; chainId: ChainId }): string {
  return `${chainId} ${orgId}`
}
